import { isRecord, jsonSize } from '@a2c/protocol';
import { cutAtSentence, oneLine } from '../text/one-line.js';
import { isSchema, type JsonSchema, type References, type SchemaObject, schemasOf } from './json-schema.js';
import { printType } from './print-type.js';
import { literalType } from './type-node.js';
import type { WorkBudget } from './work-budget.js';

/** Longer defaults and patterns are left out to save tokens; `inspect` with the detail `schema` shows them. */
const MAX_NOTE_LENGTH = 60;
/** The descriptions of the branches of a choice are cut at this many characters each. */
const MAX_BRANCH_LENGTH = 80;
const MAX_BRANCHES = 8;
/** References and items that are followed for a comment. */
const MAX_DEPTH = 4;

export interface CommentOptions {
  readonly maxDescriptionLength: number;
  readonly references: References;
  /** Many properties may refer to one large schema; each of their comments counts. */
  readonly budget: WorkBudget;
}

/** The comment of one property: its description, then default, format and bounds, which the type cannot express. */
export function commentOf(schema: JsonSchema, options: CommentOptions): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const parts = partsOf(schema, options, 0);
  const description = cutAtSentence(parts.description, options.maxDescriptionLength);
  const fallback = defaultNote(parts.fallback, description);
  const notes = [...parts.notes, ...(fallback === undefined ? [] : [fallback])].filter(
    (note) => note.length <= MAX_NOTE_LENGTH,
  );
  const choices = parts.branches.length === 0 ? '' : `one of: ${parts.branches.join(' | ')}`;
  const text = [description, [...new Set(notes)].join(', '), choices].filter((part) => part !== '').join('; ');
  return text === '' ? undefined : text.replaceAll('*/', '* /');
}

interface CommentParts {
  readonly description: string;
  readonly notes: readonly string[];
  readonly fallback: unknown;
  /** What the branches of a choice are for. */
  readonly branches: readonly string[];
}

const NO_PARTS: CommentParts = { description: '', notes: [], fallback: undefined, branches: [] };

/** What a comment reads of one schema. */
function sizeOf(schema: SchemaObject, maxDescriptionLength: number, { left }: WorkBudget): number {
  const { description, type, anyOf, oneOf, allOf, dependentRequired, dependencies } = schema;
  const text = typeof description === 'string' ? Math.min(description.length, maxDescriptionLength) : 0;
  const lists = [type, anyOf, oneOf, allOf].filter(Array.isArray).reduce((sum, list) => sum + list.length, 0);
  const needs = jsonSize([dependentRequired, dependencies].filter(isRecord), left);
  return text + lists + needs;
}

/** What the schema says, and its parts: the target of a reference, the type of a nullable one, items. */
function partsOf(schema: SchemaObject, options: CommentOptions, depth: number): CommentParts {
  if (!options.budget.spend(sizeOf(schema, options.maxDescriptionLength, options.budget))) return NO_PARTS;
  const inner = depth < MAX_DEPTH ? innerOf(schema, options) : undefined;
  const within = inner && partsOf(inner, options, depth + 1);
  const own = typeof schema.description === 'string' ? schema.description : '';
  const items = depth < MAX_DEPTH && isRecord(schema.items) ? partsOf(schema.items, options, depth + 1) : undefined;
  const ofItems = items ? items.notes.map((note) => `each ${note}`) : [];
  const itemText = items && own === '' && items.description !== '' ? `each: ${items.description}` : '';
  return {
    description: own || within?.description || itemText,
    notes: [...notesOf(schema), ...(within?.notes ?? []), ...ofItems],
    fallback: schema.default ?? within?.fallback,
    branches: inner ? (within?.branches ?? []) : branchesOf(schema, options),
  };
}

/** The one schema behind a reference, an `allOf` of one, or a choice between it and null. */
function innerOf(schema: SchemaObject, { references }: CommentOptions): SchemaObject | undefined {
  const target = typeof schema.$ref === 'string' ? references.resolve(schema.$ref) : undefined;
  if (isRecord(target)) return target;
  const members = [...schemasOf(schema.anyOf), ...schemasOf(schema.oneOf), ...schemasOf(schema.allOf)];
  const [only, ...others] = members.filter((member) => !isRecord(member) || member.type !== 'null');
  return others.length === 0 && isRecord(only) ? only : undefined;
}

function branchesOf(schema: SchemaObject, { references, budget }: CommentOptions): readonly string[] {
  const texts = [...schemasOf(schema.anyOf), ...schemasOf(schema.oneOf)].flatMap((branch) => {
    if (!isRecord(branch) || budget.left === 0) return [];
    const target = typeof branch.$ref === 'string' ? references.resolve(branch.$ref) : undefined;
    const described = isRecord(target) ? { ...target, ...branch } : branch;
    if (!budget.spend(Object.keys(described).length + sizeOf(described, MAX_BRANCH_LENGTH, budget))) return [];
    const text = described.description ?? described.title;
    const notes = notesOf(described).filter((note) => note.length <= MAX_NOTE_LENGTH);
    const parts = [typeof text === 'string' ? cutAtSentence(text, MAX_BRANCH_LENGTH) : '', notes.join(', ')];
    return parts.filter((part) => part !== '').join('; ') || [];
  });
  return texts.slice(0, MAX_BRANCHES);
}

function notesOf(schema: SchemaObject): string[] {
  const types = [schema.type].flat();
  const notes = [
    types.includes('integer') ? 'integer' : undefined,
    range(schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum),
    typeof schema.multipleOf === 'number' ? `multiple of ${schema.multipleOf}` : undefined,
    lengths('length', schema.minLength, schema.maxLength),
    lengths('items', schema.minItems, schema.maxItems),
    lengths('properties', schema.minProperties, schema.maxProperties),
    schema.uniqueItems === true ? 'unique' : undefined,
    typeof schema.format === 'string' ? oneLine(schema.format) : undefined,
    typeof schema.pattern === 'string' ? oneLine(`/${schema.pattern}/`) : undefined,
    schema.deprecated === true ? 'deprecated' : undefined,
    ...needsOf(schema),
  ];
  return notes.filter((note) => note !== undefined) as string[];
}

/** Properties that need others: `dependentRequired`, and `dependencies` up to draft-07. */
export function needsOf(schema: unknown): readonly string[] {
  if (!isSchema(schema) || typeof schema === 'boolean') return [];
  const rules = [schema.dependentRequired, schema.dependencies].filter(isRecord).flatMap(Object.entries);
  return rules.flatMap(([name, needed]) =>
    Array.isArray(needed) ? [oneLine(`${name} needs ${needed.join(', ')}`)] : [],
  );
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
  if (jsonSize(value, MAX_NOTE_LENGTH) > MAX_NOTE_LENGTH) return undefined;
  return `default ${printType(literalType(value))}`;
}
