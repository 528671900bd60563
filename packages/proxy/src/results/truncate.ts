import { randomUUID } from 'node:crypto';
import type { ContentBlock } from '@a2c/protocol';
import type { ProxyLimits } from '../limits.js';

export interface TextBlock extends ContentBlock {
  readonly type: 'text';
  readonly text: string;
}

interface TextResource extends ContentBlock {
  readonly type: 'resource';
  readonly resource: { readonly text: string };
}

/** A part of a truncated text. */
interface Page {
  readonly text: string;
  /** The number of characters after this page. */
  readonly left: number;
  /** The cursor of the next page, if there is one. */
  readonly next?: string;
}

interface KeptText {
  readonly text: string;
  readonly expiresAt: number;
}

/**
 * Keeps the rest of truncated results for a while, so that `inspect` can return it page by page. Cursors are
 * unguessable because all HTTP clients share one store. The oldest texts are dropped first; the newest is kept whatever
 * its length.
 */
export class TruncatedTexts {
  readonly #texts = new Map<string, KeptText>();
  readonly #pageLength: number;
  readonly #limits: Pick<ProxyLimits, 'keptCharacters' | 'keptMs'>;
  #characters = 0;

  constructor(pageLength: number, limits: Pick<ProxyLimits, 'keptCharacters' | 'keptMs'>) {
    this.#pageLength = pageLength;
    this.#limits = limits;
  }

  /** Stores a text and returns the cursor of its first page. */
  add(text: string): string {
    const { keptCharacters, keptMs } = this.#limits;
    for (const [id, { text: old, expiresAt }] of this.#texts) {
      if (expiresAt > performance.now() && this.#characters + text.length <= keptCharacters) break;
      this.#texts.delete(id);
      this.#characters -= old.length;
    }
    const id = randomUUID();
    this.#texts.set(id, { text, expiresAt: performance.now() + keptMs });
    this.#characters += text.length;
    return cursorTo(id, 0);
  }

  /** The page a cursor names; undefined if the cursor is unknown or expired. */
  read(cursor: string): Page | undefined {
    const [, id = '', offset = ''] = /^result:([\w-]+):(\d+)$/.exec(cursor) ?? [];
    const kept = this.#texts.get(id);
    const from = Number(offset);
    if (!kept || kept.expiresAt <= performance.now() || from >= kept.text.length) return undefined;
    const to = characterBoundary(kept.text, from + this.#pageLength);
    const left = kept.text.length - to;
    return { text: kept.text.slice(from, to), left, ...(left > 0 && { next: cursorTo(id, to) }) };
  }
}

const cursorTo = (id: string, offset: number): string => `result:${id}:${offset}`;

/** The last index up to `end` that does not split a surrogate pair. */
function characterBoundary(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/**
 * Limits the text of all blocks together to `limit` characters. The rest is kept, and a last block says how to read it.
 */
export function truncate(
  content: readonly ContentBlock[],
  limit: number,
  rests: TruncatedTexts,
): readonly ContentBlock[] {
  let left = limit;
  const rest: string[] = [];
  const shown = content.flatMap((block): readonly ContentBlock[] => {
    const text = textOf(block);
    const end = characterBoundary(text, left);
    left -= end;
    if (end === text.length) return [block];
    left = 0; // later blocks would be read before the rest of this one
    rest.push(text.slice(end));
    if (isTextResource(block)) return [{ ...block, resource: { ...block.resource, text: text.slice(0, end) } }];
    return end === 0 ? [] : [{ ...block, text: text.slice(0, end) }];
  });
  if (rest.length === 0) return content;
  const more = rest.join('\n');
  return [...shown, continuationNote({ left: more.length, next: rests.add(more) })];
}

/** A block that says how many characters are missing and how to read them. */
export function continuationNote({ left, next }: Omit<Page, 'text'>): TextBlock {
  const text = next
    ? `[${left} more characters. Read on: inspect {"server_name": "*", "cursor": "${next}"}]`
    : '[The end.]';
  return { type: 'text', text };
}

export function isText(block: ContentBlock): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string';
}

function isTextResource(block: ContentBlock): block is TextResource {
  return block.type === 'resource' && typeof (block as Partial<TextResource>).resource?.text === 'string';
}

function textOf(block: ContentBlock): string {
  if (isText(block)) return block.text;
  return isTextResource(block) ? block.resource.text : '';
}
