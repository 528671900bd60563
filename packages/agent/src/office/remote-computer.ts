import type { SMCPError, SMCPTool } from '@a2c/protocol';

/** A Computer of the office, as last heard of. Never changed: a newer one takes its place in `agent.computers`. */
export interface RemoteComputer {
  readonly name: string;
  /** `loading` until its tools were fetched once; `failed` when they last could not be, for `error`. */
  readonly state: 'loading' | 'ready' | 'failed';
  /** What it offered last. */
  readonly tools: readonly SMCPTool[];
  readonly error?: SMCPError;
}

/** What an Agent tells about its office and its own standing in it. */
export interface AgentEvents {
  /** Its tools follow with `toolsChanged`. */
  readonly computerEntered: RemoteComputer;
  readonly computerLeft: RemoteComputer;
  readonly configUpdated: { readonly computer: string };
  /** The tools are in the value and in `agent.computers` already. */
  readonly toolsChanged: RemoteComputer;
  readonly desktopRefreshed: { readonly computer: string };
  readonly callCancelled: { readonly agent: string; readonly reqId: string };
  /** The connection is lost and will be made again. */
  readonly disconnected: { readonly reason: string };
  /** Joined again under the same name; calls in flight are being repeated. */
  readonly reconnected: { readonly office: string };
  /** Refused for good, such as by another Agent that took the office over. Nothing is tried any more. */
  readonly ended: SMCPError;
  /** Something went wrong that no caller waits for. */
  readonly warning: SMCPError;
}
