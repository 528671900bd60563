import { createHash } from 'node:crypto';
import { isRecord } from '@a2c/protocol';
import type { ListedTool } from '../tools/parse-tool.js';

/** The parts of a tool that a model reads or that decide how it is called. */
const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** A tool as a person approved it. */
export type PinnedTool = Pick<ListedTool, 'name' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'> & {
  readonly title?: unknown;
};

/** Keywords whose values are sets: their order means nothing. */
const SETS = new Set(['required', 'enum', 'type']);

export function pinnedPart(tool: ListedTool): PinnedTool {
  return Object.fromEntries(
    PINNED.filter((field) => tool[field] !== undefined).map((field) => [field, tool[field]]),
  ) as unknown as PinnedTool;
}

/** Equal for tools that differ only in white space, the order of keys, and the order of sets. */
export function hashOf(tool: ListedTool | PinnedTool): string {
  const canonical = JSON.stringify(normalised(pinnedPart(tool as ListedTool)));
  return createHash('sha256').update(canonical).digest('base64url');
}

/** The same value in a fixed order, with single spaces in texts. */
export function normalised(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ').trim();
  if (Array.isArray(value)) {
    const items = value.map((item) => normalised(item));
    return SETS.has(key) ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, normalised(inner, name)]));
}
