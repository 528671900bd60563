/** The result of a tool, as far as the operations look at it. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly text?: string; readonly data?: string }[];
  readonly meta?: Readonly<Record<string, unknown>> | null | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** What a Computer announces. */
export type Change = 'config' | 'tools' | 'desktop' | 'skills';
/** What an Agent is notified of. */
export type Heard = Change | 'enter' | 'leave';

/** A file of a skill: its text, or the number of its bytes. */
export type SkillContent = string | number;

/** The optional parts of a version. */
export type Feature = 'get_config' | 'resources' | 'skills' | 'put_blob' | 'markers' | 'authorization' | 'raw';

/** An Agent in an office. Errors are a `PeerError` with the code and reason that the Agent reports. */
export interface AgentRole {
  has(feature: Feature): boolean;
  tools(computer: string): Promise<readonly string[]>;
  call(computer: string, tool: string, params: object, timeout?: number): Promise<ToolResult>;
  /** Starts a call and cancels it when `started` resolves. */
  cancelledCall(computer: string, tool: string, params: object, started: Promise<void>): Promise<ToolResult>;
  room(): Promise<readonly { readonly name: string; readonly a2c_version?: string | undefined }[]>;
  desktop(computer: string, options: { size?: number; window?: string }): Promise<readonly string[]>;
  config(computer: string): Promise<{ readonly servers: object; readonly inputs?: unknown }>;
  resources(computer: string, server: string, cursor?: string): Promise<{ uris: string[]; next: string | undefined }>;
  skills(computer: string): Promise<readonly string[]>;
  skill(computer: string, name: string, path?: string): Promise<SkillContent>;
  /** Sends a file of this size. Resolves to its path. */
  put(computer: string, size: number, name: string): Promise<string>;
  /** Sends chunks as they are. Resolves to the code and reason of each answer; undefined where it is accepted. */
  putChunks(computer: string, chunks: readonly object[]): Promise<readonly (string | undefined)[]>;
  /** Runs an action and waits until the Agent is notified of this change. */
  receives(change: Heard, action: () => Promise<void>): Promise<void>;
  reconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** A Computer. */
export interface ComputerRole {
  has(feature: Feature): boolean;
  /** Connects and joins. Rejects when it is refused. */
  join(url: string, office: string): Promise<void>;
  update(change: Change): Promise<void>;
  /** Leaves the office and stays connected. */
  leave(office: string): Promise<void>;
  /** Ends the connection. */
  drop(): Promise<void>;
  stop(): Promise<void>;
}

/** What a Computer consists of. */
export interface ComputerSetup {
  readonly name: string;
  /** The folder for skills and uploads. Without it, the Computer takes no uploads. */
  readonly folder: string | null;
  /** Its stdio MCP servers by name, all with the same command. */
  readonly stdio: readonly string[];
  readonly tools: readonly string[];
  /** Its HTTP MCP servers: name and URL. */
  readonly http: Readonly<Record<string, string>>;
}

/** The programs of one maker. */
export interface Maker {
  /** `a2c`, or the version of the SDK; its client and server for threads have `sync` behind it. */
  readonly version: string;
  agent(url: string, office: string, name: string): Promise<AgentRole>;
  computer(setup: ComputerSetup): Promise<ComputerRole>;
}
