import { isRecord } from '@a2c/protocol';

/** What a `$ref` of this document stands for, such as `#/$defs/Point`; undefined when it leads nowhere or elsewhere. */
export function resolveReference(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  return valueAt(root, readPointer(reference), root);
}

/** Follows a path. Given the document, a step over `$ref` goes to what the reference stands for. */
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
    return part; // A name with a bare percent sign.
  }
}

/** A schema, or what it refers to; a chain of references is followed a few steps. */
export function dereference(schema: unknown, root: unknown): unknown {
  let node = schema;
  for (let step = 0; step < 8 && isRecord(node) && '$ref' in node; step++) node = resolveReference(root, node.$ref);
  return node;
}
