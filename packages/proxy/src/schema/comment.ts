import { cut, oneLine } from '../text/one-line.js';
import type { JsonSchema, SchemaObject } from './json-schema.js';
import { literalType } from './literal-type.js';
import { printType } from './print-type.js';

/** A default or a pattern longer than this explains less than it costs. */
const LONGEST_NOTE = 60;

/** What the type cannot say, for one property: its description, then default, format and bounds. */
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
  return notes.filter((note) => note !== undefined && note.length <= LONGEST_NOTE) as string[];
}

/** Zod writes the largest safe integer where no bound was meant. */
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

/** Many descriptions already end with "Defaults to 10"; saying it twice costs twice. */
function defaultNote(value: unknown, description: string): string | undefined {
  if (value === undefined || value === null || value === '' || /\bdefaults?\b/i.test(description)) return undefined;
  return `default ${printType(literalType(value))}`;
}
