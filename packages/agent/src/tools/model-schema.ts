import { isRecord } from '@a2c/protocol';

/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** The schema of a tool as the APIs of model providers accept it. */
export interface ModelSchema {
  readonly schema: JsonSchema & { readonly type: 'object' };
  /** Converts the arguments of a model back to those of the tool. Arguments in the form of the tool are not changed. */
  readonly restore: (args: Record<string, unknown>) => Record<string, unknown>;
}

/** At the top of a schema, OpenAI and Anthropic refuse these, and with them the whole request. */
const REFUSED_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref'];
/** Keywords that providers do not know, or that only matter where the schema came from. */
const REMOVED = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$comment',
  '$vocabulary',
]);
const SCHEMAS = new Set(['items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames', 'additionalProperties']);
const SCHEMA_LISTS = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems']);
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** What Anthropic accepts as the name of a property. */
const VALID_KEY = /^[A-Za-z0-9_.-]{1,64}$/;

const converted = new WeakMap<object, ModelSchema>();

/**
 * Converts the schema of a tool for models: an object at the top, valid in JSON Schema 2020-12, with references that
 * can be followed and names of properties that are accepted. The Computer still checks constraints that get lost.
 */
export function modelSchema(original: JsonSchema): ModelSchema {
  const known = converted.get(original);
  if (known) return known;
  const made = convert(original);
  converted.set(original, made);
  return made;
}

function convert(original: JsonSchema): ModelSchema {
  const names = new Set<string>();
  collectKeys(original, names);
  const renamed = renamedKeys(names);
  const isWrapped = REFUSED_AT_TOP.some((keyword) => Object.hasOwn(original, keyword));
  const wrapper = isWrapped ? freeName('arguments', names).name : undefined;
  const cleaned = new Cleaner(original, renamed, wrapper).clean(original);
  const originals = new Map([...renamed].map(([key, name]) => [name, key]));
  return {
    schema: wrapper === undefined ? objectSchema(cleaned) : wrap(cleaned, wrapper),
    restore: (args) => {
      const inner = wrapper !== undefined && Object.keys(args).length === 1 ? args[wrapper] : undefined;
      const unwrapped = isRecord(inner) ? inner : args;
      return originals.size === 0 ? unwrapped : (restoreKeys(unwrapped, originals) as Record<string, unknown>);
    },
  };
}

/** Providers require `type: object` and `properties`. Older Computers omit them. */
export function objectSchema(schema: JsonSchema): JsonSchema & { readonly type: 'object' } {
  return { properties: {}, ...schema, type: 'object' };
}

