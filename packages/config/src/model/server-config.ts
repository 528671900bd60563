import type { JsonObject } from '../json/json-value.js';
import type { ConfigFormat } from './formats.js';

/**
 * One MCP server, whatever file it came from. Field names that the file formats share keep the formats' spelling. Texts
 * are as written: placeholders are filled in by `resolveServer`, never here, so that a model can be shown and converted.
 */
export interface ServerConfig {
  readonly name: string;
  readonly transport: Transport;
  /** Never started, never listed. */
  readonly disabled: boolean;
  readonly forbidden_tools: readonly string[];
  readonly tool_meta: Readonly<Record<string, ToolMeta>>;
  readonly default_tool_meta: ToolMeta | null;
  /** A Vector Remap Language program that every result passes through. */
  readonly vrl: string | null;
  readonly timeouts: Timeouts;
  readonly origin: Origin;
}

export type Transport = StdioTransport | UnixTransport | StreamableHttpTransport | SseTransport;
export type TransportType = Transport['type'];

export interface StdioTransport {
  readonly type: 'stdio';
  /** The program and its arguments; never a shell line. */
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** A file of `KEY=value` lines whose values `env` may override. */
  readonly env_file: string | null;
  /** false: only `BASELINE_ENV` of our own environment reaches the child. */
  readonly inherit_env: boolean;
  readonly cwd: string | null;
  readonly encoding: string;
  readonly encoding_error_handler: EncodingErrorHandler;
  readonly stdout_log: StdoutLog | null;
}

export const ENCODING_ERROR_HANDLERS = ['strict', 'ignore', 'replace'] as const;
export type EncodingErrorHandler = (typeof ENCODING_ERROR_HANDLERS)[number];

export interface StdoutLog {
  readonly path: string;
  readonly max_bytes_per_part: number;
  /** null keeps every part. */
  readonly max_parts: number | null;
}

export interface UnixTransport {
  readonly type: 'unix';
  readonly unix_path: string;
}

interface HttpTransport {
  readonly http_headers: Readonly<Record<string, string>>;
  /** The variable that holds the token of `Authorization: Bearer`. */
  readonly bearer_token_env_var: string | null;
  /** Header name → variable that holds its value. */
  readonly env_http_headers: Readonly<Record<string, string>>;
}

export interface StreamableHttpTransport extends HttpTransport {
  readonly type: 'streamable_http';
  /** Where messages are posted, and where the event stream is read unless `sse_url` says otherwise. */
  readonly url: string;
  readonly sse_url: string | null;
  readonly terminate_on_close: boolean;
}

/** The protocol of 2024-11-05: an event stream that names the address to post to. */
export interface SseTransport extends HttpTransport {
  readonly type: 'sse';
  readonly url: string;
}

/** Seconds; null leaves it to whoever connects. */
export interface Timeouts {
  readonly timeout: number | null;
  readonly sse_read_timeout: number | null;
}

/** What the owner of a Computer says about a tool. Keys we do not define are the owner's and travel along. */
export interface ToolMeta {
  readonly auto_apply?: boolean | null;
  readonly alias?: string | null;
  readonly tags?: readonly string[] | null;
  readonly ret_object_mapper?: Readonly<JsonObject> | null;
  readonly [extra: string]: unknown;
}

export interface Origin {
  /** The absolute path of the file that holds this server, after any indirection. */
  readonly file: string;
  readonly format: ConfigFormat;
}
