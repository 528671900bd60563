import type { JsonMember, JsonNode, JsonObjectNode } from './parse-json.js';

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };
/** The path of a value in a JSON document: keys and indices from the root. */
export type JsonPath = readonly (string | number)[];

/** The plain value of a node. The last occurrence of a repeated key is used, as in `JSON.parse`. */
export function toValue(node: JsonNode): JsonValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(toValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, toValue(value)]));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON Pointer (RFC 6901). */
export function toPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The offset of the value at `path` in the text: the offset of its key, or of the value itself in an array. A path that
 * does not exist has the offset of its closest existing parent.
 */
export function offsetOf(root: JsonNode, path: JsonPath): number {
  let offset = root.start;
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (node?.kind === 'object') {
      const member = memberIndex(node).get(String(step));
      if (!member) return offset;
      offset = member.keyStart;
      node = member.value;
    } else if (node?.kind === 'array') {
      node = node.items[Number(step)];
      if (!node) return offset;
      offset = node.start;
    } else {
      return offset;
    }
  }
  return offset;
}

const memberIndexes = new WeakMap<JsonObjectNode, ReadonlyMap<string, JsonMember>>();

/** Built once per object, so that a file with thousands of wrong keys takes linear time. */
function memberIndex(node: JsonObjectNode): ReadonlyMap<string, JsonMember> {
  const index = memberIndexes.get(node) ?? new Map(node.members.map((member) => [member.key, member]));
  memberIndexes.set(node, index);
  return index;
}

export interface KeyLocation {
  readonly path: JsonPath;
  readonly offset: number;
}

/** Every key that is repeated in its object, and every `__proto__` key. */
export function suspiciousKeys(
  node: JsonNode,
  path: JsonPath = [],
): { repeated: KeyLocation[]; prototype: KeyLocation[] } {
  const repeated: KeyLocation[] = [];
  const prototype: KeyLocation[] = [];
  const walk = (inner: JsonNode, at: JsonPath) => {
    if (inner.kind === 'array') inner.items.forEach((item, index) => void walk(item, [...at, index]));
    if (inner.kind !== 'object') return;
    const seen = new Set<string>();
    for (const { key, keyStart, value } of inner.members) {
      const location = { path: [...at, key], offset: keyStart };
      if (seen.has(key)) repeated.push(location);
      if (key === '__proto__') prototype.push(location);
      seen.add(key);
      walk(value, location.path);
    }
  };
  walk(node, path);
  return { repeated, prototype };
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
