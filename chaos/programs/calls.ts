import { appendFileSync } from 'node:fs';
import { nowMs } from '../clock.js';
import type { Random } from '../random.js';

/** The options of a program under load. */
export interface LoadOptions {
  readonly url: string;
  readonly office: string;
  readonly name: string;
  readonly log: string;
  readonly computers: readonly string[];
  readonly everyMs: number;
  readonly seed: number;
}

/** The options of this program, from its first argument. */
export function readOptions<T extends LoadOptions>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

/** A call as its caller recorded it: `call` when it starts, `end` when it ends. */
export type CallRecord = CallStart | CallEnd | CallerNote;

export interface CallStart {
  readonly event: 'call';
  readonly t: number;
  readonly pid: number;
  readonly id: string;
  readonly computer: string;
  /** When it must have ended, at the latest. */
  readonly limitMs: number;
}

export interface CallEnd {
  readonly event: 'end';
  readonly t: number;
  readonly pid: number;
  readonly id: string;
  readonly computer: string;
  readonly outcome: 'result' | 'failed result' | 'error' | 'aborted';
  readonly execution: 'ran' | 'not-run' | 'unknown';
  /** The result belongs to this call, or the error has a code. */
  readonly isRight: boolean;
  readonly text: string;
}

/** What a caller saw of its connection. */
export interface CallerNote {
  readonly event: 'note';
  readonly t: number;
  readonly pid: number;
  readonly text: string;
}

/** Appends records to a file at once, so that they survive SIGKILL. */
export class CallLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  start(call: Omit<CallStart, 'event' | 't' | 'pid'>): void {
    this.#write({ event: 'call', t: nowMs(), pid: process.pid, ...call });
  }

  end(call: Omit<CallEnd, 'event' | 't' | 'pid'>): void {
    this.#write({ event: 'end', t: nowMs(), pid: process.pid, ...call });
  }

  note(text: string): void {
    this.#write({ event: 'note', t: nowMs(), pid: process.pid, text });
  }

  #write(record: CallRecord): void {
    appendFileSync(this.#path, `${JSON.stringify(record)}\n`);
  }
}

/** Arguments of one call: most are short, some slow, few longer than their time limit, and some large. */
export function someWork(random: Random): { timeout: number; ms: number; size: number } {
  const timeout = random.integer(2, 5);
  const kind = random.next();
  const ms = kind < 0.7 ? random.integer(0, 60) : kind < 0.96 ? random.integer(200, 1_500) : (timeout + 1) * 1_000;
  return { timeout, ms, size: random.next() < 0.05 ? 200_000 : 10 };
}

/** Where a call ran, and for whom. */
export interface Place {
  readonly id: string;
  readonly agent: string;
  readonly office: string;
  readonly computer: string;
}

/** The start of the text of a result. No JSON: the proxy would convert it. */
export function resultText({ id, agent, office, computer }: Place): string {
  return `call ${id} of ${agent} in ${office} on ${computer}: `;
}

/** Starts calls at a steady rate, whether or not earlier ones have ended, until stopped. Then waits for the pending. */
export class SteadyLoad {
  readonly #pending = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(everyMs: number, maxPending: number, call: () => Promise<void>) {
    this.#timer = setInterval(() => {
      if (this.#pending.size >= maxPending) return;
      const pending = call().finally(() => this.#pending.delete(pending));
      this.#pending.add(pending);
    }, everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
  }
}
