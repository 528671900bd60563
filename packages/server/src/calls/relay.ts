import {
  type AgentScope,
  type ComputerRequest,
  type RelayedEvent,
  type RequestOf,
  ShortLivedMap,
  SMCPError,
  type ToolCallProgressNotification,
  type ToolCallReq,
} from '@a2c/protocol';
import { type Identity, isShared, methodOf } from '../access/identity.js';
import { KeyedBuckets } from '../access/rate-limit.js';
import { ANSWER_GRACE_MS, type ServerLimits } from '../options.js';
import type { Broadcaster } from '../rooms/broadcaster.js';
import type { Connection } from '../rooms/connection.js';
import { type Member, type OfficeRegistry, seatFor } from '../rooms/registry.js';
import type { MemoryBudget } from '../wire/memory-budget.js';
import { dropContent, type RawJson, RawPayload } from '../wire/raw-json.js';
import { BlobFetch, type BlobFetchOptions } from './blob-fetch.js';
import { bridge } from './bridge.js';
import { assertLimitable, assertToolInScope, loadCatalogue, withToolsInScope } from './foreign-scope.js';
import type { BlobSource } from './inline-blobs.js';
import { OnceOnly } from './once-only.js';
import { type Answer, type AnswerArgs, bytesOf, type OutgoingCall, type PendingCalls } from './pending-calls.js';
import type { Catalogue, ToolListCache } from './tool-list-cache.js';
import { withTraceContext } from './trace.js';

export interface RelayOptions {
  readonly registry: OfficeRegistry;
  readonly pendingCalls: PendingCalls;
  readonly broadcaster: Broadcaster;
  readonly toolLists: ToolListCache;
  /** For the blobs that the Server fetches to insert them into results. */
  readonly memory: MemoryBudget;
  readonly limits: ServerLimits;
  /** Whether no other node relays requests. */
  readonly isOnlyNode: boolean;
  /** Called when a request was sent to a Computer. */
  readonly onRelayed?: ((from: Connection, event: RelayedEvent, reqId: string, computer: string) => void) | undefined;
}

/** The keys of the calls in flight: of all in an office, and of one owner there. */
interface CountKeys {
  readonly all: string;
  readonly own: string;
}

interface SendOptions {
  /** See {@link OutgoingCall.sender}. */
  readonly sender?: OutgoingCall['sender'];
  readonly maxMs?: number;
}

/** Requests without arguments of a tool or content of a file. Computers of a2c refuse larger ones as well. */
const QUERY_BYTES = 64 * 2 ** 10;

/** The reason in the details of the error of a call whose Agent is gone. No one receives it. */
export const AGENT_GONE = 'agent_gone';

