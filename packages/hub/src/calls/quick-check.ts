import type { JsonObject } from '@a2c/config';
import { isRecord } from '@a2c/protocol';

/** No rules for values. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['$schema', 'title', 'description', 'default', 'examples', 'type']);
const RULES: ReadonlySet<string> = new Set(['properties', 'required', 'additionalProperties']);
const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/**
 * The check of most arguments: the schema is an object whose properties have types and no other rules. For other
 * schemas it returns undefined. The function returns true if the validator would find no problem either, and takes a
 * tenth of its time; false if the validator has to find out.
 */
export function quickCheck(schema: unknown): ((args: JsonObject) => boolean) | undefined {
  if (!isRecord(schema) || schema.type !== 'object') return undefined;
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const hasOnlyKnown = Object.keys(schema).every((key) => ANNOTATIONS.has(key) || RULES.has(key));
  if (!hasOnlyKnown || !isRecord(properties) || !isNames(required) || typeof additionalProperties !== 'boolean') {
    return undefined;
  }
  const types = new Map<string, unknown>();
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property) || !Object.keys(property).every((key) => ANNOTATIONS.has(key))) return undefined;
    const { type } = property;
    if (type !== undefined && !TYPES.has(type)) return undefined;
    types.set(name, type ?? 'any');
  }
  return (args) => {
    for (const name of required) if (!Object.hasOwn(args, name)) return false;
    for (const name in args) {
      const type = types.get(name);
      if (type === undefined ? !additionalProperties : !hasType(args[name], type)) return false;
    }
    return true;
  };
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type; // JSON has no infinite numbers.
  }
}
