import { isRecord } from '@a2c/protocol';

/** Keywords whose values are data, not schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'example', 'required']);

/**
 * Adapts a schema to a strict validator of the newest draft. Real servers use `exclusiveMinimum: true` (draft 4),
 * `nullable: true` (OpenAPI), invalid patterns, defaults of required properties, and `format`, which is only an
 * annotation since draft 2019-09. Without this, calls would be refused that the server accepts.
 */
export function lenientSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lenientSchema);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isUncheckable(key, value));
  const checked = Object.fromEntries(
    kept.map(([key, value]) => [key, VALUES.has(key) ? value : lenientMember(key, value)]),
  );
  withoutDefaults(checked);
  bound(checked, schema, 'minimum', 'exclusiveMinimum');
  bound(checked, schema, 'maximum', 'exclusiveMaximum');
  return schema.nullable === true ? orNull(checked) : checked;
}

/** In these keywords the keys are names, and the values are schemas or lists of names. */
const MAPS = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);

function lenientMember(key: string, value: unknown): unknown {
  if (!MAPS.has(key) || !isRecord(value)) return lenientSchema(value);
  const members = Object.entries(value).filter(([name]) => key !== 'patternProperties' || isPattern(name));
  return Object.fromEntries(members.map(([name, member]) => [name, lenientSchema(member)]));
}

/** The validator checks formats with patterns that can take for ever, also a format in a list. */
function isUncheckable(key: string, value: unknown): boolean {
  if (key === 'format') return true;
  return key === 'pattern' && !isPattern(value);
}

function isPattern(text: unknown): boolean {
  try {
    return typeof text === 'string' && Boolean(new RegExp(text, 'u'));
  } catch {
    return false; // Not a JavaScript regular expression: cannot be checked here.
  }
}

/** A property with a default may be left out: servers that fill it in list it as required all the same. */
function withoutDefaults(checked: Record<string, unknown>): void {
  const { required, properties } = checked;
  if (!Array.isArray(required) || !isRecord(properties)) return;
  const hasDefault = (name: unknown) => {
    const property = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isRecord(property) && property.default !== undefined;
  };
  checked.required = required.filter((name) => !hasDefault(name));
}

/** In draft 4 `exclusiveMinimum` is a boolean that modifies `minimum`; later it is the bound itself. */
function bound(
  checked: Record<string, unknown>,
  schema: Record<string, unknown>,
  limit: string,
  exclusive: string,
): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  delete checked[exclusive];
  if (schema[exclusive] !== true) return;
  checked[exclusive] = schema[limit];
  delete checked[limit];
}

function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { nullable: _removed, ...rest } = schema;
  return { anyOf: [rest, { type: 'null' }] };
}