/** Relays requests of an Agent, and their cancellation, to Computers of its office. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #officeRate: KeyedBuckets;
  readonly #onceOnly: OnceOnly;
  /** Calls in flight of each office, and of each owner in an office. */
  readonly #calls = new ShortLivedMap<string, number>();

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#onceOnly = new OnceOnly(options.isOnlyNode);
    this.#officeRate = new KeyedBuckets(options.limits.officeCallsPerSecond);
  }

  /** @param raw the payload as it was received */
  async forward<E extends RelayedEvent>(
    from: Connection,
    event: E,
    received: RequestOf<E>,
    raw: RawJson | undefined,
  ): Promise<Answer> {
    const { registry, toolLists, limits } = this.#options;
    const member = from.requireMember('agent');
    const { office, name } = member;
    const request = identified(received, name, from.identity);
    const counts = { all: JSON.stringify([office]), own: JSON.stringify([office, ownerOf(member, from)]) };
    this.#checkLimits(from, member, counts);
    for (const key of [counts.all, counts.own]) this.#countCall(key, 1);
    try {
      if (event !== 'client:tool_call' && event !== 'client:put_blob') checkQueryBytes(event, bytesOf(raw));
      const found = registry.findComputer(office, request.computer);
      const target = found instanceof Promise ? await found : found;
      if (!target) throw noComputer(office, request.computer);
      if (event === 'client:tool_call') {
        const { tool_name } = request as ToolCallReq;
        checkCallBytes(raw?.bytes.length ?? 0, limits.callBytes);
        toolLists.assertListed(target, tool_name);
        toolLists.assertInScope(target, from.identity, tool_name);
      }
      // `bridge` and the check of limits also send requests of their own, which were not received.
      const send: BlobSource['send'] = (sent, payload) => {
        // The session may have ended while the limits were checked.
        if (from.member !== member) throw new SMCPError('NotInRoom', 'the Agent has left its office');
        if (payload.req_id !== request.req_id) return this.#send(from, target, sent, payload, undefined);
        const answer = this.#send(from, target, sent, payload, raw, { sender: from.owner });
        release(raw, [received, request, payload]);
        return answer;
      };
      // Computers of a2c enforce the scope themselves.
      const isLimited = isScoped(from.identity) && !target.adapts;
      const catalogue = isLimited ? await this.#limit(event, request, from.identity, target, send) : undefined;
      const startedAt = target.adapts ? 0 : performance.now();
      const fetchBlobs = () => this.#fetchBlobs(from, target, request, startedAt);
      const inlinesBlobs = isLimited && event === 'client:tool_call' && from.identity.servers !== undefined;
      const relay = () =>
        bridge({
          event,
          // This Agent may not fetch blobs itself: a handle does not say whose it is.
          request: inlinesBlobs ? withoutBlobs(request) : request,
          agent: from.generation,
          target,
          // Base64 makes 4 bytes of 3; the rest of the answer needs place too.
          maxBlobBytes: Math.min(limits.messageBytes, from.maxReceivedBytes * 1.4) / 2,
          fetchBlobs,
          send,
        });
      const isRemembered = event === 'client:tool_call' && !target.adapts;
      const attachments = raw?.attachments ?? [];
      const answer = await (isRemembered
        ? this.#onceOnly.run(request as ToolCallReq, attachments, target, relay)
        : relay());
      if (answer.bytes > from.maxReceivedBytes) throw tooLarge(answer.bytes, from.maxReceivedBytes);
      if (!catalogue || event !== 'client:get_tools') return answer;
      return withToolsInScope(answer, from.identity, catalogue, target);
    } finally {
      for (const key of [counts.all, counts.own]) this.#countCall(key, -1);
    }
  }

  /**
   * Enforces the scope of an Agent at a Computer that knows no scopes. Returns what the Computer offers, for requests
   * about tools.
   */
  async #limit(
    event: RelayedEvent,
    request: ComputerRequest,
    scope: AgentScope,
    target: Member,
    send: BlobSource['send'],
  ): Promise<Catalogue | undefined> {
    assertLimitable(event, scope, target);
    if (event !== 'client:tool_call' && event !== 'client:get_tools') return undefined;
    const { toolLists } = this.#options;
    const catalogue = await toolLists.catalogue(target.sid, () => loadCatalogue(request, target, send));
    if (event === 'client:tool_call') assertToolInScope(catalogue, scope, (request as ToolCallReq).tool_name);
    return catalogue;
  }

  #fetchBlobs(owner: Connection, target: Member, request: ComputerRequest, startedAt: number): BlobFetch {
    const timeoutMs = this.#timeoutMs('client:tool_call', request);
    const send: BlobFetchOptions['send'] = (current, payload, maxMs) =>
      this.#send(current, target, 'client:get_blob', payload, undefined, { maxMs });
    const { memory } = this.#options;
    return new BlobFetch({ owner, target, request, timeoutMs, endsAt: startedAt + timeoutMs, memory, send });
  }

  #send<E extends RelayedEvent>(
    from: Connection,
    target: Member,
    event: E,
    request: RequestOf<E>,
    raw: RawJson | undefined,
    { sender, maxMs = Number.POSITIVE_INFINITY }: SendOptions = {},
  ): Promise<Answer> {
    const { toolLists, pendingCalls, onRelayed } = this.#options;
    const timeoutMs = Math.min(maxMs, this.#timeoutMs(event, request));
    const onAnswer = (answer: AnswerArgs) => {
      // A Computer of a2c lists for an Agent with a scope only what it may use.
      const isComplete = !isScoped(from.identity) || !target.adapts;
      if (event === 'client:get_tools') toolLists.store(target.sid, answer, isComplete);
    };
    return withTraceContext(event, request, (payload) => {
      const sent = raw instanceof RawPayload ? raw.with(payload) : undefined;
      const answer = pendingCalls.send(from, target, { event, payload, raw: sent, sender, timeoutMs, onAnswer });
      onRelayed?.(from, event, payload.req_id, target.name);
      return answer;
    });
  }

  /**
   * Cancels the pending calls with this id, and confirms it to the Agent. If there is none here, all Computers of the
   * office are notified, and nothing is confirmed.
   */
  cancel(from: Connection, reqId: string): void {
    const { office, name } = from.requireMember('agent');
    const { broadcaster } = this.#options;
    const calls = from.calls.values().filter((call) => call.reqId === reqId);
    if (calls.length === 0) {
      const others = { office, exceptSid: from.id };
      const isSent = broadcaster.broadcast(others, 'notify:tool_call_cancel', { agent: name, req_id: reqId });
      if (!isSent) throw overLimit('too many cancellations of unknown calls', 1);
    }
    const agentBySid = new Map(calls.map(({ agent, target }) => [target.sid, agent]));
    for (const call of calls) call.cancelled?.();
    for (const [sid, agent] of agentBySid) {
      broadcaster.send(sid, 'notify:tool_call_cancel', { agent, req_id: reqId });
      broadcaster.send(from.id, 'notify:tool_call_cancel', { agent, req_id: reqId });
    }
  }

  /**
   * Sends the progress that a Computer reports to the Agents whose calls it is about, if they are on this node.
   *
   * @param sid the connection of the Computer
   * @returns whether there is such a call here
   */
  progress(sid: string, progress: ToolCallProgressNotification): boolean {
    const { pendingCalls, broadcaster } = this.#options;
    const owners = new Set(pendingCalls.watched(sid, progress.agent, progress.req_id).map(({ owner }) => owner.id));
    for (const owner of owners) broadcaster.send(owner, 'notify:tool_call_progress', progress);
    return owners.size > 0;
  }

  /** Cancels all pending calls of an Agent that is gone. */
  cancelAll(from: Connection): void {
    for (const call of from.calls.values()) {
      const { agent, reqId, target } = call;
      this.#options.broadcaster.send(target.sid, 'notify:tool_call_cancel', { agent, req_id: reqId });
      call.fail(new SMCPError('InternalError', 'the Agent is gone', { details: { reason: AGENT_GONE } }));
    }
  }

  #checkLimits(from: Connection, { office, seat }: Member, { all, own }: CountKeys): void {
    const { callsInFlight, officeCallsInFlight } = this.#options.limits;
    // A call that the connection's own rate refuses takes nothing from the office.
    const wait = from.callRate.take() || this.#officeRate.take(office);
    if (wait > 0) throw overLimit('too many calls per second', wait);
    const free = officeCallsInFlight - (this.#calls.get(all) ?? 0);
    // Where other Agents may come, one owner leaves as many for them as it holds.
    const share = seat === ONE_AGENT ? 0 : (this.#calls.get(own) ?? 0);
    if (from.calls.size >= callsInFlight || free <= share) throw overLimit('too many calls in flight', 1);
  }

  #timeoutMs(event: RelayedEvent, request: ComputerRequest): number {
    const ms =
      event === 'client:tool_call' ? (request as ToolCallReq).timeout * 1_000 : this.#options.limits.queryTimeoutMs;
    return ms + ANSWER_GRACE_MS;
  }

  #countCall(key: string, change: 1 | -1): void {
    const count = (this.#calls.get(key) ?? 0) + change;
    if (count > 0) this.#calls.set(key, count);
    else this.#calls.remove(key);
  }
}

