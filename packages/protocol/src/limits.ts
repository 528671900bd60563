/** Bounds on what a peer may send. Raise or lower them per parser: `createRequestParser({ ...WIRE_LIMITS, … })`. */
export interface WireLimits {
  /** Longest agent, computer, office, tool or request identifier, in UTF-16 units. */
  readonly identifierLength: number;
  /** Deepest nesting of a payload. Socket.IO walks payloads recursively, so an unbounded one ends in a stack overflow. */
  readonly depth: number;
  /** A longer `timeout` is cut to this many seconds. */
  readonly timeoutSeconds: number;
}

export const WIRE_LIMITS: WireLimits = { identifierLength: 256, depth: 100, timeoutSeconds: 3_600 };

/** Used when a tool call names no timeout. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** Answers may nest deeper than requests: they carry what tools make. Far below what would overflow a stack. */
export const MAX_ANSWER_DEPTH = 1_000;

/** True when a JSON value nests deeper than `limit`. Iterative, and linear in the size of the value. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue;
      for (const child of Array.isArray(node) ? node : Object.values(node)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}

/** A stranger's value as JSON text. One so deep that writing it would overflow the stack is worth no text. */
export function jsonText(value: unknown): string {
  return isDeeperThan(value, WIRE_LIMITS.depth) ? 'null' : (JSON.stringify(value) ?? 'null');
}
