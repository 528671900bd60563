import { createHash } from 'node:crypto';
import { type Execution, MAX_DELIVERY_MS, META_KEYS, SMCPError, type ToolCallReq } from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { RawAnswer, RawJson } from '../wire/raw-json.js';
import { type Answer, ComputerBusy } from './pending-calls.js';

/** How much is remembered. */
export interface OnceOnlyLimits {
  /** Finished calls of one office that are known by their ids. */
  readonly calls: number;
  /** The size of the answers of one office. The oldest are dropped first; their ids stay known. */
  readonly bytes: number;
  /** Finished calls of all offices. The office that was not used for the longest time is forgotten first. */
  readonly totalCalls: number;
  /** The size of the answers of all offices. */
  readonly totalBytes: number;
}

export const ONCE_ONLY_LIMITS: OnceOnlyLimits = {
  calls: 10_000,
  bytes: 16 * 2 ** 20,
  totalCalls: 100_000,
  totalBytes: 64 * 2 ** 20,
};

interface SentCall {
  /** The digest of the tool and its arguments. */
  readonly content: string;
  /** The connection of the Computer. */
  readonly sid: string;
  /** undefined: the Computer has answered, and the answer was dropped. */
  outcome: Promise<Answer> | undefined;
}

interface FinishedCall extends SentCall {
  readonly finishedAt: number;
  bytes: number;
}

/** The finished calls of one office, oldest first. Offices do not displace each other's calls. */
class OfficeMemory {
  readonly calls = new Map<string, FinishedCall>();
  bytes = 0;
  /** Calls that finished until then may be forgotten. */
  forgottenUntil = Number.NEGATIVE_INFINITY;

  add(id: string, call: FinishedCall, limits: OnceOnlyLimits): void {
    this.calls.set(id, call);
    this.bytes += call.bytes;
    for (const [oldest, { bytes, finishedAt }] of this.calls) {
      if (this.calls.size <= limits.calls) break;
      this.bytes -= bytes;
      this.calls.delete(oldest);
      this.forgottenUntil = finishedAt;
    }
    for (const each of this.calls.values()) {
      if (this.bytes <= limits.bytes) break;
      if (each.bytes === 0) continue;
      this.bytes -= each.bytes;
      each.bytes = 0;
      each.outcome = undefined;
    }
  }
}

/**
 * Sends each call to a Computer once. A repeated `req_id` of the same Agent gets the first outcome: foreign Computers
 * run a repeated call again. Ours remember their calls themselves, also over their restarts. A call that is repeated
 * and not known is sent only if it cannot have been sent before.
 */
export class OnceOnly {
  readonly #limits: OnceOnlyLimits;
  readonly #isOnlyNode: boolean;
  readonly #pending = new Map<string, SentCall>();
  /** The office that was used last is the last one. */
  readonly #offices = new Map<string, OfficeMemory>();
  #totalCalls = 0;
  #totalBytes = 0;
  /** Calls of all offices that were sent until then may be forgotten: at first those before the start. */
  #forgottenUntil = performance.now();

  /** @param isOnlyNode false if other nodes send calls, too, which this one does not know */
  constructor(isOnlyNode = true, limits: Partial<OnceOnlyLimits> = {}) {
    this.#isOnlyNode = isOnlyNode;
    this.#limits = { ...ONCE_ONLY_LIMITS, ...limits };
  }

