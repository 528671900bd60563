import { ConnectionLost, type Link, NoAnswer } from '@a2c/link';
import {
  Backoff,
  delay,
  executionOf,
  META_KEYS,
  type RelayedEvent,
  type RequestOf,
  type ResultOf,
  SMCPError,
  unanswered,
  withTimeout,
} from '@a2c/protocol';

import { answerReader } from './answers/answer-reader.js';

/** The requests of an Agent that have an answer. */
export type AgentRequest = RelayedEvent | 'server:list_room';

export interface RepeatOptions {
  /** Time limit of the request, including all repetitions. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request is repeated, unchanged, after a lost connection. */
  readonly repeat: boolean;
}

/** The presence of Computers in the office. */
export interface Presence {
  /** How long a Computer that lost its connection during the request may be absent. */
  readonly absenceMs: number;
  /** The epoch of the process that serves a Computer now. */
  readonly epochOf: (computer: string) => string | undefined;
  /** Resolves when the Computer is in the office, or after the time. */
  readonly whenPresent: (computer: string, ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Delays before a repetition while the Computer is still absent or the Server is shutting down. */
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 1_000;

/**
 * Sends one request and returns its answer. Waits for the seat, repeats after a lost connection of the Agent or the
 * Computer and after a 429, and fails at the deadline.
 */
export async function repeatedRequest<E extends AgentRequest>(
  link: Link,
  event: E,
  payload: RequestOf<E>,
  options: RepeatOptions,
  presence: Presence,
): Promise<ResultOf<E>> {
  const { timeoutMs, signal } = options;
  const start = performance.now();
  const startDate = Date.now();
  const deadline = start + timeoutMs;
  const noAnswer = () => new NoAnswer(event, timeoutMs);
  const computer = 'computer' in payload ? payload.computer : undefined;
  let repetition: Repetition | undefined;
  /** The process that the call was first sent to. Another one cannot know whether it has run. */
  let epoch: string | undefined;
  const final = (error: unknown) =>
    event === 'client:tool_call' && repetition?.mayHaveArrived === true ? ofRepeatedCall(error) : error;
  for (;;) {
    signal?.throwIfAborted();
    if (link.state !== 'joined') {
      await withTimeout(link.whenJoined(), {
        ms: Math.max(1, deadline - performance.now()),
        onTimeout: noAnswer,
        signal,
      }).catch((error) => Promise.reject(final(error)));
    }
    try {
      const isRepeated = event === 'client:tool_call' && repetition?.mayHaveArrived === true;
      if (!isRepeated && computer !== undefined) epoch = presence.epochOf(computer);
      const sent = isRepeated ? { ...payload, ...ageOf(start, startDate, epoch) } : payload;
      const answer = await link.request(event, sent, {
        timeoutMs: Math.max(1, deadline - performance.now()),
        signal,
        parse: answerReader(event, epoch !== undefined),
      });
      checkRequestId(event, payload, answer);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) throw noAnswer();
      const hasResults = event !== 'client:tool_call' || epoch !== undefined;
      repetition ??= new Repetition(options, presence, computer);
      const ms = repetition.delayOfRefusal(error) ?? repetition.delayAfter(error, hasResults);
      if (ms === undefined || performance.now() + ms >= deadline) throw final(error);
      if (ms > 0) await delay(ms, signal);
      await repetition.whenComputerReturned(deadline);
    }
  }
}

/**
 * What a repeated call adds, so that a Computer knows whether it can have the call in its memory. While a machine
 * sleeps, `performance.now` may stop, and the date does not.
 */
function ageOf(
  start: number,
  startDate: number,
  epoch: string | undefined,
): { repeated_after_ms: number; computer_epoch?: string } {
  const ms = Math.max(performance.now() - start, Date.now() - startDate);
  return { repeated_after_ms: Math.ceil(ms), ...(epoch && { computer_epoch: epoch }) };
}

/**
 * A refusal of a repeated call, or a lost seat, says nothing about the first time it was sent, unless the Computer
 * knows that. A busy Computer does not keep the call: its first copy may still arrive and run.
 */
function ofRepeatedCall(error: unknown): unknown {
  if (!(error instanceof SMCPError)) return error;
  if (error.details[META_KEYS.execution] !== undefined && error.code !== 429) return error;
  return executionOf(error) === 'not-run' ? unanswered(error) : error;
}

/** Decides whether and when a request is repeated. */
class Repetition {
  readonly #options: RepeatOptions;
  readonly #presence: Presence;
  readonly #computer: string | undefined;
  readonly #backoff = new Backoff(MIN_DELAY_MS, MAX_DELAY_MS);
  /** The request may have reached the Computer, which may hold its result. */
  #mayHaveArrived = false;
  #absentSince: number | undefined;

