import {
  type Dialect,
  parseAnswer,
  type RelayedEvent,
  type RequestOf,
  type ResultOf,
  SMCPError,
  wireName,
} from '@a2c/protocol';
import { ConnectionLost, NoAnswer } from './connection.js';
import type { Link } from './link.js';
import { pause, within } from './pause.js';

export type Question = RelayedEvent | 'server:list_room';

export interface Patience {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Ask again, in the same words, on the connection that comes after a lost one. */
  readonly repeat: boolean;
  /** How long a Computer that was lost with the question may be away. */
  readonly absenceMs: number;
  /** Resolves when the Computer is there as far as we know, or after the time. */
  readonly presence: (computer: string, ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Between questions to a Computer that seems to be there and is not yet, or to a Server that is about to go. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * One well-formed question from its sending to its answer. It waits for the seat, outlives lost connections, also of the Computer
 * it is for, waits out a Server that asks for a pause (429), and is over when its time is.
 */
export async function request<E extends Question>(
  link: Link,
  dialect: Dialect,
  event: E,
  payload: RequestOf<E>,
  patience: Patience,
): Promise<ResultOf<E>> {
  const { ms, signal } = patience;
  const name = wireName(event, dialect);
  const deadline = performance.now() + ms;
  const firstSent = performance.now();
  const loss = new Losses(patience, 'computer' in payload ? payload.computer : undefined);
  const asSent = () => {
    if (event !== 'client:tool_call' || !loss.mayHaveArrived) return payload;
    return { ...payload, repeated_after_ms: Math.ceil(performance.now() - firstSent) };
  };
  for (;;) {
    signal?.throwIfAborted();
    // Without a seat there is nobody to ask again: why it was not to be had is the answer.
    const connection =
      link.connection ??
      (await within(link.seat(), deadline - performance.now(), signal, () => new NoAnswer(name, ms)));
    try {
      const left = Math.max(1, Math.ceil(deadline - performance.now()));
      const answer = parseAnswer(event, await connection.ask(name, asSent(), left, signal));
      checkEcho(event, payload, answer);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(name, ms);
      const wait = pauseAskedFor(error) ?? loss.pauseAfter(error);
      if (wait === undefined || performance.now() + wait >= deadline) throw error;
      if (wait > 0) await pause(wait, signal);
      await loss.returned(deadline);
    }
  }
}

/** In milliseconds. */
function pauseAskedFor(error: unknown): number | undefined {
  const seconds = error instanceof SMCPError && error.code === 429 ? error.details.retry_after : undefined;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined;
}

/** What was lost on the way of one question: our connection, the Server, or the Computer's connection. */
class Losses {
  readonly #patience: Patience;
  readonly #computer: string | undefined;
  /** The question may have reached the Computer, whose answer may be waiting. */
  #mayHaveArrived = false;
  #missingSince: number | undefined;
  #nextPause = FIRST_PAUSE_MS;

  constructor(patience: Patience, computer: string | undefined) {
    this.#patience = patience;
    this.#computer = computer;
  }

  get mayHaveArrived(): boolean {
    return this.#mayHaveArrived;
  }

  /** How long to wait before asking again; `undefined` when that would be no use. */
  pauseAfter(error: unknown): number | undefined {
    if (!this.#patience.repeat || !(error instanceof SMCPError)) return undefined;
    const isOurs = error instanceof ConnectionLost;
    const isLost = error.kind === 'NotFound' && error.details.reason === 'gone';
    const isMissing = isLost || (error.kind === 'NotFound' && error.details.computer === this.#computer);
    if (isOurs || isLost) this.#mayHaveArrived = true;
    if (!isMissing) this.#missingSince = undefined;
    if (isOurs) return 0;
    if (error.kind === 'Unavailable') return this.#pause();
    if (!isMissing || !this.#mayHaveArrived || this.#computer === undefined) return undefined;
    this.#missingSince ??= performance.now();
    return this.#absenceLeft > 0 ? this.#pause() : undefined;
  }

  /** Whoever asks again in vain counts as a nuisance at the Server: what can be waited for is. */
  async returned(deadline: number): Promise<void> {
    if (this.#missingSince === undefined || this.#computer === undefined) return;
    const ms = Math.max(0, Math.min(this.#absenceLeft, deadline - performance.now()));
    await this.#patience.presence(this.#computer, ms, this.#patience.signal);
  }

  get #absenceLeft(): number {
    return this.#patience.absenceMs - (performance.now() - (this.#missingSince ?? performance.now()));
  }

  #pause(): number {
    const ms = this.#nextPause;
    this.#nextPause = Math.min(2 * ms, LONGEST_PAUSE_MS);
    return ms;
  }
}

/** An answer to somebody else's question is none to ours. */
function checkEcho(event: Question, asked: { req_id: string }, answer: unknown): void {
  if (event === 'client:tool_call' || event === 'client:get_config') return; // these answers carry none
  const { req_id: echo } = answer as { req_id: string };
  if (echo === asked.req_id) return;
  throw new SMCPError('BadRequest', `${event}: the answer is to another request`, {
    details: { asked: asked.req_id, answered: echo },
  });
}
