import { isRecord } from '@a2c/protocol';
import type { ListedTool } from '../tools/parse-tool.js';
import { dereference } from './json-pointer.js';

/**
 * The signature of a tool in one line, for error messages and short descriptions.
 *
 * @example
 * ```ts
 * import { signatureOf } from '@a2c/hub';
 *
 * const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
 * console.log(signatureOf({ name: 'read_file', inputSchema })); // read_file(path: string)
 * ```
 */
export function signatureOf(tool: ListedTool): string {
  const { properties, required } = tool.inputSchema as { properties?: unknown; required?: unknown };
  const needed = new Set(Array.isArray(required) ? required : []);
  const parameters = Object.entries(isRecord(properties) ? properties : {})
    .sort(([a], [b]) => Number(needed.has(b)) - Number(needed.has(a)))
    .map(([name, schema]) => `${name}${needed.has(name) ? '' : '?'}: ${typeOf(schema, tool.inputSchema)}`);
  return `${tool.name}(${parameters.join(', ')})`;
}

/** A short notation of the type; `any` if it is too complex. */
export function typeOf(schema: unknown, root: unknown, depth = 0): string {
  const target = dereference(schema, root);
  if (!isRecord(target) || depth > MAX_DEPTH) return 'any';
  const type = plainType(target, root, depth);
  return target.nullable === true ? `${type} | null` : type;
}

const MAX_DEPTH = 4;

function plainType(schema: Record<string, unknown>, root: unknown, depth: number): string {
  const inner = (part: unknown) => typeOf(part, root, depth + 1);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map(inner))].join(' | ');
  if (schema.type === 'array') return `${bracketed(inner(schema.items))}[]`;
  if (typeof schema.type === 'string') return schema.type;
  return Array.isArray(schema.type) ? schema.type.join(' | ') : 'any';
}

function bracketed(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}
