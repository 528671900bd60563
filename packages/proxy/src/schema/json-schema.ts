import { isRecord } from '@a2c/protocol';

/** A JSON Schema as it comes from an MCP server: any dialect, any quality. */
export type JsonSchema = boolean | SchemaObject;

export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isRecord(value);
}

/** The schemas of a keyword such as `anyOf`; invalid ones are left out. */
export function schemasOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Up to draft-07, keywords beside `$ref` are ignored. From 2019-09 on, and without `$schema`, they apply. */
export function ignoresSiblingsOfRef(root: JsonSchema): boolean {
  return isRecord(root) && typeof root.$schema === 'string' && /draft-0[3-7]\b/.test(root.$schema);
}

/** Resolves references within one document: `#`, `#/any/pointer` or `#anchor`. Other documents are never fetched. */
export class References {
  readonly #root: JsonSchema;
  /** Targets by reference: a schema may have a long reference in many places. */
  readonly #targets = new Map<string, JsonSchema | undefined>();
  #anchors: ReadonlyMap<string, SchemaObject> | undefined;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  resolve(reference: string): JsonSchema | undefined {
    if (!this.#targets.has(reference)) this.#targets.set(reference, this.#find(reference));
    return this.#targets.get(reference);
  }

  #find(reference: string): JsonSchema | undefined {
    const root = this.#root;
    if (!isRecord(root)) return undefined;
    if (reference === '#' || reference === root.$id) return root;
    if (reference.startsWith('#/')) return atPointer(root, reference.slice(2));
    if (!reference.startsWith('#')) return undefined;
    this.#anchors ??= anchorsIn(root);
    return this.#anchors.get(reference.slice(1));
  }
}

function atPointer(root: SchemaObject, pointer: string): JsonSchema | undefined {
  let here: unknown = root;
  for (const part of pointer.split('/')) {
    if (typeof here !== 'object' || here === null) return undefined;
    const key = unescapePointer(part);
    if (!Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return isSchema(here) ? here : undefined;
}

function unescapePointer(part: string): string {
  const decoded = part.includes('%') ? safeDecode(part) : part;
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a literal % in the key
  }
}

/** Definitions by their anchor; the first one counts. */
function anchorsIn(root: SchemaObject): ReadonlyMap<string, SchemaObject> {
  const definitions = [root.$defs, root.definitions].filter(isRecord).flatMap((named) => Object.values(named));
  const found = new Map<string, SchemaObject>();
  for (const definition of definitions.filter(isRecord)) {
    const { $anchor, $id } = definition;
    const ids = [$anchor, typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined];
    for (const anchor of ids) if (typeof anchor === 'string' && !found.has(anchor)) found.set(anchor, definition);
  }
  return found;
}
