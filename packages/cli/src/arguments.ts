import { isRecord } from '@a2c/protocol';
import { UsageError } from './exit-codes.js';
import { readNamedFile } from './options.js';

/** The arguments of a tool call. */
export type ToolArguments = Record<string, unknown>;

type Schema = Readonly<Record<string, unknown>>;

const FORMS = 'expected a JSON object, @FILE with one (@- for stdin), or KEY=VALUE …';

/**
 * Parses ARGS of a command line: a JSON object, `@file`, or `key=value` pairs. The schema decides the type of a value;
 * without a schema, a value that parses as JSON is JSON and any other is a string.
 *
 * @throws UsageError
 */
export function parseArguments(words: readonly string[], schema: Schema = {}): ToolArguments {
  const [first = '', ...rest] = words;
  if (rest.length === 0 && first === '') return {};
  if (rest.length === 0 && first.startsWith('{')) return parseObject(first, 'the arguments');
  if (rest.length === 0 && first.startsWith('@'))
    return parseObject(readNamedFile(first === '@-' ? 0 : first.slice(1)), first);
  return parsePairs(words, isRecord(schema.properties) ? schema.properties : {});
}

function parseObject(text: string, where: string): ToolArguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message}; ${FORMS}`);
  }
  if (!isRecord(value)) throw new UsageError(`${where}: not a JSON object; ${FORMS}`);
  return value;
}

function parsePairs(words: readonly string[], properties: Schema): ToolArguments {
  const pairs = new Map<string, unknown>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not an argument; ${FORMS}`);
    const key = word.slice(0, at);
    const type = typeOf(properties[key]);
    const value = readValue(key, word.slice(at + 1), type);
    const known = pairs.get(key);
    // Only an array can be given in several pairs.
    if (known !== undefined && type !== 'array') throw new UsageError(`"${key}" is given twice`);
    pairs.set(key, known === undefined ? value : [...(known as unknown[]), ...(value as unknown[])]);
  }
  return Object.fromEntries(pairs);
}

function readValue(key: string, text: string, type: string | undefined): unknown {
  if (type === 'string') return text;
  const value = asJson(text);
  if (type === 'array') return Array.isArray(value) ? value : [value];
  if (type === undefined || kindOf(value) === type) return value;
  throw new UsageError(`"${key}" must be ${type === 'number' ? 'a number' : `of type ${type}`}, not "${text}"`);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // By definition, text that is not JSON is a string.
  }
}

/** The type of a schema, with `integer` as `number`; undefined when the schema allows several. */
function typeOf(schema: unknown): string | undefined {
  const type = isRecord(schema) ? schema.type : undefined;
  if (typeof type !== 'string') return undefined;
  return type === 'integer' ? 'number' : type;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
