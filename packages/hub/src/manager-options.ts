import type { ClientConfig, JsonObject, ServerConfig, TrustGuard } from '@a2c/config';
import type { Progress } from '@modelcontextprotocol/client';
import type { Answerers } from './connection/our-side.js';
import type { HubLimits } from './limits.js';
import type { StartPolicy } from './managed-server.js';
import type { ServerState } from './state-machine.js';

/**
 * `onElicit`, `onSample` and `onRoots` also declare the capability: without them servers do not ask, and no call can answer. Roots that
 * stand in a configuration are the answer to every question for roots.
 */
export interface ManagerOptions extends Answerers {
  /** Stands between configuration and the world; asked before every start. Absent: nothing is trusted. */
  readonly guard?: TrustGuard;
  /** Fills in placeholders right before a start. Absent: those of the environment. */
  readonly prepare?: (server: ServerConfig) => Promise<ServerConfig>;
  /** Start servers as they are added. Default true. */
  readonly autoConnect?: boolean;
  /** Come back after a lost connection, and restart on an update. Default true. */
  readonly autoReconnect?: boolean;
  /** What a configuration says about us. */
  readonly client?: ClientConfig | null;
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Which servers start on their first call, and when they rest. Absent: all start at once and stay. */
  readonly startPolicy?: (server: ServerConfig) => StartPolicy;
  /** Where tool lists are remembered between runs; null: nowhere. */
  readonly cacheFolder?: string | null;
  /** What a `stdout_log` must stay inside, and where relative paths start. Default: the working directory. */
  readonly root?: string;
  readonly limits?: Partial<HubLimits>;
}

export interface RequestOptions {
  /** Seconds. Absent: what the server's configuration says, else `limits.callTimeout`. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `onElicit`, `onSample` and `onRoots` answer for this call when the server's question can only be about it. */
export interface CallOptions extends RequestOptions, Answerers {
  /**
   * Whoever stands behind the call. A server of the older generation does not say which of its calls a question is about; when all of
   * them have the same `client`, that does not matter, and one of them answers.
   */
  readonly client?: object | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Joined into the request's `_meta`: trace context and the like. */
  readonly meta?: JsonObject | undefined;
}

/** What happens in the hub, for whoever shows or forwards it. */
export interface HubEvents {
  state: [{ readonly server: string; readonly state: ServerState; readonly cause: string | null }];
  /** The tools are other ones than before. */
  tools: [];
  /** Two servers show a tool under one name; `server` has lost it to `keptBy`, and can still be called by its own name. */
  conflict: [{ readonly server: string; readonly displayName: string; readonly keptBy: string }];
  /** A window changed, or with `uri: null` the set of a server's windows. */
  windows: [{ readonly server: string; readonly uri: string | null }];
  /** A resource changed that somebody follows, or a window. */
  updated: [{ readonly server: string; readonly uri: string }];
  /** The set of a server's resources changed. */
  resources: [{ readonly server: string }];
  prompts: [{ readonly server: string }];
  /** A server's `notifications/message`; `client` is whose calls alone can have caused it. */
  log: [
    {
      readonly server: string;
      readonly level: string;
      readonly logger: string | null;
      readonly data: unknown;
      readonly client: object | undefined;
    },
  ];
  /** Something went wrong that stops nothing. */
  warning: [{ readonly server: string; readonly message: string }];
}