/** The seat of the only Agent of an office. */
const ONE_AGENT = seatFor('agent', '', {});

/** Whose calls they are: those of its identity or, where all members have the same one, of its seat. */
function ownerOf({ seat }: Member, { identity }: Connection): string {
  return isShared(identity) ? seat : `${methodOf(identity)} ${identity.subject}`;
}

/**
 * The request with the name of the authenticated seat as its Agent, and with the scope of the identity: Computers rely
 * on both, and on the office, whatever the Agent wrote.
 */
function identified<R extends ComputerRequest>(request: R, agent: string, identity: Identity): R {
  const { tools, servers } = identity;
  const isClean = !('agent_scope' in request) && !('robot_id' in request) && !('office_id' in request);
  if (request.agent === agent && !isScoped(identity) && isClean) return request;
  const { agent_scope: _scope, office_id: _office, robot_id, ...rest } = request as R & Record<string, unknown>;
  return {
    ...(rest as unknown as R),
    agent,
    ...(robot_id !== undefined && { robot_id: agent }),
    ...(isScoped(identity) && { agent_scope: { ...(tools && { tools }), ...(servers && { servers }) } }),
  };
}

/** Frees the memory of a request that was sent: it may be pending for an hour. */
function release(raw: RawJson | undefined, copies: readonly object[]): void {
  if (raw instanceof RawPayload && raw.isLarge) for (const copy of copies) dropContent(copy);
  raw?.release();
}

function withoutBlobs<R extends ComputerRequest>(request: R): R {
  return { ...request, accept_blobs: false };
}

function isScoped({ tools, servers }: Identity): boolean {
  return tools !== undefined || servers !== undefined;
}

function noComputer(office: string, computer: string): SMCPError {
  return new SMCPError('NotFound', `no Computer "${computer}" in office "${office}"`, { details: { computer } });
}

function checkCallBytes(bytes: number, limit: number): void {
  if (bytes <= limit) return;
  const message = `the call has ${bytes} bytes, and ${limit} are allowed; upload large files instead`;
  throw new SMCPError('BadRequest', message, { details: { bytes, limit } });
}

function checkQueryBytes(event: RelayedEvent, bytes: number): void {
  if (bytes <= QUERY_BYTES) return;
  throw new SMCPError('BadRequest', `${event}: the request has ${bytes} bytes, and ${QUERY_BYTES} are allowed`, {
    details: { bytes, limit: QUERY_BYTES },
  });
}

function tooLarge(bytes: number, limit: number): SMCPError {
  const message = `the answer has ${bytes} bytes, and ${limit} can be sent to this Agent; ask for less`;
  return new SMCPError('ToolExecutionFailed', message, { details: { bytes, limit } });
}

export function overLimit(what: string, seconds: number): SMCPError {
  return new SMCPError('TooManyRequests', `${what}; wait and try again`, {
    details: { retry_after: Math.max(0.001, Math.ceil(seconds * 1_000) / 1_000) },
  });
}
