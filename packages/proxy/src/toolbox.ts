import type { Cancellation, ProtocolEra, ServedClient } from '@a2c/hub';
import type { CallOptions, CallToolResult } from '@a2c/protocol';

/**
 * The MCP servers behind a proxy, wherever they run. `HubToolbox` connects to servers on this machine, `OfficeToolbox`
 * to the Computers of an office. Every method that returns a promise rejects with a `HubError`.
 *
 * @example
 * ```ts
 * const toolbox: Toolbox = new HubToolbox(hub);
 * const stop = toolbox.on('serversChanged', () => console.log(toolbox.servers().length));
 * await toolbox.call({ server: 'weather', tool: 'forecast', arguments: { city: 'Oslo' } });
 * stop();
 * ```
 */
export interface Toolbox {
  /** The servers now, in no particular order. Returns the same array until something changes, then a new one. */
  servers(): readonly ToolboxServer[];

  /**
   * Calls one tool. A failure reported by the tool is a result with `isError`.
   *
   * @throws {HubError} The call did not run or did not finish; `kind` says why.
   */
  call(call: ToolCall): Promise<CallToolResult>;

  /**
   * Sends any other MCP request to one server. Pass-through mode needs it for resources, prompts and completions.
   *
   * @throws {HubError} The server is unknown, unavailable, or answered with an error.
   */
  request(server: string, request: MCPRequest, options: ToolboxCallOptions): Promise<Record<string, unknown>>;

  /**
   * Subscribes to resources of one server; updates arrive as `resourceUpdated`. Returns a function that unsubscribes.
   *
   * @throws {HubError} The server is unknown, unavailable, or does not support subscriptions.
   */
  subscribe(server: string, uris: readonly string[], options: ToolboxCallOptions): Promise<() => void>;

  /**
   * Finds out which servers list other tools to a client with its capabilities, for `toolsFor`. Never rejects, and
   * resolves after `timeoutMs` at the latest: what is found later is announced. Absent: all clients see the same.
   */
  prepareClient?(client: ServedClient, timeoutMs: number): Promise<void>;

  /** The tools of the servers that list other tools to this client than to all; undefined if there are none. */
  toolsFor?(client: ServedClient): ReadonlyMap<string, readonly ToolboxTool[]> | undefined;

  /** The roots or the log level of a client have changed. Absent if no server can be notified. */
  clientChanged?(client: ServedClient, what: 'roots' | 'logLevel'): void;

  /**
   * Logs in to a server that needs it, with the person at the client. Returns false if that is not possible or fails.
   * Absent: the toolbox cannot log in.
   */
  logIn?(server: string, options: ToolboxCallOptions): Promise<boolean>;

  /** The skills beside the tools. Absent: the toolbox has none. */
  readonly skills?: ToolboxSkills | undefined;

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof ToolboxEvents>(event: E, listener: (value: ToolboxEvents[E]) => void): () => void;
}

