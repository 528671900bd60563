import type { JsonMember, JsonNode, JsonObjectNode } from './parse-json.js';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };
/** A place in a JSON document: keys and indices from the root. */
export type JsonPath = readonly (string | number)[];

/** The plain value of a node. Of a repeated key the last one counts, as in every JSON reader. */
export function toValue(node: JsonNode): JsonValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(toValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, toValue(value)]));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 6901. */
export function toPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The offset of what stands at `path`: its key when it has one, so that an editor jumps to the name, else its value. A
 * place that does not exist is shown at the nearest thing that does.
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

/** Built once per object: a file with thousands of wrong keys must not cost the square of them. */
function memberIndex(node: JsonObjectNode): ReadonlyMap<string, JsonMember> {
  const index = memberIndexes.get(node) ?? new Map(node.members.map((member) => [member.key, member]));
  memberIndexes.set(node, index);
  return index;
}

export interface KeyPlace {
  readonly path: JsonPath;
  readonly offset: number;
}

/** Every key that stands twice in its object, and every key that would reach an object's prototype. */
export function doubtfulKeys(node: JsonNode, path: JsonPath = []): { repeated: KeyPlace[]; prototype: KeyPlace[] } {
  const repeated: KeyPlace[] = [];
  const prototype: KeyPlace[] = [];
  const walk = (inner: JsonNode, at: JsonPath) => {
    if (inner.kind === 'array') inner.items.forEach((item, index) => void walk(item, [...at, index]));
    if (inner.kind !== 'object') return;
    const seen = new Set<string>();
    for (const { key, keyStart, value } of inner.members) {
      const place = { path: [...at, key], offset: keyStart };
      if (seen.has(key)) repeated.push(place);
      if (key === '__proto__') prototype.push(place);
      seen.add(key);
      walk(value, place.path);
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
