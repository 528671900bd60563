import { WIRE_LIMITS } from './limits.js';

/** Whether a value is an object, but not an array and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The fields that are neither null nor undefined; `__proto__` is dropped. Returns the record itself when it is clean.
 */
export function withoutNulls(record: object): Record<string, unknown> {
  // Most records are clean, and this runs for every message.
  for (const key in record) if (isDropped(record, key)) return cleaned(record);
  return record as Record<string, unknown>;
}

function cleaned(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !isDropped(record, key)));
}

function isDropped(record: object, key: string): boolean {
  return key === '__proto__' || (record as Record<string, unknown>)[key] == null;
}

/** Whether a JSON value nests deeper than `limit`. Iterative, and linear in the size of the value. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  return sizeProblem(value, limit) !== undefined;
}

/**
 * Why a JSON value is refused: it nests deeper than `depth` levels, or it has more than `values` values. Iterative, and
 * linear in the size of the value.
 */
export function sizeProblem(value: unknown, depth: number, values = Number.POSITIVE_INFINITY): string | undefined {
  let level: unknown[] = [value];
  let count = 1;
  for (let reached = 0; level.length > 0; reached++) {
    if (reached > depth) return `nests deeper than ${depth} levels`;
    const next: unknown[] = [];
    for (const node of level) {
      // The bytes of binary data are no values.
      if (typeof node !== 'object' || node === null || ArrayBuffer.isView(node)) continue;
      if (Array.isArray(node)) {
        count += node.length;
        for (const child of node) if (typeof child === 'object' && child !== null) next.push(child);
      } else {
        // Several times as fast as `Object.values` if there are thousands of keys.
        for (const key in node) {
          count++;
          const child = (node as Record<string, unknown>)[key];
          if (typeof child === 'object' && child !== null) next.push(child);
        }
      }
      if (count > values) return `has more than ${values} values`;
    }
    level = next;
  }
  return undefined;
}

/**
 * The size of a JSON value: its values, and the characters of its keys and strings. Stops counting beyond `most`, so
 * that a large value costs no more than `most` steps.
 */
export function jsonSize(value: unknown, most = Number.POSITIVE_INFINITY): number {
  const pending = [value];
  let size = 0;
  while (pending.length > 0 && size <= most) {
    const part = pending.pop();
    size++;
    if (typeof part === 'string') size += part.length;
    if (typeof part !== 'object' || part === null) continue;
    if (Array.isArray(part)) {
      if (part.length > most) return size + part.length;
      for (const item of part) pending.push(item);
    } else if (isBinary(part)) {
      size += part.byteLength; // Its bytes are no members.
    } else {
      for (const key in part) {
        size += key.length;
        pending.push((part as Record<string, unknown>)[key]);
      }
    }
  }
  return size;
}

function isBinary(value: object): value is ArrayBufferView | ArrayBuffer {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** Whether a value of Socket.IO contains binary data. It must not be deeper than the limits allow. */
export function containsBinary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(containsBinary);
  if (isBinary(value)) return true;
  for (const key in value) if (containsBinary((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** JSON text of an untrusted value; `null` for one so deep that writing it could overflow the stack. */
export function jsonText(value: unknown): string {
  return isDeeperThan(value, WIRE_LIMITS.depth) ? 'null' : (JSON.stringify(value) ?? 'null');
}
