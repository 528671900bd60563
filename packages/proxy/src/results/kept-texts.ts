import { randomUUID } from 'node:crypto';

const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
const MAX_AGE_MS = 15 * 60_000;

interface KeptText {
  readonly text: string;
  readonly until: number;
}

export interface Page {
  readonly text: string;
  /** How many characters follow. */
  readonly left: number;
  /** Leads to what follows, if anything does. */
  readonly next?: string;
}

/**
 * The rest of long texts, kept for a while so that they can be read on. A handle is unguessable, because on HTTP every client with
 * the same rights meets the same store. The oldest go first when there are too many; the newest stays however long it is.
 */
export class KeptTexts {
  readonly #kept = new Map<string, KeptText>();
  readonly #pageLength: number;
  #characters = 0;

  constructor(pageLength: number) {
    this.#pageLength = pageLength;
  }

  /** Keeps a text and returns the cursor to its beginning. */
  keep(text: string): string {
    for (const [id, { text: old, until }] of this.#kept) {
      if (until > Date.now() && this.#characters + text.length <= MAX_KEPT_CHARACTERS) break;
      this.#kept.delete(id);
      this.#characters -= old.length;
    }
    const id = randomUUID();
    this.#kept.set(id, { text, until: Date.now() + MAX_AGE_MS });
    this.#characters += text.length;
    return cursorTo(id, 0);
  }

  /** The page a cursor leads to; undefined when the cursor is not one of ours or its text is no longer kept. */
  read(cursor: string): Page | undefined {
    const [, id = '', offset = ''] = /^result:([\w-]+):(\d+)$/.exec(cursor) ?? [];
    const kept = this.#kept.get(id);
    const from = Number(offset);
    if (!kept || kept.until <= Date.now() || from >= kept.text.length) return undefined;
    const to = wholeCharacters(kept.text, from + this.#pageLength);
    const left = kept.text.length - to;
    return { text: kept.text.slice(from, to), left, ...(left > 0 && { next: cursorTo(id, to) }) };
  }
}

const cursorTo = (id: string, offset: number): string => `result:${id}:${offset}`;

/** Where to cut a text at the latest, not between the two halves of a character. */
export function wholeCharacters(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