/** Skills: instructions for models, each a text with files. */
export interface ToolboxSkills {
  /** False: `inspect` does not mention skills. */
  readonly areOffered: boolean;
  /** Reads the skills now, if they were not read yet. Never rejects. Absent: `areOffered` does not change. */
  prepare?(): Promise<void>;
  /** Lists the skills of all sources. */
  list(options: ToolboxCallOptions): Promise<ToolboxSkillList>;
  /**
   * Reads the instructions of a skill, or a file of it.
   *
   * @param reference The name of a listed skill, or `name/path` for a file of it.
   * @throws {Error} There is no such skill or file.
   */
  read(reference: string, options: ToolboxCallOptions): Promise<ToolboxSkillFile>;
  /** Adds a listener for changes of `areOffered`. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

/** The skills of a toolbox, and which sources failed. */
export interface ToolboxSkillList {
  readonly skills: readonly ToolboxSkill[];
  /** One sentence for each Computer whose skills could not be listed. */
  readonly problems: readonly string[];
}

/** A skill in a list. */
export interface ToolboxSkill {
  /** Unique in the toolbox. In an office `computer/skill`. */
  readonly name: string;
  readonly description: string;
}

/** A file of a skill. */
export interface ToolboxSkillFile {
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** The events of a toolbox, with the value each listener receives. */
export interface ToolboxEvents {
  /** A server was added or removed, or its state or tools changed. */
  readonly serversChanged: undefined;
  /** A server announced a change of its tools. They may be the same as before. */
  readonly toolsAnnounced: undefined;
  /**
   * Clients that declare these capabilities, as `capabilityKey` of the hub writes them, or only this client, may see
   * other tools now.
   */
  readonly clientToolsChanged: { readonly capabilities?: string; readonly client?: object };
  /** The list of resources of some server changed. */
  readonly resourcesChanged: undefined;
  /** The list of prompts of some server changed. */
  readonly promptsChanged: undefined;
  /** The contents of a subscribed resource changed. */
  readonly resourceUpdated: {
    readonly server: string;
    readonly uri: string;
    /** The `_meta` of the notification. */
    readonly meta?: Readonly<Record<string, unknown>>;
  };
  /** A person has finished what a URL asked for. `client`: the client that the connection belongs to. */
  readonly elicitationComplete: {
    readonly server: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly client: object | undefined;
  };
  /** A server reports the state of a task. `client`: the client that the connection belongs to. */
  readonly taskStatus: {
    readonly server: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly client: object | undefined;
  };
  /** A server sent a log message that belongs to no call. */
  readonly log: {
    readonly server: string;
    readonly params: Readonly<Record<string, unknown>>;
    /**
     * The client that the connection belongs to, or the only one with pending calls on it; undefined if there are
     * several. Log messages may contain its arguments.
     */
    readonly client: object | undefined;
  };
}

/** `starting` servers may already have tools, cached from their last run. */
export type ServerState = 'starting' | 'ready' | 'failed' | 'stopped';

/** One MCP server of a toolbox. */
export interface ToolboxServer {
  /** Unique in the toolbox. */
  readonly name: string;
  /** The Computer that hosts it, in an office. Then the name is `computer/server`. */
  readonly computer?: string;
  readonly state: ServerState;
  /** Why it is not ready: one sentence for people and models. */
  readonly cause?: string;
  /** It is not ready because a person has to log in. */
  readonly needsLogin?: true;
  readonly version?: string;
  /** The protocol generation of the connection that all clients share. */
  readonly era?: ProtocolEra;
  readonly instructions?: string;
  readonly tools: readonly ToolboxTool[];
  /** The names of the tools in its last list, also while it does not run. They keep the names of other tools stable. */
  readonly knownNames?: readonly string[];
  /** Its declared MCP capabilities besides tools, such as `resources`, `prompts`, `tasks` and `extensions`. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** The key of the name that the server itself gives a tool with an alias. Not shown to clients: JSON has no symbols. */
export const OWN_NAME = Symbol('own name');

/** A tool as its server describes it, under its display name: aliases are applied, forbidden tools are absent. */
export interface ToolboxTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
  /** The owner's `auto_apply`. False: every call needs consent. */
  readonly autoApply?: boolean;
  readonly [OWN_NAME]?: string;
  /** Other fields of the tool, such as `icons` and `_meta`; shown in pass-through mode. */
  readonly [other: string]: unknown;
}

/** MCP's tool annotations: hints by the server, which may be wrong. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
  readonly title?: string;
}

/** Options of a request through a toolbox: the shared call options, and the way back to the client. */
export interface ToolboxCallOptions extends CallOptions {
  /**
   * Answers requests of the MCP server: elicitation, sampling, roots. Must settle also if the client does not support
   * them.
   */
  readonly onServerRequest?: ServerRequestHandler | undefined;
  /** The client supports form elicitation, which is how consent is asked for. */
  readonly supportsForms?: boolean | undefined;
  /** The client supports URL elicitation, which is how a person is asked to log in. */
  readonly supportsUrls?: boolean | undefined;
  /** The client behind the request. MCP servers see its capabilities. */
  readonly client?: ServedClient | undefined;
  /** Added to `_meta` of the request, such as trace context. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Receives the parameters of the log messages that belong to the request. */
  readonly onLog?: ((params: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Called with true while a call waits, and has certainly not run, and with false when it is sent. */
  readonly onWait?: ((isWaiting: boolean) => void) | undefined;
  /** The same as `signal`, which is then created when it is read. */
  readonly cancellation?: Cancellation | undefined;
}

/** One tool call through a toolbox. */
export interface ToolCall extends ToolboxCallOptions {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The arguments are not compared with the schema of the tool: its server decides. */
  readonly isUnchecked?: boolean | undefined;
  /** Asks a server of MCP 2025-11-25 to run the call as a task. The result is then the task. */
  readonly task?: Readonly<Record<string, unknown>> | undefined;
  /** Asked after the arguments were checked and before the tool runs. Absent: no call needs consent. */
  readonly consent?: ConsentHandler | undefined;
  /** Called when the call is sent, by toolboxes that know the connection to its server. */
  readonly onSent?: ((connection: ServerConnection) => void) | undefined;
}

/** A connection to an MCP server. */
export interface ServerConnection {
  /** False after it was lost or closed. */
  readonly isOpen: boolean;
}

/** A tool call that waits for consent. */
export interface ConsentRequest {
  readonly server: string;
  readonly tool: ToolboxTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborts when the call no longer waits for the decision. */
  readonly signal?: AbortSignal | undefined;
}

/** Decides about a tool call. To refuse it, resolve with false or reject with a `HubError` of a `consent-…` kind. */
export type ConsentHandler = (request: ConsentRequest) => Promise<boolean> | boolean;

/** A request of an MCP server to its client, made while a call runs. */
export interface ServerRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  /** The server that asks; absent if the toolbox itself asks. */
  readonly server?: string | undefined;
  /** The server's own key for the request, if it has one (MCP 2026). */
  readonly key?: string | undefined;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Answers a server request with the result of its method. */
export type ServerRequestHandler = (request: ServerRequest) => Promise<Record<string, unknown>>;

/** A request to an MCP server. */
export interface MCPRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}
