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

/** Follows a reference within the document. `T | null` is `T`, because optional fields can be left out. */
export function resolve(schema: Schema, root: Schema, depth = 0): Schema {
  if (depth > MAX_REFERENCES) return {};
  if (schema.$ref?.startsWith('#/')) {
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[decodeURIComponent(key)], root);
    const { $ref: _, ...rest } = schema;
    return resolve({ ...(target as Schema | undefined), ...rest }, root, depth + 1);
  }
  const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null');
  const only = choices?.length === 1 ? choices[0] : undefined;
  if (only) {
    const { anyOf: _, oneOf: __, ...rest } = schema;
    return resolve({ ...only, ...rest }, root, depth + 1);
  }
  return schema;
}

/** The control for a schema that `resolve` returned. Unions and unusual schemas are entered as JSON. */
export function kindOf(schema: Schema): FieldKind {
  if (schema.enum?.every((value) => typeof value !== 'object')) return 'choice';
  if (schema.anyOf || schema.oneOf || schema.allOf) return 'json';
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types.length !== 1) return schema.properties ? 'object' : 'json';
  switch (types[0]) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return schema.properties && Object.keys(schema.properties).length > 0 ? 'object' : 'json';
    case 'array':
      return schema.items ? 'array' : 'json';
    default:
      return 'json';
  }
}

/** Whether a text of several lines is expected. */
export function isMultiLine({ format, default: initial, examples = [] }: Schema): boolean {
  const hasLines = [initial, ...examples].some((text) => typeof text === 'string' && text.includes('\n'));
  return hasLines || /^(textarea|multi-?line|markdown)$/.test(format ?? '');
}

/** The value that a field starts with; undefined leaves it out. */
export function initialValue(schema: Schema, root: Schema, isRequired: boolean): unknown {
  const resolved = resolve(schema, root);
  if (resolved.default !== undefined && resolved.default !== null) return resolved.default;
  if (!isRequired) return undefined;
  switch (kindOf(resolved)) {
    case 'object':
      return initialObject(resolved, root);
    case 'array':
      // One item is enough to see what is expected.
      return resolved.minItems ? [initialValue(resolved.items ?? {}, root, true) ?? null] : [];
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

export function initialObject({ properties = {}, required = [] }: Schema, root: Schema): Record<string, unknown> {
  const entries = Object.entries(properties).map(
    ([name, schema]) => [name, initialValue(schema, root, required.includes(name))] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
