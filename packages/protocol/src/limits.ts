/** Limits on what a peer may send. Pass others to a parser: `createRequestParser({ ...WIRE_LIMITS, depth: 20 })`. */
export interface WireLimits {
  /** Longest name of an Agent, Computer or office and longest `req_id`, in UTF-16 units. */
  readonly identifierLength: number;
  /** Longest name of a tool, which is preceded by the id of its MCP server, and longest name of a skill or server. */
  readonly toolNameLength: number;
  /** Longest handle of a blob, cursor of a page and path in a skill. Published Computers encode paths in handles. */
  readonly handleLength: number;
  /** Deepest nesting of a payload. Socket.IO walks payloads recursively, so a deeper one could overflow the stack. */
  readonly depth: number;
  /** Highest `timeout` of a request, in seconds, which is the unit of that field. A higher value is reduced to this. */
  readonly timeoutSeconds: number;
}

/** The default limits. */
export const WIRE_LIMITS: WireLimits = {
  identifierLength: 256,
  toolNameLength: 1_024,
  handleLength: 4_096,
  depth: 100,
  timeoutSeconds: 3_600,
};

/** Longest text of a progress message, in UTF-16 units. Computers cut longer ones. */
export const MAX_PROGRESS_LENGTH = 1_000;

/** The timeout of a tool call that has none, in seconds. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** How long a repeated call may be on its way. Its `repeated_after_ms` is the age at which it was sent again. */
export const MAX_DELIVERY_MS = 10_000;

/** Deepest nesting of an answer. It is higher than for requests, because answers carry the results of tools. */
export const MAX_ANSWER_DEPTH = 1_000;

/** Tools of a Computer. The rest of a longer list is ignored: a Computer must not block its Agents. */
export const MAX_TOOLS = 10_000;
