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
  if (typeof value === 'string') return value.length > MAX_TEXT ? value : value.replaceAll(/\s+/g, ' ').trim();
  if (Array.isArray(value)) {
    const items = value.map((item) => normalised(item));
    return SETS.has(key) ? inOrder(items) : items;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, normalised(inner, name)]));
}

/** Longer texts are compared with their white space, and longer sets in their order. */
const MAX_TEXT = 50_000;
const MAX_SORTED = 10_000;

/** Each item is encoded once: a server may list very many, and long ones. */
function inOrder(items: readonly unknown[]): readonly unknown[] {
  if (items.length > MAX_SORTED) return items;
  const encoded = items.map((item) => ({ item, text: JSON.stringify(item) }));
  return encoded.toSorted((a, b) => (a.text < b.text ? -1 : 1)).map(({ item }) => item);
}
