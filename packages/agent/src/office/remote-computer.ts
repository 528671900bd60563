import type { SMCPError, SMCPTool } from '@a2c/protocol';

/** A Computer of the office. Immutable: a change replaces it in `agent.computers`. */
export interface RemoteComputer {
  readonly name: string;
  /** `loading` until the first tool list arrived; `failed` when the last request for it failed with `error`. */
  readonly state: 'loading' | 'ready' | 'failed';
  /** The tools of the last list. */
  readonly tools: readonly SMCPTool[];
  readonly error?: SMCPError;
}

/** Events of an Agent. */
export interface AgentEvents {
  /** A Computer joined. Its tools follow with `toolsChanged`. */
  readonly computerEntered: RemoteComputer;
  readonly computerLeft: RemoteComputer;
  readonly configUpdated: { readonly computer: string };
  /** The tool list of a Computer arrived or changed. */
  readonly toolsChanged: RemoteComputer;
  readonly desktopRefreshed: { readonly computer: string };
  /** The skills of a Computer changed. */
  readonly skillsChanged: { readonly computer: string };
  readonly callCancelled: { readonly agent: string; readonly reqId: string };
  /** The connection was lost. The Agent reconnects. */
  readonly disconnected: { readonly reason: string };
  /** Joined again under the same name. Pending calls are repeated. */
  readonly reconnected: { readonly office: string };
  /** A final refusal, or another Agent took over the seat. The Agent is closed. */
  readonly ended: SMCPError;
  /** A failure that rejects no promise, such as a failed attempt to reconnect. */
  readonly warning: SMCPError;
}
