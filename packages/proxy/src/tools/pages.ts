import { estimateTokens } from '../catalogue/estimate-tokens.js';

/** A page is searched for with this many items first, then with up to twice as many. */
const FIRST_TRIED = 8;

/** A page may cost up to an eighth less than would fit. */
const FULL = 7 / 8;

/** The number of items is calculated from what the last ones cost, so many times at most once one was too high. */
const MAX_CALCULATED = 4;

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly text: string;
  /** The index of the first item. */
  readonly from: number;
  /** The index of the first item of the next page, if there is one. */
  readonly next?: number;
}

/**
 * One page of a list whose text is made from several items at once: as many items as cost at most `maxTokens` and at
 * least nearly as much, or else one. A page depends only on the list and its start, so a position means the same on
 * every call while the list stays the same.
 */
export function pageOf<T>(
  items: readonly T[],
  from: number,
  maxTokens: number,
  textOf: (items: readonly T[]) => string,
): ListPage<T> {
  const textOfFirst = (count: number) => textOf(items.slice(from, from + count));
  const all = items.length - from;
  let count = 1;
  let tooMany = all + 1;
  let tried = Math.min(FIRST_TRIED, all);
  for (let calculated = 0; tooMany - count > 1; ) {
    const tokens = estimateTokens(textOfFirst(tried), 2 * maxTokens);
    if (tokens > maxTokens) tooMany = tried;
    else count = tried;
    if (tokens <= maxTokens && tokens >= FULL * maxTokens) break;
    const isBounded = tooMany <= all;
    // Never makes the text of many more items than a page has: a list may have thousands, and each may be long.
    const next = isBounded ? (count + tooMany) >> 1 : 2 * count;
    const likely = Math.floor((tried * (FULL + 1) * maxTokens) / (2 * tokens));
    const isCalculated = isBounded ? calculated++ < MAX_CALCULATED : likely < next;
    tried = Math.min(Math.max(isCalculated ? likely : next, count + 1), tooMany - 1);
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
