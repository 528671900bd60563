import { isRecord } from '@a2c/protocol';

/** The targets of references by their text: a document may have a long reference in many places. */
const targets = new WeakMap<object, Map<string, unknown>>();

/** Resolves a `$ref` within the document, such as `#/$defs/Point`; undefined if it is dangling or external. */
function resolveReference(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#') || !isRecord(root)) return undefined;
  const known = targets.get(root) ?? new Map<string, unknown>();
  targets.set(root, known);
  if (!known.has(reference)) {
    known.set(reference, undefined); // for a reference whose path leads through itself
    known.set(reference, valueAt(root, readPointer(reference), root));
  }
  return known.get(reference);
}

/** Returns the value at a path. With `root`, a `$ref` on the path is resolved. */
export function valueAt(value: unknown, path: readonly string[], root?: unknown): unknown {
  let node = value;
  for (const key of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    const next = (node as Record<string, unknown>)[key];
    node = key === '$ref' && root !== undefined ? resolveReference(root, next) : next;
  }
  return node;
}

/** `#/a~1b/c%20d` → `['a/b', 'c d']`. */
export function readPointer(pointer: string): string[] {
  return pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((part) => decode(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A name with a percent sign that is not an escape.
  }
}

/** Returns the schema that a chain of references leads to, up to a few steps. */
export function dereference(schema: unknown, root: unknown): unknown {
  let node = schema;
  for (let step = 0; step < 8 && isRecord(node) && '$ref' in node; step++) node = resolveReference(root, node.$ref);
  return node;
}
