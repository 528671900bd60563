import { isRecord } from '@a2c/protocol';

/** What holds values, not schemas: nothing in there is to be read as a keyword. */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'example', 'required']);

/**
 * A schema as its author meant it, for a checker that takes every word of the newest dialect literally. Real servers write
 * `exclusiveMinimum: true` (draft 4) and `nullable: true` (OpenAPI), patterns no regular expression engine takes, and
 * `format`, which since 2019 is a remark and not a rule. Refusing a call for those would refuse calls the server takes.
 */
export function lenientSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lenientSchema);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isUncheckable(key, value));
  const checked = Object.fromEntries(
    kept.map(([key, value]) => [key, VALUES.has(key) ? value : lenientMember(key, value)]),
  );
  bound(checked, schema, 'minimum', 'exclusiveMinimum');
  bound(checked, schema, 'maximum', 'exclusiveMaximum');
  return schema.nullable === true ? orNull(checked) : checked;
}

/** Below these, keys are names and only the values are schemas. */
function lenientMember(key: string, value: unknown): unknown {
  const isMap = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'].includes(key);
  if (!isMap || !isRecord(value)) return lenientSchema(value);
  const members = Object.entries(value).filter(([name]) => key !== 'patternProperties' || isPattern(name));
  return Object.fromEntries(members.map(([name, member]) => [name, lenientSchema(member)]));
}

function isUncheckable(key: string, value: unknown): boolean {
  if (key === 'format') return typeof value === 'string';
  return key === 'pattern' && !isPattern(value);
}

function isPattern(text: unknown): boolean {
  try {
    return typeof text === 'string' && Boolean(new RegExp(text, 'u'));
  } catch {
    return false; // Not in this dialect of regular expressions: it cannot be checked here.
  }
}

/** In draft 4 the exclusive bound is a mark on the other one. */
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
  const { nullable: _said, ...rest } = schema;
  return { anyOf: [rest, { type: 'null' }] };
}
