import type { JsonObject } from '@a2c/config';
import type { ArgumentProblem } from '@a2c/protocol';
import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { readPointer, valueAt } from './json-pointer.js';
import { lenientSchema } from './lenient-schema.js';
import { typeOf } from './signature.js';

/** Returns a function that finds what is wrong with arguments. No more than one problem per place and message. */
export function problemFinder(inputSchema: object): (args: JsonObject) => readonly ArgumentProblem[] {
  const schema = lenientSchema(inputSchema) as JsonObject;
  let validator: Validator | undefined;
  return (args) => {
    try {
      validator ??= new Validator(schema as Schema, draftOf(inputSchema), false);
      return problemsOf(validator.validate(args).errors, args, schema);
    } catch {
      return []; // The schema is invalid, such as a dangling reference: leave the check to the server.
    }
  };
}

function problemsOf(errors: readonly OutputUnit[], args: JsonObject, schema: JsonObject): readonly ArgumentProblem[] {
  if (errors.length === 0) return [];
  const forks = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const locations = new Set(forks.map(({ keywordLocation }) => keywordLocation));
  const isWithinFork = ({ keywordLocation }: OutputUnit) => {
    let slash = keywordLocation.lastIndexOf('/');
    while (slash > 0 && !locations.has(keywordLocation.slice(0, slash))) {
      slash = keywordLocation.lastIndexOf('/', slash - 1);
    }
    return slash > 0;
  };
  const problems = new Map<string, ArgumentProblem>();
  const described = new Set<string>();
  // Skip outer errors, which only repeat inner ones, and the branches of a choice: which of them was meant is unknown.
  for (const unit of errors) {
    if (problems.size === MAX_PROBLEMS || described.size === MAX_DESCRIBED) break;
    if (ENCLOSING.has(unit.keyword) || isWithinFork(unit)) continue;
    // A schema can repeat a rule thousands of times, and a description reads the schema.
    const id = `${unit.keywordLocation}\n${unit.instanceLocation}\n${unit.error}`;
    if (described.has(id)) continue;
    described.add(id);
    const problem = describe(unit, args, schema);
    problems.set(`${problem.path}\n${problem.message}`, problem);
  }
  if (problems.size > 0) return [...problems.values()];
  return [describe(errors[0] as OutputUnit, args, schema)];
}

const ENCLOSING = new Set([
  'properties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'patternProperties',
  'false',
  'then',
  'else',
  'if',
]);
const MAX_PROBLEMS = 5;
/** Errors that are described to find these problems: those of different rules can have the same description. */
const MAX_DESCRIBED = 20;
/** Characters of a value in a message, and of a whole message: both come from the schema or the arguments. */
const MAX_VALUE = 60;
const MAX_TEXT = 10_000;

function draftOf(schema: object): SchemaDraft {
  const dialect = (schema as JsonObject).$schema;
  if (typeof dialect !== 'string') return '2020-12';
  if (dialect.includes('draft-04')) return '4';
  if (dialect.includes('draft-06') || dialect.includes('draft-07')) return '7';
  return dialect.includes('2019-09') ? '2019-09' : '2020-12';
}

function describe(unit: OutputUnit, args: JsonObject, schema: JsonObject): ArgumentProblem {
  const { path, message } = problemOf(unit, args, schema);
  return { path: shortened(path, MAX_TEXT), message: shortened(message, MAX_TEXT) };
}

function problemOf(unit: OutputUnit, args: JsonObject, schema: JsonObject): ArgumentProblem {
  const segments = readPointer(unit.instanceLocation);
  const path = pathOf(segments);
  const value = valueAt(args, segments);
  const location = readPointer(unit.keywordLocation);
  const rule = valueAt(schema, location, schema);
  const within = valueAt(schema, location.slice(0, -1), schema);
  switch (unit.keyword) {
    case 'required': {
      const missing = /property "(.*)"/s.exec(unit.error)?.[1] ?? '';
      const expected = valueAt(within, ['properties', missing]);
      return { path: pathOf([...segments, missing]), message: `is required${expectation(expected, schema)}` };
    }
    case 'type':
      return { path, message: `expected ${[rule].flat().join(' or ')}, got ${kindOf(value)}` };
    case 'enum':
      return { path, message: `expected one of ${JSON.stringify(rule)?.slice(1, -1)}, got ${shortly(value)}` };
    case 'const':
      return { path, message: `expected ${shortly(rule)}, got ${shortly(value)}` };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const extra = /property "(.*)" does not match/is.exec(unit.error)?.[1];
      return { path: pathOf(extra === undefined ? segments : [...segments, extra]), message: 'is not a parameter' };
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { path, message: `must be ${BOUNDS[unit.keyword]} ${rule}, got ${shortly(value)}` };
    case 'anyOf':
    case 'oneOf':
      return { path, message: `expected ${typeOf(within, schema)}, got ${kindOf(value)}` };
    default:
      return { path, message: unit.error.replace(/^Instance /, '').replace(/\.$/, '') };
  }
}

const BOUNDS = { minimum: 'at least', maximum: 'at most', exclusiveMinimum: 'above', exclusiveMaximum: 'below' };

function expectation(schema: unknown, root: unknown): string {
  const type = typeOf(schema, root);
  return type === 'any' ? '' : ` (${type})`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function shortly(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing', MAX_VALUE);
}

function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function pathOf(segments: readonly string[]): string {
  return segments.reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
    '',
  );
}
