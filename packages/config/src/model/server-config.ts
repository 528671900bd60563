import type { JsonObject } from '../json/json-value.js';
import type { ConfigFormat } from './formats.js';
import type { OAuthSettings } from './oauth-settings.js';

/**
 * One MCP server, independent of the file format. Field names are those of the file formats. Texts are as written, with
 * placeholders, so that a configuration can be shown and converted; `resolveServer` expands them.
 */
export interface ServerConfig {
  readonly name: string;
  /** Identifies the server to Agents from protocol 0.3 on; absent means derived from the name. */
  readonly bundle_id?: string;
  readonly transport: Transport;
  /** A disabled server is not started and not listed. */
  readonly disabled: boolean;
  /** Tools that are not offered. */
  readonly forbidden_tools: readonly string[];
  /** Settings by tool name. */
  readonly tool_meta: Readonly<Record<string, ToolMeta>>;
  /** Settings for tools that `tool_meta` does not name, and defaults for those it does. */
  readonly default_tool_meta: ToolMeta | null;
  /** A Vector Remap Language script that transforms every result. */
  readonly vrl: string | null;
  readonly timeouts: Timeouts;
  /** Seconds that a start may take, downloads included; absent means the default of the hub. */
  readonly start_timeout?: number;
  /** Which clients share a connection to the server; absent means the default of the hub. */
  readonly connections?: ConnectionMode;
  /** What happens to tools that changed since they were approved; absent means the choice of the program. */
  readonly pins?: PinChoice;
  readonly origin: Origin;
}

/** `block` keeps the approved tools, `warn` shows the new ones and reports them, `off` does not compare. */
export type PinChoice = 'off' | 'warn' | 'block';
export const PIN_CHOICES: readonly PinChoice[] = ['off', 'warn', 'block'];

/** `shared`: one connection for all clients. `per-client`: a connection for each client. */
export type ConnectionMode = 'shared' | 'per-client';
export const CONNECTION_MODES: readonly ConnectionMode[] = ['shared', 'per-client'];

/** How to connect to an MCP server. */
export type Transport = StdioTransport | UnixTransport | StreamableHttpTransport | SseTransport;
/** The kind of a transport. */
export type TransportType = Transport['type'];

/** A program that speaks MCP on standard input and output. */
export interface StdioTransport {
  readonly type: 'stdio';
  /** The program and its arguments. No shell interprets them. */
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** A file of `KEY=value` lines. Values of `env` take precedence. */
  readonly env_file: string | null;
  /** Whether the program inherits the whole environment; when false it gets the variables of `BASELINE_ENV`. */
  readonly inherit_env: boolean;
  readonly cwd: string | null;
  readonly encoding: string;
  readonly encoding_error_handler: EncodingErrorHandler;
  readonly stdout_log: StdoutLog | null;
  /** What the program may reach; absent means everything that its user may. */
  readonly sandbox?: SandboxSettings;
}

/** What a program in a sandbox may reach besides the programs and libraries of the system. */
export interface SandboxSettings {
  /** Folders and files that it may read. */
  readonly read: readonly string[];
  /** Folders and files that it may read and change. */
  readonly write: readonly string[];
  /** Whether it may use the network. */
  readonly network: boolean;
}

/** What to do with bytes that are invalid in the encoding: fail, skip them, or insert U+FFFD. */
export type EncodingErrorHandler = 'strict' | 'ignore' | 'replace';
export const ENCODING_ERROR_HANDLERS: readonly EncodingErrorHandler[] = ['strict', 'ignore', 'replace'];

/** A rotated file that records the standard output of a server. */
export interface StdoutLog {
  readonly path: string;
  readonly max_bytes_per_part: number;
  /** How many parts are kept; null keeps all. */
  readonly max_parts: number | null;
}

/** A stream socket on this machine. */
export interface UnixTransport {
  readonly type: 'unix';
  readonly unix_path: string;
}

/** The fields that both HTTP transports have. */
export interface HttpTransport {
  readonly http_headers: Readonly<Record<string, string>>;
  /** The environment variable with the token for `Authorization: Bearer`. */
  readonly bearer_token_env_var: string | null;
  /** Header name → environment variable with its value. */
  readonly env_http_headers: Readonly<Record<string, string>>;
  /** How to log in; absent means that discovery decides. */
  readonly oauth?: OAuthSettings;
}

/** MCP's Streamable HTTP. */
export interface StreamableHttpTransport extends HttpTransport {
  readonly type: 'streamable_http';
  /** Where messages are posted and, unless `sse_url` is set, where the event stream is read. */
  readonly url: string;
  /** Where the event stream is read, when it is not `url`. */
  readonly sse_url: string | null;
  /** Whether closing the connection also ends the session on the server. */
  readonly terminate_on_close: boolean;
}

/** The HTTP with SSE transport of MCP 2024-11-05: an event stream that announces the endpoint for messages. */
export interface SseTransport extends HttpTransport {
  readonly type: 'sse';
  readonly url: string;
}

/** Time limits in seconds; null means the default of the client. */
export interface Timeouts {
  /** For one request. */
  readonly timeout: number | null;
  /** For the silence on an event stream. */
  readonly sse_read_timeout: number | null;
}

/** The owner's settings for a tool. Additional keys are allowed and passed on to Agents. */
export interface ToolMeta {
  /** Whether the tool runs without consent. */
  readonly auto_apply?: boolean | null;
  /** Another name for the tool. */
  readonly alias?: string | null;
  readonly tags?: readonly string[] | null;
  /** A hint for user interfaces on how to map the fields of a result. */
  readonly ret_object_mapper?: Readonly<JsonObject> | null;
  readonly [extra: string]: unknown;
}

/** The file that a server was read from. */
export interface Origin {
  /** The absolute path of the file that contains the server, after any indirection. */
  readonly file: string;
  readonly format: ConfigFormat;
}
