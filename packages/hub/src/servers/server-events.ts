import type { JsonObject } from '@a2c/config';
import type { ViewKey } from './client-views.js';
import type { ServerState } from './state-machine.js';

/** What a server reports. */
export interface ServerEvents {
  readonly state: (state: ServerState, cause: string | null) => void;
  readonly tools: () => void;
  /** The server has announced a change of its tools, and they were listed again. */
  readonly toolList: () => void;
  /** Clients with these capabilities, or this client, may see other tools than before. */
  readonly clientTools: (viewers: ViewKey) => void;
  readonly windows: (uri: string | null) => void;
  /** `meta`: the `_meta` of the notification. */
  readonly updated: (uri: string, meta?: JsonObject) => void;
  readonly resources: () => void;
  readonly prompts: () => void;
  /** `client`: the client of all pending requests. A log message may contain what its caller sent. */
  readonly log: (params: JsonObject, client: object | undefined) => void;
  /** The state of a task. `client`: the client that the connection belongs to. */
  readonly task: (params: JsonObject, client: object | undefined) => void;
  /** A person has finished what a URL asked for. `client`: the client that the connection belongs to. */
  readonly elicitationComplete: (params: JsonObject, client: object | undefined) => void;
  readonly warning: (message: string) => void;
  readonly output: () => void;
}
