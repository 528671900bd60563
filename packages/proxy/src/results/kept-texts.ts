import { randomUUID } from 'node:crypto';

const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
const MAX_AGE_MS = 15 * 60_000;

interface KeptText {
  readonly text: string;
  readonly until: number;
}

export interface Page {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** Leads to what follows, if anything does. */
  readonly next?: string;
}

/**
 * Long texts, kept for a while so that they can be read on. A handle is unguessable, because on HTTP every client with the same
 * rights meets the same store. The oldest go first when there are too many.
 */
export class KeptTexts {
  readonly #kept = new Map<string, KeptText>();
  readonly #pageLength: number;
  #characters = 0;

  constructor(pageLength: number) {
    this.#pageLength = pageLength;
  }

  /** The beginning of a text; all of it when it fits on one page, and then nothing is kept. */
  begin(text: string): Page {
    if (text.length <= this.#pageLength) return { text, from: 0, to: text.length, total: text.length };
    const id = randomUUID();
    this.#kept.set(id, { text, until: Date.now() + MAX_AGE_MS });
    this.#characters += text.length;
    this.#forget();
    return this.#page(id, text, 0);
  }

  /** The page a cursor leads to; undefined when the cursor is not one of ours or its text is no longer kept. */
  read(cursor: string): Page | undefined {
    const [, id = '', offset = ''] = /^result:([\w-]+):(\d+)$/.exec(cursor) ?? [];
    this.#forget();
    const kept = this.#kept.get(id);
    return kept && Number(offset) < kept.text.length ? this.#page(id, kept.text, Number(offset)) : undefined;
  }

  #page(id: string, text: string, from: number): Page {
    const to = endOfPage(text, from + this.#pageLength);
    return {
      text: text.slice(from, to),
      from,
      to,
      total: text.length,
      ...(to < text.length && { next: `result:${id}:${to}` }),
    };
  }

  #forget(): void {
    const now = Date.now();
    for (const [id, { text, until }] of this.#kept) {
      if (until > now && this.#characters <= MAX_KEPT_CHARACTERS) break;
      this.#kept.delete(id);
      this.#characters -= text.length;
    }
  }
}

/** Not between the two halves of a character. */
function endOfPage(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
