import { createHash } from 'node:crypto';
import { SMCPError, type ToolCallReq } from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { RawAnswer, RawJson } from '../wire/raw-json.js';
import type { Answer } from './pending-calls.js';

/** Limits on the calls that are remembered. The oldest answers are forgotten first. */
const MAX_CALLS = 10_000;
const MAX_ANSWER_BYTES = 16 * 2 ** 20;

interface RememberedCall {
  /** The digest of the tool and its arguments. */
  readonly content: string;
  /** The connection of the Computer. */
  readonly sid: string;
  readonly outcome: Promise<Answer>;
  /** The size of the answer; `undefined` while the call is pending. */
  bytes: number | undefined;
}

/**
 * Sends each call to a Computer once. A repeated `req_id` of the same Agent gets the first outcome: foreign Computers
 * run a repeated call again. Ours remember their calls themselves, also over their restarts.
 */
export class OnceOnly {
  readonly #calls = new Map<string, RememberedCall>();
  #bytes = 0;

  /** @param attachments the binary parts of the arguments, which have placeholders for them */
  run(
    request: ToolCallReq,
    attachments: readonly Buffer[],
    { office, name, sid }: Member,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const { agent, req_id, tool_name, params } = request;
    const id = JSON.stringify([office, agent, name, req_id]);
    const hash = createHash('sha256').update(tool_name).update(encoded(params));
    for (const attachment of attachments) hash.update(attachment);
    const content = hash.digest('base64');
    const known = this.#calls.get(id);
    if (known) {
      if (known.content !== content) throw otherCall(req_id);
      return known.sid === sid ? known.outcome : known.outcome.catch(() => Promise.reject(mayHaveRun(req_id)));
    }
    const outcome = send().then(detached);
    const call: RememberedCall = { content, sid, outcome, bytes: undefined };
    this.#calls.set(id, call);
    outcome.then(
      ({ bytes }) => this.#settled(call, bytes),
      () => this.#settled(call, 0),
    );
    return outcome;
  }

  #settled(call: RememberedCall, bytes: number): void {
    call.bytes = bytes;
    this.#bytes += bytes;
    for (const [id, oldest] of this.#calls) {
      if (this.#calls.size <= MAX_CALLS && this.#bytes <= MAX_ANSWER_BYTES) break;
      if (oldest.bytes === undefined) continue;
      this.#bytes -= oldest.bytes;
      this.#calls.delete(id);
    }
  }
}

/** A small answer is a view of a large network buffer. Copied, it does not keep that in memory. */
function detached(answer: Answer): Answer {
  const { args } = answer;
  if (!(args instanceof RawAnswer) || args.bytes.buffer.byteLength < 2 * args.bytes.length) return answer;
  return { ...answer, args: new RawAnswer(Buffer.from(args.bytes), args.attachments, args.isEmpty) };
}

/** Large arguments are kept as they were received. */
function encoded(params: unknown): string | Buffer {
  return params instanceof RawJson ? params.bytes : JSON.stringify(params);
}

function otherCall(reqId: string): SMCPError {
  const message = `the req_id "${reqId}" belongs to another call, with another tool or arguments; use a new one`;
  return new SMCPError('BadRequest', message);
}

function mayHaveRun(reqId: string): SMCPError {
  const message = `the call "${reqId}" was sent before the Computer reconnected; it may have run and is not repeated`;
  return new SMCPError('NotFound', message);
}
