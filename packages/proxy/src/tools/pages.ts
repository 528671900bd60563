import { estimateTokens } from '../catalogue/estimate-tokens.js';

/** A page is searched for with this many items first, then with twice as many. */
const FIRST_TRIED = 8;

/** A page of more items may have up to an eighth less than would fit. */
const EXACT_ITEMS = 100;

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly text: string;
  /** The index of the first item. */
  readonly from: number;
  /** The index of the first item of the next page, if there is one. */
  readonly next?: number;
}

/**
 * One page of a list whose text is made from several items at once: as many items as cost no more than `maxTokens`, at
 * least one. A page depends only on the list and its start, so a position means the same on every call while the list
 * stays the same.
 */
export function pageOf<T>(
  items: readonly T[],
  from: number,
  maxTokens: number,
  textOf: (items: readonly T[]) => string,
): ListPage<T> {
  const textOfFirst = (count: number) => textOf(items.slice(from, from + count));
  const fits = (count: number) => estimateTokens(textOfFirst(count), maxTokens) <= maxTokens;
  const all = items.length - from;
  let count = 1;
  let tooMany = all + 1;
  // Never makes the text of many more items than a page has: a list may have thousands, and each may be long.
  for (let tried = FIRST_TRIED; count < all && tooMany > all; tried *= 2) {
    if (fits(Math.min(tried, all))) count = Math.min(tried, all);
    else tooMany = Math.min(tried, all);
  }
  // A page of many items need not be full: each try writes all of its items.
  while (tooMany - count > (count > EXACT_ITEMS ? count >> 3 : 1) && tooMany <= all) {
    const middle = (count + tooMany) >> 1;
    if (fits(middle)) count = middle;
    else tooMany = middle;
  }
  const page = items.slice(from, from + count);
  const next = from + count;
  return { items: page, text: textOf(page), from, ...(next < items.length && { next }) };
}

/** A page between its heading and a note how to read on. */
export interface ListText {
  readonly text: string;
  readonly cursor?: string;
}

/** Adds the heading to a page, and a note if the list continues. */
export function listText(heading: readonly string[], page: ListPage<unknown>, all: number): ListText {
  const cursor = page.next === undefined ? undefined : listCursor(page.next);
  const { from, items } = page;
  const note = cursor
    ? `[${from + 1} to ${from + items.length} of ${all}. Read on with the same arguments and "cursor": "${cursor}"]`
    : '';
  const text = [...heading, page.text, note].filter((line) => line !== '').join('\n');
  return { text, ...(cursor && { cursor }) };
}

/** The answer to a cursor behind the end. */
export const endedList = (length: number): string => `The list ends at ${length}. Begin again without a cursor.`;

const CURSOR = /^list:(\d+)$/;

const listCursor = (position: number): string => `list:${position}`;

/** The position a cursor names; undefined if it is not a list cursor. Without a cursor the list begins at 0. */
export function positionOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0;
  const position = CURSOR.exec(cursor)?.[1];
  return position === undefined ? undefined : Number(position);
}
