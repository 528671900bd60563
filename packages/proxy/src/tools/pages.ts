import { estimateTokens } from '../catalogue/estimate-tokens.js';

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly text: string;
  readonly from: number;
  /** Where the next page begins, if there is one. */
  readonly next?: number;
}

/**
 * One page of a list whose text is made from several items at once. Pages have equal numbers of items, so that a position means
 * the same on every call as long as the list is the same.
 */
export function pageOf<T>(
  items: readonly T[],
  from: number,
  maxTokens: number,
  textOf: (items: readonly T[]) => string,
): ListPage<T> {
  const whole = textOf(items);
  const pages = Math.max(1, Math.ceil(estimateTokens(whole) / maxTokens));
  if (pages === 1 && from === 0) return { items, text: whole, from };
  const size = Math.max(1, Math.ceil(items.length / pages));
  const page = items.slice(from, from + size);
  const next = from + size;
  return { items: page, text: textOf(page), from, ...(next < items.length && { next }) };
}

const CURSOR = /^list:(\d+)$/;

export const listCursor = (position: number): string => `list:${position}`;

/** The position a cursor names; undefined when it is none of ours. */
export function positionOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0;
  const position = CURSOR.exec(cursor)?.[1];
  return position === undefined ? undefined : Number(position);
}
