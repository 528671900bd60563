import type { JsonObject } from '@a2c/config';
import type { CallOptions } from '@a2c/protocol';
import type { Cancellation } from '../cancellation.js';
import type { ServerRequestHandlers } from '../clients/client-handlers.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import type { ServedClient } from '../clients/served-client.js';
import type { AvailableTool, NameForm } from '../tools/tool-table.js';
import type { Caller } from './call-queue.js';

/** A tool call that needs consent. */
export interface ConsentRequest {
  /** The tool; `tool.meta` has the owner's settings, such as `auto_apply`. */
  readonly tool: AvailableTool;
  /** The arguments, already checked against the tool's schema. */
  readonly arguments: JsonObject;
  /** Aborted when the call times out or is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Decides whether a tool call may run. It is asked for every call and decides by `tool.meta` which calls need a
 * person's approval. Reject with a `TimeoutError` if no one answered in time, or with a `HubError` of a `consent-…`
 * kind.
 */
export type ConsentHandler = (request: ConsentRequest) => Promise<boolean> | boolean;

/** Options of a request that is not a tool call. `timeout` is in seconds. */
export type RequestOptions = Pick<CallOptions, 'timeout' | 'signal'> & {
  /** In place of `signal`, of a caller that creates one only when it is needed. */
  readonly cancellation?: Cancellation | undefined;
  readonly client?: ServedClient | undefined;
  /** Whose request it is, by identity: callers share a server fairly. Default `client`. */
  readonly caller?: unknown;
};

/** The options that say whose request it is. */
export type CallerOptions = Pick<RequestOptions, 'caller' | 'client'>;

/** Stateless clients have no identity, and each request has its own `client`: those of one address are one caller. */
const STATELESS = Symbol('stateless clients');

/** The caller of a request. Without an id for local requests. */
export function callerOf({ caller, client }: CallerOptions): Caller {
  const id = caller ?? (client?.isStateless ? (client.address ?? STATELESS) : client);
  return { id, group: client?.address ?? id };
}

/**
 * Options of one call. `timeout` is in seconds; without it the timeout of the server's configuration applies, else
 * `limits.callTimeoutMs`. `onElicit`, `onSample` and `onRoots` answer the server requests that belong to this call.
 */
export interface HubCallOptions
  extends CallOptions,
    ServerRequestHandlers,
    Pick<RequestOptions, 'cancellation' | 'caller'> {
  /** Which names the caller knows; decides where a display name of one tool is the exposed name of another. */
  readonly nameForm?: NameForm | undefined;
  /** The server that the caller means, by its bundle id. A tool of another server is not found by this name. */
  readonly bundleId?: string | undefined;
  /** Called with the tool that the name stands for, before its arguments are checked. */
  readonly onResolved?: ((tool: AvailableTool) => void) | undefined;
  /** The arguments are not compared with the schema of the tool: its server decides. */
  readonly isUnchecked?: boolean | undefined;
  /** Asked after the arguments were checked and before the tool runs. Without it every call runs. */
  readonly consent?: ConsentHandler | undefined;
  /** The client behind the call. Without it the hub itself is the client. */
  readonly client?: ServedClient | undefined;
  /** Receives the parameters of the log messages that belong to this call. */
  readonly onLog?: ((params: JsonObject) => void) | undefined;
  /** Added to `_meta` of the request, such as trace context. */
  readonly meta?: JsonObject | undefined;
  /** Called when the call is sent to its server, with the connection that carries it. */
  readonly onSent?: ((connection: Pick<MCPClientProtocol, 'isOpen'>) => void) | undefined;
  /** Asks a person to log in, to go on with a task that the call has begun. Resolves with false if no one has. */
  readonly logIn?: (() => Promise<boolean>) | undefined;
  /** Asks a server of MCP 2025-11-25 to run the call as a task. The result is then the task. */
  readonly task?: JsonObject | undefined;
}
