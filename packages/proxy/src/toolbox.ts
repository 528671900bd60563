import type { CallToolResult, ContentBlock, Progress } from '@a2c/hub';

export type { CallToolResult, ContentBlock, Progress };

/** What the proxy stands on: named servers with tools, wherever they are. The hub is one toolbox, an office another. */
export interface Toolbox {
  /** The servers now, in no particular order. A new array after every change; nobody sees a half-built one. */
  servers(): readonly ToolboxServer[];

  /** Runs one tool. Fails with a `ToolboxError`; what the tool itself calls an error is a result with `isError`. */
  call(call: ToolCall): Promise<CallToolResult>;

  /** Any other request of MCP to one server, for clients that want resources and prompts too. Fails with a `ToolboxError`. */
  request(server: string, request: MCPRequest, options: CallOptions): Promise<Record<string, unknown>>;

  /** Hears of changes of resources, as `resource-updated`, until the returned function is called. Fails with a `ToolboxError`. */
  follow(server: string, uris: readonly string[], options: CallOptions): Promise<() => void>;

  /** Tells of every change; returns the way to stop listening. */
  subscribe(listener: (event: ToolboxEvent) => void): () => void;
}

/** `starting` servers may already have tools, remembered from their last run. */
export type ServerState = 'starting' | 'ready' | 'failed' | 'stopped';

export interface ToolboxServer {
  readonly name: string;
  readonly state: ServerState;
  /** Why it is not ready, in one sentence that is fit to be shown. */
  readonly cause?: string;
  readonly version?: string;
  readonly instructions?: string;
  readonly tools: readonly ToolboxTool[];
  /** What it offers besides tools, as it declared itself: `resources`, `prompts`, `completions`, `logging`. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** A tool as its server describes it, under the name it is called by here (aliases applied, forbidden ones absent). */
export interface ToolboxTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolHints;
  /** False: its owner wants to be asked before every call. */
  readonly autoApply?: boolean;
  /** Whatever else the server says about it (`icons`, `_meta`), shown where the tool itself is shown. */
  readonly [other: string]: unknown;
}

export interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
  readonly title?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Puts a question of the server to the person behind the client; one that this client cannot be asked is answered at once. */
  readonly ask?: Ask;
  /** The person can be asked for consent, with a form. */
  readonly canConsent?: boolean;
  /** Who is asked: calls with the same one are of one person. */
  readonly client?: object;
}

export interface ToolCall extends CallOptions {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The requests a server may make while it works. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  /** What the server calls it, if it gave it a name. */
  readonly key?: string | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type Ask = (question: Question) => Promise<Record<string, unknown>>;

export interface MCPRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type ToolboxEvent =
  | { readonly kind: 'changed'; readonly what: 'tools' | 'resources' | 'prompts' }
  | { readonly kind: 'resource-updated'; readonly server: string; readonly uri: string }
  | {
      readonly kind: 'log';
      readonly server: string;
      readonly params: Readonly<Record<string, unknown>>;
      /** The one client that has calls under way on that server; what a server logs may hold what its caller sent. */
      readonly client: object | undefined;
    };