  constructor(options: RepeatOptions, presence: Presence, computer: string | undefined) {
    this.#options = options;
    this.#presence = presence;
    this.#computer = computer;
  }

  get mayHaveArrived(): boolean {
    return this.#mayHaveArrived;
  }

  /**
   * The delay that a 429 asks for. One that asks for less gets more each time: it would be a loop without a pause. A
   * call that may have run is not sent as a new one.
   */
  delayOfRefusal(error: unknown): number | undefined {
    if (!(error instanceof SMCPError) || error.code !== 429) return undefined;
    if (error.details[META_KEYS.execution] === 'unknown' && !this.#mayHaveArrived) return undefined;
    const seconds = error.details.retry_after;
    if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
    return Math.max(seconds * 1_000, this.#backoff.next());
  }

  /**
   * The delay before the repetition; undefined when the error is final.
   *
   * @param hasResults Whether a Computer that comes back still has the result. Those of other makers do not.
   */
  delayAfter(error: unknown, hasResults: boolean): number | undefined {
    if (!this.#options.repeat || !(error instanceof SMCPError)) return undefined;
    const isOwnLoss = error instanceof ConnectionLost;
    const isComputerLoss = error.kind === 'NotFound' && error.details.reason === 'gone';
    const isAnswerLost = error.kind === 'Unavailable' && error.details[META_KEYS.execution] === 'unknown';
    if ((isComputerLoss || isAnswerLost) && !hasResults) return undefined;
    const isAbsent = isComputerLoss || (error.kind === 'NotFound' && error.details.computer === this.#computer);
    // A Server that shuts down answers 503 also to calls that it has relayed.
    if (isOwnLoss || isComputerLoss || error.kind === 'Unavailable') this.#mayHaveArrived = true;
    if (!isAbsent) this.#absentSince = undefined;
    if (isOwnLoss) return 0;
    if (error.kind === 'Unavailable') return this.#backoff.next();
    if (!isAbsent || !this.#mayHaveArrived || this.#computer === undefined) return undefined;
    this.#absentSince ??= performance.now();
    return this.#absenceLeftMs > 0 ? this.#backoff.next() : undefined;
  }

  /** Waits for an absent Computer instead of polling: Servers limit the rate of failing requests. */
  async whenComputerReturned(deadline: number): Promise<void> {
    if (this.#absentSince === undefined || this.#computer === undefined) return;
    const ms = Math.max(0, Math.min(this.#absenceLeftMs, deadline - performance.now()));
    await this.#presence.whenPresent(this.#computer, ms, this.#options.signal);
  }

  get #absenceLeftMs(): number {
    return this.#presence.absenceMs - (performance.now() - (this.#absentSince ?? performance.now()));
  }
}

/** Rejects an answer that belongs to another request. */
function checkRequestId(event: AgentRequest, { req_id }: { readonly req_id: string }, answer: unknown): void {
  if (event === 'client:tool_call' || event === 'client:get_config') return; // these answers carry no id
  const { req_id: answered } = answer as { req_id: string };
  if (answered === req_id) return;
  throw new SMCPError('BadRequest', `${event}: the answer has another req_id`, {
    details: { asked: req_id, answered },
  });
}
