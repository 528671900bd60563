/** Limits on what a peer may send. Pass others to a parser: `createRequestParser({ ...WIRE_LIMITS, depth: 20 })`. */
export interface WireLimits {
  /** Longest name of an Agent, Computer, office or tool and longest `req_id`, in UTF-16 units. */
  readonly identifierLength: number;
  /** Deepest nesting of a payload. Socket.IO walks payloads recursively, so a deeper one could overflow the stack. */
  readonly depth: number;
  /** Highest `timeout` of a request, in seconds, which is the unit of that field. A higher value is reduced to this. */
  readonly timeoutSeconds: number;
}

/** The default limits. */
export const WIRE_LIMITS: WireLimits = { identifierLength: 256, depth: 100, timeoutSeconds: 3_600 };

/** The timeout of a tool call that has none, in seconds. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** Deepest nesting of an answer. It is higher than for requests, because answers carry the results of tools. */
export const MAX_ANSWER_DEPTH = 1_000;
