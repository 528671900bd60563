import { cut, oneLine } from '../text/one-line.js';
import type { JsonSchema, SchemaObject } from './json-schema.js';
import { printType } from './print-type.js';
import { literalType } from './type-node.js';

/** Longer defaults and patterns are left out to save tokens. */
const MAX_NOTE_LENGTH = 60;

/** The comment of one property: its description, then default, format and bounds, which the type cannot express. */
export function commentOf(schema: JsonSchema, maxDescriptionLength: number): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const description =
    typeof schema.description === 'string' ? cut(oneLine(schema.description), maxDescriptionLength) : '';
  const notes = notesOf(schema, description).join(', ');
  const text = [description, notes].filter((part) => part !== '').join('; ');
  return text === '' ? undefined : text.replaceAll('*/', '* /');
}

function notesOf(schema: SchemaObject, description: string): string[] {
  const notes = [
    schema.type === 'integer' ? 'integer' : undefined,
    range(schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum),
    lengths('length', schema.minLength, schema.maxLength),
    lengths('items', schema.minItems, schema.maxItems),
    typeof schema.format === 'string' ? schema.format : undefined,
    typeof schema.pattern === 'string' ? `/${schema.pattern}/` : undefined,
    schema.deprecated === true ? 'deprecated' : undefined,
    defaultNote(schema.default, description),
  ];
  return notes.filter((note) => note !== undefined && note.length <= MAX_NOTE_LENGTH) as string[];
}

/** Zod writes the largest safe integer for an integer without a bound. */
const isBound = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function range(minimum: unknown, maximum: unknown, above: unknown, below: unknown): string | undefined {
  if (isBound(minimum) && isBound(maximum)) return `${minimum}..${maximum}`;
  const bounds = [
    isBound(minimum) && `>= ${minimum}`,
    isBound(above) && `> ${above}`,
    isBound(maximum) && `<= ${maximum}`,
    isBound(below) && `< ${below}`,
  ].filter((bound) => bound !== false);
  return bounds.length > 0 ? bounds.join(' ') : undefined;
}

function lengths(what: string, minimum: unknown, maximum: unknown): string | undefined {
  const least = isBound(minimum) && minimum > 0 ? minimum : undefined;
  if (least === undefined && !isBound(maximum)) return undefined;
  return `${what} ${range(least, maximum, undefined, undefined)}`;
}

/** Left out if the description mentions a default, as in "Defaults to 10". */
function defaultNote(value: unknown, description: string): string | undefined {
  if (value === undefined || value === null || value === '' || /\bdefaults?\b/i.test(description)) return undefined;
  return `default ${printType(literalType(value))}`;
}