/** The schema as the only property of an object. Definitions stay at the top, where references expect them. */
function wrap({ $defs, definitions, ...inner }: JsonSchema, wrapper: string): ModelSchema['schema'] {
  return {
    type: 'object',
    properties: { [wrapper]: { type: 'object', ...inner } },
    required: [wrapper],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

/** Makes one schema acceptable, with all schemas in it. */
class Cleaner {
  readonly #root: JsonSchema;
  readonly #renamed: ReadonlyMap<string, string>;
  readonly #wrapper: string | undefined;
  /** Whether each reference leads to a schema: a long chain of references is followed once. */
  readonly #leads = new Map<string, boolean>();

  constructor(root: JsonSchema, renamed: ReadonlyMap<string, string>, wrapper: string | undefined) {
    this.#root = root;
    this.#renamed = renamed;
    this.#wrapper = wrapper;
  }

  clean(schema: unknown): JsonSchema {
    if (!isRecord(schema)) return schema === false ? { not: {} } : {};
    const kept = Object.entries(schema).flatMap(([keyword, value]) => {
      if (REMOVED.has(keyword) || keyword.startsWith('x-')) return [];
      const cleaned = this.#cleanKeyword(keyword, value, schema);
      return cleaned === undefined ? [] : [[keyword, cleaned] as const];
    });
    const result: JsonSchema = Object.fromEntries(kept);
    if (Array.isArray(schema.items)) {
      // A tuple of the older drafts.
      result.prefixItems = schema.items.map((item) => this.clean(item));
      result.items = this.clean(schema.additionalItems);
    }
    // OpenAI refuses an array without `items`.
    if ([result.type].flat().includes('array') && result.items === undefined) result.items = {};
    return result;
  }

  #cleanKeyword(keyword: string, value: unknown, { minimum, maximum }: JsonSchema): unknown {
    if (keyword === 'additionalProperties' && typeof value === 'boolean') return value;
    if (keyword === 'items' && Array.isArray(value)) return undefined;
    if (SCHEMAS.has(keyword)) return this.clean(value);
    if (SCHEMA_LISTS.has(keyword)) return listOf(value)?.map((item) => this.clean(item));
    if (SCHEMA_MAPS.has(keyword)) return this.#cleanMap(keyword, value);
    switch (keyword) {
      case '$ref':
        return typeof value === 'string' && this.#leadsToSchema(value) ? this.#moved(value) : undefined;
      case 'type':
        return typesOf(value);
      case 'required':
        return Array.isArray(value) ? this.#namesOf(value) : undefined;
      case 'enum':
        return listOf(value);
      case 'pattern':
        return isPattern(value) ? value : undefined;
      case 'exclusiveMinimum':
        return typeof value === 'boolean' ? (value ? minimum : undefined) : value;
      case 'exclusiveMaximum':
        return typeof value === 'boolean' ? (value ? maximum : undefined) : value;
      case 'additionalItems':
      case 'dependencies':
        return undefined;
      default:
        return value;
    }
  }

  #cleanMap(keyword: string, value: unknown): unknown {
    if (!isRecord(value)) return undefined;
    const nameOf = (key: string) => (keyword === 'properties' ? this.#nameOf(key) : key);
    return Object.fromEntries(Object.entries(value).map(([key, schema]) => [nameOf(key), this.clean(schema)]));
  }

  #nameOf(key: string): string {
    return this.#renamed.get(key) ?? key;
  }

  #namesOf(keys: readonly unknown[]): string[] {
    const names = keys.filter((key) => typeof key === 'string').map((key) => this.#nameOf(key));
    return [...new Set(names)];
  }

  /** False for a reference to elsewhere, to nothing, or to itself. */
  #leadsToSchema(reference: string): boolean {
    const followed: string[] = [];
    let at: unknown = reference;
    while (typeof at === 'string' && !this.#leads.has(at)) {
      this.#leads.set(at, false); // Until the end of the chain is known: a reference to itself has none.
      followed.push(at);
      const target = resolve(this.#root, at);
      if (!isRecord(target)) return false;
      at = target.$ref;
    }
    const leads = typeof at !== 'string' || this.#leads.get(at) === true;
    if (leads) for (const each of followed) this.#leads.set(each, true);
    return leads;
  }

  /** The reference as it is in the new schema. */
  #moved(reference: string): string {
    const segments = segmentsOf(reference) ?? [];
    const renamed = segments.map((segment, index) =>
      segments[index - 1] === 'properties' ? this.#nameOf(segment) : segment,
    );
    const isDefinition = ['$defs', 'definitions'].includes(String(segments[0]));
    const prefix = this.#wrapper === undefined || isDefinition ? [] : ['properties', this.#wrapper];
    return ['#', ...[...prefix, ...renamed].map(escapeSegment)].join('/');
  }
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

function typesOf(value: unknown): unknown {
  const types = [...new Set([value].flat())].filter((type) => TYPES.has(String(type)));
  if (types.length === 0) return undefined;
  return types.length === 1 ? types[0] : types;
}

function isPattern(value: unknown): boolean {
  try {
    new RegExp(String(value), 'u');
    return typeof value === 'string';
  } catch {
    return false;
  }
}

/** The segments of a JSON pointer in a reference within the schema. */
function segmentsOf(reference: string): readonly string[] | undefined {
  if (reference === '#') return [];
  if (!reference.startsWith('#/')) return undefined;
  try {
    const unescaped = decodeURIComponent(reference.slice(2));
    return unescaped.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined; // It is not a valid URI.
  }
}

function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25');
}

function resolve(root: unknown, reference: string): unknown {
  const segments = segmentsOf(reference);
  if (!segments) return undefined;
  let at = root;
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined;
    at = (at as JsonSchema)[segment];
  }
  return at;
}

/** The names of all properties in a schema. */
function collectKeys(schema: unknown, names: Set<string>): void {
  if (Array.isArray(schema)) for (const item of schema) collectKeys(item, names);
  if (!isRecord(schema)) return;
  if (isRecord(schema.properties)) for (const key of Object.keys(schema.properties)) names.add(key);
  for (const value of Object.values(schema)) collectKeys(value, names);
}

/** A unique valid name for each name that is not valid. */
function renamedKeys(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const taken = new Set(names);
  const renamed = new Map<string, string>();
  /** Thousands of names may become the same one: the search for each continues where the last one ended. */
  const numbers = new Map<string, number>();
  for (const key of names) {
    if (VALID_KEY.test(key)) continue;
    const wished = key.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 56) || '_';
    const { name, number } = freeName(wished, taken, numbers.get(wished));
    numbers.set(wished, number + 1);
    taken.add(name);
    renamed.set(key, name);
  }
  return renamed;
}

function freeName(wished: string, taken: ReadonlySet<string>, from = 1): { name: string; number: number } {
  for (let number = from; ; number++) {
    const name = number === 1 ? wished : `${wished}_${number}`;
    if (!taken.has(name)) return { name, number };
  }
}

function restoreKeys(value: unknown, originals: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => restoreKeys(item, originals));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [originals.get(key) ?? key, restoreKeys(item, originals)]);
  return Object.fromEntries(entries);
}
