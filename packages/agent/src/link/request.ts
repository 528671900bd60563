import {
  type Dialect,
  parseAnswer,
  type RelayedEvent,
  type RequestOf,
  type ResultOf,
  SmcpError,
  wireName,
} from '@a2c/protocol';
import { pause } from './backoff.js';
import { type Connection, ConnectionLost, NoAnswer } from './connection.js';
import type { Link } from './link.js';

export type Question = RelayedEvent | 'server:list_room';

export interface Patience {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Ask again, in the same words, on the connection that comes after a lost one. */
  readonly repeat: boolean;
}

/**
 * One well-formed question from its sending to its answer. It waits for the seat, outlives lost connections, waits out a Server that
 * asks for a pause (429), and is over when its time is.
 */
export async function request<E extends Question>(
  link: Link,
  dialect: Dialect,
  event: E,
  payload: RequestOf<E>,
  { ms, signal, repeat }: Patience,
): Promise<ResultOf<E>> {
  const name = wireName(event, dialect);
  const deadline = performance.now() + ms;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const connection = link.connection ?? (await seatWithin(link, name, deadline - performance.now(), signal));
      const left = Math.max(1, Math.ceil(deadline - performance.now()));
      const answer = parseAnswer(event, await connection.ask(name, payload, left, signal));
      checkEcho(event, payload, answer);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(name, ms);
      const wait = pauseBefore(error, repeat);
      if (wait === undefined || performance.now() + wait >= deadline) throw error;
      if (wait > 0) await pause(wait, signal);
    }
  }
}

/** How long to wait before asking again, in milliseconds; `undefined` when that would be no use. */
function pauseBefore(error: unknown, repeat: boolean): number | undefined {
  if (error instanceof ConnectionLost) return repeat ? 0 : undefined;
  const seconds = error instanceof SmcpError && error.code === 429 ? error.details.retry_after : undefined;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined;
}

/** An answer to somebody else's question is none to ours. */
function checkEcho(event: Question, asked: { req_id: string }, answer: unknown): void {
  if (event === 'client:tool_call' || event === 'client:get_config') return; // these answers carry none
  const { req_id: echo } = answer as { req_id: string };
  if (echo === asked.req_id) return;
  throw new SmcpError('BadRequest', `${event}: the answer is to another request`, {
    details: { asked: asked.req_id, answered: echo },
  });
}

function seatWithin(link: Link, name: string, ms: number, signal: AbortSignal | undefined): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      settle();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      settle();
      reject(new NoAnswer(name, ms));
    }, ms);
    signal?.addEventListener('abort', onAbort);
    link.seat().then(resolve, reject).finally(settle);
  });
}
