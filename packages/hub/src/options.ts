import type { ClientConfig, JsonObject, ServerConfig, TrustGuard } from '@a2c/config';
import type { Vault } from '@a2c/login';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { ClientFactories } from './clients/client-factory.js';
import type { ServerRequestHandlers } from './clients/client-handlers.js';
import type { ServedClient } from './clients/served-client.js';
import type { HubLimits } from './limits.js';
import type { PinOptions } from './pins/server-pins.js';
import type { StartPolicy } from './servers/managed-server.js';
import type { ServerState } from './servers/state-machine.js';

/**
 * Options of a hub. `onElicit`, `onSample` and `onRoots` answer server requests that cannot be attributed to one call;
 * they also declare the capability, so that without them no call can answer. Configured roots answer every
 * `roots/list`.
 */
export interface ManagerOptions extends ServerRequestHandlers {
  /** Checked before every start and every connection. By default nothing is trusted. */
  readonly guard?: TrustGuard;
  /** Fills in placeholders before a start. By default with the environment variables. */
  readonly prepare?: (server: ServerConfig) => Promise<ServerConfig>;
  /** Start servers when they are added. Default true. */
  readonly autoConnect?: boolean;
  /** Reconnect after a lost connection, and restart a server when its configuration changes. Default true. */
  readonly autoReconnect?: boolean;
  /** The client section of a configuration: capabilities, roots, protocol version. */
  readonly client?: ClientConfig | null;
  /** The name and version that servers see. Default: `a2c` and the version of this package. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /**
   * Which servers start on their first call, and when they stop again. By default all start at once and keep running.
   */
  readonly startPolicy?: (server: ServerConfig) => StartPolicy;
  /** The folder that caches tool lists between runs. By default nothing is cached. */
  readonly cacheFolder?: string | null;
  /** Compares tools with those that a person approved, and withholds or reports changes. By default off. */
  readonly pins?: PinOptions | null;
  /** The folder that relative paths start from and that contains every `stdout_log`. Default: the working directory. */
  readonly root?: string;
  /**
   * The only client that the hub serves. Each server is started when it is known and sees its capabilities. If the
   * promise resolves with undefined, there may be several.
   */
  readonly onlyClient?: Promise<ServedClient | undefined>;
  /** A server with a cached tool list is started after this: a start takes time that the first answers need. */
  readonly startAfter?: Promise<unknown>;
  /** Extensions to declare besides the configured capabilities, on connections that belong to no single client. */
  readonly extensions?: ClientCapabilities['extensions'];
  /** Clients for further transport types, or in place of the built-in ones. See `customServer`. */
  readonly clients?: ClientFactories;
  /** Where logins are stored. Default: the vault of the user. */
  readonly vault?: Vault;
  readonly limits?: Partial<HubLimits>;
}

/** Options of adding a server to a running hub. */
export interface AddOptions {
  /** A tool whose name another server has is listed as `server.tool`, as at the start, instead of an error. */
  readonly sharesToolNames?: boolean;
}

/** The events of a hub. */
export interface HubEvents {
  /** The program of a server wrote to stderr: `diagnostics` in its status has the lines. */
  output: { readonly server: string };
  /** The state of a server changed; `cause` is its last failure. */
  state: { readonly server: string; readonly state: ServerState; readonly cause: string | null };
  /** The tool table changed. */
  tools: undefined;
  /** A server announced a change of its tools, and they were listed again. They may be the same as before. */
  toolList: { readonly server: string };
  /**
   * Clients that declare these capabilities, as `capabilityKey` writes them, or only this client, may see other tools
   * than before.
   */
  clientTools: { readonly server: string; readonly capabilities?: string; readonly client?: object };
  /** Two servers have tools of the same names: `keptBy` keeps them; those of `server` are listed as `server.tool`. */
  conflict: { readonly server: string; readonly keptBy: string; readonly displayNames: readonly string[] };
  /** A window changed, or with `uri: null` the set of a server's windows. */
  windows: { readonly server: string; readonly uri: string | null };
  /** A subscribed resource or a window changed. */
  updated: { readonly server: string; readonly uri: string; readonly meta?: JsonObject };
  /** The list of a server's resources changed. */
  resources: { readonly server: string };
  /** The list of a server's prompts changed. */
  prompts: { readonly server: string };
  /** A `notifications/message` of a server. `client` is the client of all pending calls, if there is only one. */
  log: {
    readonly server: string;
    readonly level: string;
    readonly logger: string | null;
    readonly data: unknown;
    readonly client: object | undefined;
  };
  /** A `notifications/tasks/status` of a server. `client` is the client that the connection belongs to. */
  task: { readonly server: string; readonly params: JsonObject; readonly client: object | undefined };
  /** A person has finished what a URL asked for. `client` is the client that the connection belongs to. */
  elicitationComplete: { readonly server: string; readonly params: JsonObject; readonly client: object | undefined };
  /** A warning; no operation failed. */
  warning: { readonly server: string; readonly message: string };
}
