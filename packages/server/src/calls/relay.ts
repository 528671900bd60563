import { type ComputerRequest, type RelayedEvent, type RequestOf, SMCPError, type ToolCallReq } from '@a2c/protocol';
import { KeyedBuckets } from '../access/rate-limit.js';
import { SERVER_GRACE_SECONDS, type ServerLimits } from '../options.js';
import type { Connection } from '../rooms/connection.js';
import { seatOf } from '../rooms/membership.js';
import type { Notifier } from '../rooms/notifier.js';
import type { OfficeRegistry } from '../rooms/registry.js';
import type { Answer, Forwarder } from './forwarder.js';
import type { ToolLists } from './tool-lists.js';
import { withTraceContext } from './trace.js';

export interface RelayOptions {
  readonly registry: OfficeRegistry;
  readonly forwarder: Forwarder;
  readonly notifier: Notifier;
  readonly toolLists: ToolLists;
  readonly limits: ServerLimits;
}

/** Carries an Agent's requests to Computers of its own office, and its cancels after them. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #officeRate: KeyedBuckets;
  readonly #officeInFlight = new Map<string, number>();

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#officeRate = new KeyedBuckets(options.limits.officeCallsPerSecond);
  }

  async forward<E extends RelayedEvent>(from: Connection, event: E, request: RequestOf<E>): Promise<Answer> {
    const { office } = seatOf(from, 'agent');
    this.#admit(from, office);
    this.#count(office, 1);
    try {
      const found = this.#options.registry.findComputer(office, request.computer);
      const target = found instanceof Promise ? await found : found;
      if (!target) throw noComputer(office, request.computer);
      if (event === 'client:tool_call') {
        this.#options.toolLists.check(target.sid, target.name, (request as ToolCallReq).tool_name);
      }
      const timeoutMs = this.#patience(event, request);
      const { toolLists, forwarder } = this.#options;
      const onAnswer = (args: readonly unknown[]) => {
        if (event === 'client:get_tools') toolLists.learn(target.sid, args);
      };
      return await withTraceContext(event, request, (payload) =>
        forwarder.forward(from, target, { event, payload, timeoutMs, onAnswer }),
      );
    } finally {
      this.#count(office, -1);
    }
  }

  /** Reaches whoever holds a call of this id; when none is ours any more, every Computer of the office. */
  cancel(from: Connection, reqId: string): void {
    const { office, name } = seatOf(from, 'agent');
    const { notifier } = this.#options;
    const calls = [...from.calls].filter((call) => call.reqId === reqId);
    if (calls.length === 0) notifier.tell(office, 'notify:tool_call_cancel', { agent: name, req_id: reqId });
    const told = new Map(calls.map(({ agent, target }) => [target.sid, agent]));
    for (const [sid, agent] of told) {
      notifier.tellOne(sid, 'notify:tool_call_cancel', { agent, req_id: reqId });
      notifier.tellOne(from.id, 'notify:tool_call_cancel', { agent, req_id: reqId });
    }
  }

  /** The Agent is gone: nobody waits for its calls, so the Computers may stop working on them. */
  abandon(from: Connection): void {
    for (const call of [...from.calls]) {
      this.#options.notifier.tellOne(call.target.sid, 'notify:tool_call_cancel', {
        agent: call.agent,
        req_id: call.reqId,
      });
      call.fail(new SMCPError('InternalError', 'the Agent has gone'));
    }
  }

  #admit(from: Connection, office: string): void {
    const { callsInFlight, officeCallsInFlight } = this.#options.limits;
    const wait = Math.max(from.callRate.take(), this.#officeRate.take(office));
    if (wait > 0) throw overLimit('too many calls per second', wait);
    if (from.calls.size >= callsInFlight || (this.#officeInFlight.get(office) ?? 0) >= officeCallsInFlight) {
      throw overLimit('too many calls in flight', 1);
    }
  }

  #patience(event: RelayedEvent, request: ComputerRequest): number {
    const { querySeconds } = this.#options.limits;
    const seconds = event === 'client:tool_call' ? (request as ToolCallReq).timeout : querySeconds;
    return (seconds + SERVER_GRACE_SECONDS) * 1_000;
  }

  #count(office: string, change: 1 | -1): void {
    const inFlight = (this.#officeInFlight.get(office) ?? 0) + change;
    if (inFlight > 0) this.#officeInFlight.set(office, inFlight);
    else this.#officeInFlight.delete(office);
  }
}

function noComputer(office: string, computer: string): SMCPError {
  return new SMCPError('NotFound', `no Computer "${computer}" in office "${office}"`, { details: { computer } });
}

export function overLimit(what: string, seconds: number): SMCPError {
  return new SMCPError('TooManyRequests', `${what}; wait and try again`, {
    details: { retry_after: Math.max(0.001, Math.ceil(seconds * 1_000) / 1_000) },
  });
}
