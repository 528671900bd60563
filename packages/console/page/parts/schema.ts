import { isDeeperThan, isRecord } from '@a2c/protocol';

/** A JSON Schema, as far as the form reads it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'array' | 'json';

/** References within references are followed this deep; deeper ones are entered as JSON. */
const MAX_REFERENCES = 8;

/** Objects with more properties, and more or longer choices, are entered as JSON. */
const MAX_PROPERTIES = 200;
const MAX_CHOICES = 1_000;
const MAX_CHOICE_LENGTH = 200;

/** What a form starts with, and what a button adds to it. Deeper objects are added by their buttons. */
const MAX_DEPTH = 8;
const MAX_FIELDS = 400;

/** Longer defaults, in characters of JSON, are left to the tool. */
const MAX_DEFAULT_LENGTH = 20_000;

/** How many fields may still be added. */
interface Budget {
  fields: number;
}

/** Follows a reference within the document. `T | null` is `T`, because optional fields can be left out. */
export function resolve(given: Schema, root: Schema, depth = 0): Schema {
  const schema = readable(given);
  if (depth > MAX_REFERENCES) return {};
  if (schema.$ref?.startsWith('#/')) {
    const { $ref, ...rest } = schema;
    return resolve({ ...readable(targetOf($ref, root)), ...rest }, root, depth + 1);
  }
  const choices = (schema.anyOf ?? schema.oneOf)?.filter((choice) => readable(choice).type !== 'null');
  const only = choices?.length === 1 ? choices[0] : undefined;
  if (only) {
    const { anyOf: _, oneOf: __, ...rest } = schema;
    return resolve({ ...readable(only), ...rest }, root, depth + 1);
  }
  return schema;
}

function targetOf(reference: string, root: Schema): unknown {
  try {
    const keys = reference.slice(2).split('/').map(decodeURIComponent);
    return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], root);
  } catch {
    return undefined; // It is not percent-encoded correctly.
  }
}

/** Schemas are written by MCP servers: what has another type than JSON Schema says is left out. */
function readable(schema: unknown): Schema {
  if (!isRecord(schema)) return {};
  return Object.fromEntries(Object.entries(schema).filter(([key, value]) => CHECKS.get(key)?.(value) ?? true));
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';

const CHECKS = new Map<string, (value: unknown) => boolean>([
  ...['$ref', 'description', 'format'].map((key) => [key, isText] as const),
  ...['minItems', 'minimum', 'maximum'].map((key) => [key, isNumber] as const),
  ...['enum', 'examples', 'required', 'anyOf', 'oneOf', 'allOf'].map((key) => [key, Array.isArray] as const),
  ['properties', isRecord],
]);

/** The control for a schema that `resolve` returned. Unions and unusual schemas are entered as JSON. */
export function kindOf(schema: Schema): FieldKind {
  if (schema.enum && schema.enum.length <= MAX_CHOICES && schema.enum.every(isChoice)) return 'choice';
  if (schema.anyOf || schema.oneOf || schema.allOf) return 'json';
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types.length !== 1) return hasFields(schema) ? 'object' : 'json';
  switch (types[0]) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return hasFields(schema) ? 'object' : 'json';
    case 'array':
      return schema.items ? 'array' : 'json';
    default:
      return 'json';
  }
}

function isChoice(value: unknown): boolean {
  return typeof value !== 'object' && String(value).length <= MAX_CHOICE_LENGTH;
}

function hasFields({ properties = {} }: Schema): boolean {
  const { length } = Object.keys(properties);
  return length > 0 && length <= MAX_PROPERTIES;
}

/** Whether a text of several lines is expected. */
export function isMultiLine({ format, default: initial, examples = [] }: Schema): boolean {
  const hasLines = [initial, ...examples].some((text) => typeof text === 'string' && text.includes('\n'));
  return hasLines || /^(textarea|multi-?line|markdown)$/.test(format ?? '');
}

/**
 * The value that a field starts with; undefined leaves it out. A schema may refer to itself, or to others so often that
 * no form can show all of it: objects that are too many or too deep are left out too.
 */
export function initialValue(
  schema: Schema,
  root: Schema,
  isRequired: boolean,
  budget: Budget = { fields: MAX_FIELDS },
  depth = 0,
): unknown {
  const resolved = resolve(schema, root);
  const { default: initial, properties = {}, required = [], items = {} } = resolved;
  if (initial !== undefined && initial !== null && isShort(initial)) {
    const needed = countFields(resolved, root, initial, budget.fields);
    if (needed <= budget.fields) {
      budget.fields -= needed;
      return initial;
    }
  }
  if (!isRequired) return undefined;
  switch (kindOf(resolved)) {
    case 'object': {
      const { length } = Object.keys(properties);
      if (depth >= MAX_DEPTH || length > budget.fields) return undefined;
      budget.fields -= length;
      const entries = Object.entries(properties).map(
        ([name, each]) => [name, initialValue(each, root, required.includes(name), budget, depth + 1)] as const,
      );
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    }
    case 'array':
      // One item is enough to see what is expected.
      return resolved.minItems && depth < MAX_DEPTH ? [initialValue(items, root, true, budget, depth + 1) ?? null] : [];
    case 'boolean':
      return false;
    case 'choice':
      return resolved.enum?.[0];
    case 'text':
      return '';
    default:
      return undefined;
  }
}

function isShort(value: unknown): boolean {
  return !isDeeperThan(value, MAX_DEPTH) && JSON.stringify(value).length <= MAX_DEFAULT_LENGTH;
}

/** How many fields a value is shown in. Counting ends when they are more than the limit. */
function countFields(schema: Schema, root: Schema, value: unknown, limit: number): number {
  const { properties = {}, items = {} } = schema;
  const kind = kindOf(schema);
  let parts: (readonly [Schema, unknown])[] = [];
  if (kind === 'object' && isRecord(value)) {
    parts = Object.entries(properties).map(([name, each]) => [each, value[name]]);
  } else if (kind === 'array' && Array.isArray(value)) {
    parts = value.map((item) => [items, item]);
  }
  let count = parts.length;
  for (const [each, part] of parts) {
    if (count > limit) break;
    count += countFields(resolve(each, root), root, part, limit - count);
  }
  return count;
}

/** The schema of the arguments of a tool: an object, also if conditions are beside its properties. */
export function argumentsSchema(schema: Schema): Schema {
  const { properties = {}, required = [] } = resolve(schema, schema);
  return { type: 'object', properties, required };
}

/** The arguments that the form of a tool starts with. */
export function initialArguments(schema: Schema): Readonly<Record<string, unknown>> {
  return (initialValue(argumentsSchema(schema), schema, true) ?? {}) as Readonly<Record<string, unknown>>;
}