  /** @param attachments the binary parts of the arguments, which have placeholders for them */
  run(
    request: ToolCallReq,
    attachments: readonly Buffer[],
    { office, name, sid, joinedAt }: Pick<Member, 'office' | 'name' | 'sid' | 'joinedAt'>,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const { agent, req_id, tool_name, params, repeated_after_ms } = request;
    const id = JSON.stringify([office, agent, name, req_id]);
    const hash = createHash('sha256').update(tool_name).update(encoded(params));
    for (const attachment of attachments) hash.update(attachment);
    const content = hash.digest('base64');
    const known = this.#pending.get(id) ?? this.#offices.get(office)?.calls.get(id);
    if (known) {
      if (known.content !== content) throw otherCall(req_id);
      if (!known.outcome) throw mayHaveRun(req_id, 'was answered, and the answer had to make room for newer ones');
      return known.sid === sid ? known.outcome : known.outcome.catch(() => Promise.reject(sentToLostComputer(req_id)));
    }
    if (repeated_after_ms !== undefined && this.#mayBeForgotten(office, repeated_after_ms, joinedAt))
      throw mayHaveRun(req_id, 'is repeated, and this node does not know whether it was sent before');
    const outcome = send().then(detached);
    this.#pending.set(id, { content, sid, outcome });
    const finished = (bytes: number) => {
      this.#pending.delete(id);
      this.#remember(office, id, { content, sid, outcome, bytes, finishedAt: performance.now() });
    };
    outcome.then(
      ({ bytes }) => finished(bytes),
      (error: unknown) => {
        // It was not sent, so it may be tried again.
        if (error instanceof ComputerBusy) this.#pending.delete(id);
        else finished(0);
      },
    );
    return outcome;
  }

  /** Before the Computer joined, it may have been sent calls by another Server that this one replaces. */
  #mayBeForgotten(office: string, ageMs: number, joinedAt = Number.NEGATIVE_INFINITY): boolean {
    const { forgottenUntil = Number.NEGATIVE_INFINITY } = this.#offices.get(office) ?? {};
    const firstSentAt = performance.now() - ageMs - MAX_DELIVERY_MS;
    return !this.#isOnlyNode || firstSentAt <= Math.max(this.#forgottenUntil, forgottenUntil, joinedAt);
  }

  #remember(office: string, id: string, call: FinishedCall): void {
    const memory = this.#offices.get(office) ?? new OfficeMemory();
    this.#offices.delete(office);
    this.#offices.set(office, memory);
    this.#count(memory, -1);
    memory.add(id, call, this.#limits);
    this.#count(memory, 1);
    for (const [oldest, unused] of this.#offices) {
      const { totalCalls, totalBytes } = this.#limits;
      if (oldest === office || (this.#totalCalls <= totalCalls && this.#totalBytes <= totalBytes)) break;
      this.#offices.delete(oldest);
      this.#count(unused, -1);
      const last = [...unused.calls.values()].at(-1)?.finishedAt ?? unused.forgottenUntil;
      this.#forgottenUntil = Math.max(this.#forgottenUntil, last);
    }
  }

  #count({ calls, bytes }: OfficeMemory, sign: 1 | -1): void {
    this.#totalCalls += sign * calls.size;
    this.#totalBytes += sign * bytes;
  }
}

/** A small answer, or a part of one, is a view of a large network buffer. Copied, it does not keep that in memory. */
function detached(answer: Answer): Answer {
  const { args } = answer;
  if (!(args instanceof RawAnswer) || ![args.bytes, ...args.attachments].some(isSmallView)) return answer;
  const copy = (part: Buffer) => (isSmallView(part) ? Buffer.from(part) : part);
  return { ...answer, args: new RawAnswer(copy(args.bytes), args.attachments.map(copy), args.isEmpty) };
}

function isSmallView({ buffer, length }: Buffer): boolean {
  return buffer.byteLength >= 2 * length;
}

/** Large arguments are kept as they were received. */
function encoded(params: unknown): string | Buffer {
  return params instanceof RawJson ? params.bytes : JSON.stringify(params);
}

function otherCall(reqId: string): SMCPError {
  const message = `the req_id "${reqId}" belongs to another call, with another tool or arguments; use a new one`;
  return new SMCPError('BadRequest', message);
}

function sentToLostComputer(reqId: string): SMCPError {
  return mayHaveRun(reqId, 'was sent before the Computer reconnected');
}

function mayHaveRun(reqId: string, why: string): SMCPError {
  const details = { [META_KEYS.execution]: 'unknown' satisfies Execution };
  return new SMCPError('NotFound', `the call "${reqId}" ${why}; it may have run and is not repeated`, { details });
}
