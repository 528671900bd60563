import { isRecord, visibleText } from '@a2c/protocol';
import { lineDiff } from './line-diff.js';
import { hashOf, normalised, type PinnedTool } from './pinned-tool.js';
import { findingsIn } from './suspicious-text.js';

/** A tool that is new or differs from what a person approved. */
export interface ToolChange {
  readonly server: string;
  readonly tool: string;
  readonly kind: 'changed' | 'new';
  /** The approved tool; absent if it is new. */
  readonly before?: PinnedTool;
  /** The tool as its server sends it now. */
  readonly after: PinnedTool;
  /** What is different, for people: one line per change, with `-` and `+`. Hidden characters are written as codes. */
  readonly diff: string;
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
  return {
    server,
    tool,
    kind: before ? 'changed' : 'new',
    ...(before && { before }),
    after,
    diff: visibleText(FIELDS.flatMap((field) => fieldDiff(field, before?.[field], after[field])).join('\n')),
    findings: findingsIn(after),
  };
}

export function isSame(a: PinnedTool | undefined, b: PinnedTool | undefined): boolean {
  if (a === b) return a !== undefined;
  return a !== undefined && b !== undefined && hashOf(a) === hashOf(b);
}

function fieldDiff(field: string, before: unknown, after: unknown): readonly string[] {
  const [old, now] = [linesOf(before, field), linesOf(after, field)];
  const changed = lineDiff(old, now);
  return changed.length === 0 ? [] : [`${field}:`, ...changed.map((line) => `  ${line}`)];
}

/** One line per sentence of a text, and per entry of a schema with its path. */
function linesOf(value: unknown, field: string): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string')
    return value
      .replaceAll(/[^\S\n]+/g, ' ')
      .split(/\n+|(?<=[.!?。]) /)
      .map((line) => line.trim());
  return entriesOf(normalised(value, field), '');
}

/** `properties.body.type: "string"` for each value. The members of a list of plain values have the path of the list. */
function entriesOf(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value) && value.length > 0) {
    const isPlain = value.every((item) => typeof item !== 'object' || item === null);
    return value.flatMap((item, index) => entriesOf(item, isPlain ? path : `${path}[${index}]`));
  }
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) => entriesOf(inner, path === '' ? key : `${path}.${key}`));
  }
  return [path === '' ? JSON.stringify(value) : `${path}: ${JSON.stringify(value)}`];
}
