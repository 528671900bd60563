import { createHash } from 'node:crypto';
import { isRecord, visibleText } from '@a2c/protocol';
import { lineDiff } from './line-diff.js';
import { hashOf, normalised, type PinnedTool } from './pinned-tool.js';
import { findingsIn } from './suspicious-text.js';

/** A tool that is new or differs from what a person approved. */
export interface ToolChange {
  readonly server: string;
  readonly tool: string;
  /** Identifies the new text. An approval names it, because the server may change the tool again meanwhile. */
  readonly id: string;
  readonly kind: 'changed' | 'new';
  /** The approved tool; absent if it is new. */
  readonly before?: PinnedTool;
  /** The tool as its server sends it now. */
  readonly after: PinnedTool;
  /** What is different, for people: one line per change, with `-` and `+`. Hidden characters are written as codes. */
  readonly diff: string;
  /** Whether `diff` leaves out a part of a long text. `fullText` has all of it. */
  readonly isCut: boolean;
  /** What is suspicious in the new texts: hidden characters, escape sequences, instructions to the model. */
  readonly findings: readonly string[];
}

const FIELDS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

export function describeChange(
  server: string,
  tool: string,
  before: PinnedTool | undefined,
  after: PinnedTool,
): ToolChange {
  const diff = visibleText(FIELDS.flatMap((field) => fieldDiff(field, before?.[field], after[field])).join('\n'));
  return {
    server,
    tool,
    id: hashOf(after),
    kind: before ? 'changed' : 'new',
    ...(before && { before }),
    after,
    diff,
    isCut: CUT.test(diff),
    findings: findingsIn(after),
  };
}

/** The whole new text of a changed tool, for people, with hidden characters as codes. */
export function fullText({ after }: ToolChange): string {
  const lines = FIELDS.flatMap((field) => {
    const value = after[field];
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return [`${field}:`, ...text.split('\n').map((line) => `  ${line}`)];
  });
  return visibleText(lines.join('\n'));
}

export function isSame(a: PinnedTool | undefined, b: PinnedTool | undefined): boolean {
  if (a === b) return a !== undefined;
  if (a === undefined || b === undefined) return false;
  return JSON.stringify(a) === JSON.stringify(b) || hashOf(a) === hashOf(b);
}

function fieldDiff(field: string, before: unknown, after: unknown): readonly string[] {
  const [old, now] = [linesOf(before, field), linesOf(after, field)];
  const changed = lineDiff(old, now);
  return changed.length === 0 ? [] : [`${field}:`, ...changed.map((line) => `  ${line}`)];
}

/** A server decides how long a change is: a person reads its beginning, and the rest differs visibly if it differs. */
const MAX_LINES = 1_000;
const MAX_LINE = 1_000;
const MAX_KEY = 100;

/** One line per sentence of a text, and per entry of a schema with its path. */
function linesOf(value: unknown, field: string): readonly string[] {
  if (value === undefined) return [];
  const lines = typeof value === 'string' ? sentences(value) : entries(normalised(value, field));
  const shown: string[] = [];
  for (const line of lines) {
    if (shown.length === MAX_LINES) return [...shown, `[more, ${digest(JSON.stringify(value))}]`];
    shown.push(cut(line, MAX_LINE));
  }
  return shown;
}

function sentences(text: string): readonly string[] {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .split(/\n+|(?<=[.!?。]) /)
    .map((line) => line.trim());
}

/** `properties.body.type: "string"` for each value. The members of a list of plain values have the path of the list. */
function* entries(value: unknown, path = ''): Generator<string> {
  if (Array.isArray(value) && value.length > 0) {
    const isPlain = value.every((item) => typeof item !== 'object' || item === null);
    for (const [index, item] of value.entries()) yield* entries(item, isPlain ? path : `${path}[${index}]`);
  } else if (isRecord(value) && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) {
      const name = keyText(key);
      yield* entries(inner, path === '' ? name : cut(`${path}.${name}`, MAX_LINE));
    }
  } else yield path === '' ? JSON.stringify(value) : `${path}: ${JSON.stringify(value)}`;
}

/** A key with other characters is quoted: line breaks and dots in it must not look like further entries. */
function keyText(key: string): string {
  return PLAIN_KEY.test(key) ? cut(key, MAX_KEY) : JSON.stringify(cut(key, MAX_KEY));
}

const PLAIN_KEY = /^[\p{L}\p{N}_$@-]+$/u;

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max)}[${text.length - max} more characters, ${digest(text)}]`;
}

/** What `cut` and `linesOf` write for a part that is left out. */
const CUT = /\[(?:\d+ more characters|more), [0-9a-f]{32}\]/;

/** Texts that differ only in the part that is not shown have different digests. 128 bits cannot be forged. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
