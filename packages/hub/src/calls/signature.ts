import { isRecord, jsonSize } from '@a2c/protocol';
import type { ListedTool } from '../tools/parse-tool.js';
import { dereference } from './json-pointer.js';

/** Types nested deeper are `any`. */
const MAX_DEPTH = 4;

/**
 * Parts of the schema and characters of its texts that one signature is made of. A schema can refer to itself in every
 * branch of a choice, and each reference would be followed.
 */
const MAX_SIZE = 10_000;

/** What the signature may still use. */
interface Budget {
  left: number;
}

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
  const budget = { left: MAX_SIZE };
  const named = Object.entries(isRecord(properties) ? properties : {});
  const parameters: string[] = [];
  for (const [name, schema] of named.sort(([a], [b]) => Number(needed.has(b)) - Number(needed.has(a)))) {
    if (!spend(budget, name.length)) {
      parameters.push('...');
      break;
    }
    parameters.push(`${name}${needed.has(name) ? '' : '?'}: ${write(schema, tool.inputSchema, budget, 0)}`);
  }
  return `${tool.name}(${parameters.join(', ')})`;
}

/** A short notation of the type; `any` if it is too complex. */
export function typeOf(schema: unknown, root: unknown): string {
  return write(schema, root, { left: MAX_SIZE }, 0);
}

function write(schema: unknown, root: unknown, budget: Budget, depth: number): string {
  if (depth > MAX_DEPTH || !spend(budget, 1)) return 'any';
  const target = dereference(schema, root);
  if (!isRecord(target)) return 'any';
  const type = plainType(target, root, budget, depth);
  return target.nullable === true ? `${type} | null` : type;
}

function plainType(schema: Record<string, unknown>, root: unknown, budget: Budget, depth: number): string {
  const inner = (part: unknown) => write(part, root, budget, depth + 1);
  if (Array.isArray(schema.enum)) return literals(schema.enum, budget);
  if ('const' in schema) return literals([schema.const], budget);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return spend(budget, choices.length) ? union(choices.map(inner)) : 'any';
  if (schema.type === 'array') return `${bracketed(inner(schema.items))}[]`;
  if (Array.isArray(schema.type)) return spend(budget, jsonSize(schema.type, budget.left)) ? union(schema.type) : 'any';
  return typeof schema.type === 'string' && spend(budget, schema.type.length) ? schema.type : 'any';
}

const union = (types: readonly unknown[]): string => [...new Set(types)].join(' | ');

function literals(values: readonly unknown[], budget: Budget): string {
  if (!spend(budget, jsonSize(values, budget.left))) return 'any';
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

/** Returns false if that much is not left; then nothing is. */
function spend(budget: Budget, size: number): boolean {
  budget.left -= size;
  return budget.left >= 0;
}

function bracketed(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}
