import { estimateTokens } from '../catalogue/estimate-tokens.js';

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly text: string;
  readonly from: number;
  /** Where the next page begins, if there is one. */
  readonly next?: number;
}

/**
 * One page of a list whose text is made from several items at once: as many items as cost no more than allowed, one at least. Where
 * a page ends depends on nothing but where it begins, so that a position means the same on every call as long as the list is the same.
 */
export function pageOf<T>(
  items: readonly T[],
  from: number,
  maxTokens: number,
  textOf: (items: readonly T[]) => string,
): ListPage<T> {
  const fits = (count: number) => estimateTokens(textOf(items.slice(from, from + count))) <= maxTokens;
  let count = items.length - from;
  if (!fits(count)) {
    let tooMany = count;
    count = 1;
    while (tooMany - count > 1) {
      const middle = (count + tooMany) >> 1;
      if (fits(middle)) count = middle;
      else tooMany = middle;
    }
  }
  const page = items.slice(from, from + count);
  const next = from + count;
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
