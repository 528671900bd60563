import { setImmediate as nextTick } from 'node:timers/promises';
import type { CallOptions, Progress, Question } from '../toolbox.js';

export type Turn<T> =
  | { readonly kind: 'questions'; readonly questions: Readonly<Record<string, Question>> }
  | { readonly kind: 'done'; readonly result: T };

/** Where work is told to stop, tells how far it is, and asks. */
export type WorkOptions = Required<Pick<CallOptions, 'signal' | 'onProgress' | 'ask'>>;

interface OpenQuestion {
  readonly question: Question;
  readonly answer: (response: Record<string, unknown>) => void;
  readonly takeBack: (reason: unknown) => void;
}

/**
 * Work that goes on while its client comes and goes. A client of 2026-07-28 cannot be called back: it is told the open questions,
 * and returns with the answers in a new request. Between the two, this holds the work.
 */
export class Conversation<T> {
  readonly #abort = new AbortController();
  readonly #open = new Map<string, OpenQuestion>();
  readonly #work: Promise<T>;
  #wake: () => void = () => {};
  #asked = 0;
  /** Where progress goes now; nowhere while no request is open. */
  onProgress: ((progress: Progress) => void) | undefined;

  constructor(work: (options: WorkOptions) => Promise<T>) {
    this.#work = work({
      signal: this.#abort.signal,
      onProgress: (progress) => this.onProgress?.(progress),
      ask: (question) => this.#ask(question),
    });
    // The outcome is told by next(). A question that is still open then was another call's: whoever asked it may ask there.
    const end = () => this.#takeBack(ENDED);
    this.#work.then(end, end);
  }

  /** Waits for the end, or for questions: all that are open, because work may ask several at once. */
  async next(signal: AbortSignal): Promise<Turn<T>> {
    const stop = () => this.cancel(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        const asked = new Promise<undefined>((resolve) => {
          this.#wake = () => resolve(undefined);
          if (this.#open.size > 0) resolve(undefined);
        });
        const ended = await Promise.race([this.#work.then((result) => ({ result })), asked]);
        if (ended) return { kind: 'done', result: ended.result };
        await nextTick();
        const questions = [...this.#open].map(([key, { question }]) => [key, asTold(question)]);
        // A question may have been taken back at once.
        if (questions.length > 0) return { kind: 'questions', questions: Object.fromEntries(questions) };
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.onProgress = undefined;
    }
  }

  /** Answers by key; what is not answered stays open and is asked again. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, { answer }] of this.#open) {
      const response = responses[key];
      if (typeof response !== 'object' || response === null) continue;
      this.#open.delete(key);
      answer(response as Record<string, unknown>);
    }
  }

  /** As the server calls it, unless another one is open under that name. */
  #keyFor({ key }: Question): string {
    if (key !== undefined && !this.#open.has(key)) return key;
    this.#asked += 1;
    return `question-${this.#asked}`;
  }

  cancel(reason?: unknown): void {
    this.#abort.abort(reason);
    this.#takeBack(reason);
  }

  #ask(question: Question): Promise<Record<string, unknown>> {
    const key = this.#keyFor(question);
    const { signal } = question;
    return new Promise((resolve, reject) => {
      if (this.#abort.signal.aborted || signal?.aborted) {
        reject(signal?.reason ?? this.#abort.signal.reason);
        return;
      }
      const withdraw = () => {
        this.#open.delete(key);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#open.set(key, { question, answer: resolve, takeBack: reject });
      this.#wake();
    });
  }

  #takeBack(reason: unknown): void {
    const questions = [...this.#open.values()];
    this.#open.clear();
    for (const { takeBack } of questions) takeBack(reason);
  }
}

const ENDED = new Error('the call ended before its question was answered');

/** What the client is told of it. */
function asTold({ method, params }: Question): Question {
  return { method, ...(params && { params }) };
}
