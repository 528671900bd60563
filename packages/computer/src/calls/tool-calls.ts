import { createHash } from 'node:crypto';
import type { JsonValue } from '@a2c/config';
import { HubError, type MCPServerManager } from '@a2c/hub';
import { type CallToolResult, DEFAULT_TIMEOUT_SECONDS } from '@a2c/protocol';
import { CallHistory, type ToolCallRecord } from '../history/call-history.js';
import { HistoryFile, type HistoryFileOptions } from '../history/history-file.js';
import type { Logger } from '../logger.js';
import type { ComputerLimits } from '../options.js';
import type { SecretFilter } from '../secret-filter.js';
import type { ConfirmCallback } from './confirmation.js';
import {
  AGENT_REQUESTED,
  anotherCall,
  cancelledResult,
  forgottenResult,
  formerLifeResult,
  hubFailure,
  internalFault,
  mayHaveRun,
  timedOutResult,
  tooManyCalls,
  withoutConsent,
} from './failures.js';
import { type CallId, OnceOnly, type Outcome } from './once-only.js';
import { type CallOutcome, runCall } from './run-call.js';

export interface ExecuteOptions {
  /** Seconds for everything, the confirmation included. */
  readonly timeout?: number;
  /** Who calls; with the office and `reqId` it names the call. */
  readonly agent?: string;
  readonly office?: string;
  readonly signal?: AbortSignal;
  /** The call was asked for before, so long ago; a process of ours that is no more may have run it. */
  readonly repeatedAfterMs?: number | undefined;
  /** Passed to the MCP server in the request's `_meta`, such as trace context. */
  readonly meta?: Readonly<Record<string, JsonValue>>;
}

export interface ToolCallsParts {
  readonly manager: MCPServerManager;
  readonly confirm: ConfirmCallback | undefined;
  readonly secrets: SecretFilter;
  readonly limits: ComputerLimits;
  readonly logger: Logger;
  readonly historyFile: HistoryFileOptions | undefined;
  readonly onRecord: (record: ToolCallRecord) => void;
}

interface Call extends CallId {
  readonly nameOrAlias: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeout: number;
  readonly meta: ExecuteOptions['meta'];
}

/** Who was called, as far as it is known. */
interface Callee {
  readonly server: string;
  /** The server's own name of the tool. */
  readonly name: string;
}

/** Calls of this machine's own belong to nobody's name. */
const LOCAL = '';

/** Every call of a tool: once, with consent, within its time, and on the record. */
export class ToolCalls {
  readonly #parts: ToolCallsParts;
  readonly #calls: OnceOnly;
  readonly #history: CallHistory;
  readonly #historyFile: HistoryFile | undefined;
  readonly #since = performance.now();

  constructor(parts: ToolCallsParts) {
    this.#parts = parts;
    this.#calls = new OnceOnly(parts.limits);
    this.#history = new CallHistory(parts.limits.historyRecords);
    this.#historyFile =
      parts.historyFile &&
      new HistoryFile(parts.historyFile, (error) => parts.logger.error({ err: error }, 'the history is not written'));
  }

  get records(): readonly ToolCallRecord[] {
    return this.#history.records;
  }

  async execute(
    reqId: string,
    nameOrAlias: string,
    parameters: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
  ): Promise<CallToolResult> {
    const { timeout = DEFAULT_TIMEOUT_SECONDS, meta, signal } = options;
    const id = callId(reqId, options);
    const call: Call = { ...id, nameOrAlias, parameters, timeout, meta };
    const mayBeNew = (options.repeatedAfterMs ?? 0) <= performance.now() - this.#since;
    const outcome = this.#started(id, call, mayBeNew);
    if (outcome === 'fault') return internalFault(reqId);
    if (outcome === 'another-call') return anotherCall(reqId);
    if (outcome === 'former-life') return formerLifeResult(reqId);
    if (outcome === 'too-many') return tooManyCalls(reqId, this.#parts.limits.callsInFlight);
    if (outcome === 'forgotten') return forgottenResult(reqId);
    const cancel = () => this.cancel(reqId, options);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await outcome;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  cancel(reqId: string, asker: Pick<ExecuteOptions, 'agent' | 'office'>): boolean {
    return this.#calls.cancel(callId(reqId, asker), AGENT_REQUESTED);
  }

  /** Ends what is under way, and waits until the record of it is written. */
  async close(): Promise<void> {
    this.#calls.cancelAll('the Computer is closing');
    await this.#calls.idle();
    await this.#historyFile?.flush();
  }

  /** Arguments of this machine's own need not be JSON, and then there is no call. */
  #started(id: CallId, call: Call, mayBeNew: boolean): ReturnType<OnceOnly['run']> | 'fault' {
    try {
      return this.#calls.run(id, fingerprint(call), (ended) => this.#run(call, ended), mayBeNew);
    } catch (thrown) {
      this.#fault(call, thrown);
      return 'fault';
    }
  }

  #fault({ reqId, nameOrAlias }: Call, err: unknown): void {
    this.#parts.logger.error({ err, req_id: reqId, tool: nameOrAlias }, 'a call failed inside');
  }

  async #run(call: Call, signal: AbortSignal): Promise<Outcome> {
    const { manager, confirm, secrets } = this.#parts;
    const { nameOrAlias, reqId } = call;
    const started = performance.now();
    let callee: Callee;
    let outcome: CallOutcome;
    try {
      const tool = manager.validateToolCall(nameOrAlias);
      callee = tool;
      outcome = await runCall({ manager, confirm, ...call, agent: askerOf(call), tool, signal });
    } catch (thrown) {
      if (!(thrown instanceof HubError)) {
        this.#fault(call, thrown);
        return { result: internalFault(reqId), mayHaveRun: true };
      }
      // What an unknown tool is called is the caller's word, and may be anything.
      callee = { server: thrown.server ?? '', name: secrets.text(thrown.tool ?? nameOrAlias) };
      outcome = { end: 'failed', error: thrown, ms: performance.now() - started };
    }
    const result = resultOf(outcome, call, secrets);
    this.#record(call, callee, outcome, result);
    return { result, mayHaveRun: outcome.end !== 'failed' || mayHaveRun(outcome.error) };
  }

  #record(call: Call, { server, name }: Callee, outcome: CallOutcome, result: CallToolResult): void {
    const { secrets, logger, onRecord } = this.#parts;
    const [first] = result.content;
    const outline = {
      timestamp: new Date().toISOString(),
      req_id: call.reqId,
      agent: askerOf(call),
      server,
      tool: name,
      timeout: call.timeout,
      success: !result.isError,
      error: outcome.end === 'result' ? null : secrets.text(String(first?.text ?? '')),
      duration_ms: Math.round(outcome.ms),
    };
    const record: ToolCallRecord = { ...outline, parameters: secrets.record(call.parameters) };
    this.#history.add(record);
    this.#historyFile?.append(record);
    logger.info(outline, 'tool call');
    try {
      onRecord(record);
    } catch (err) {
      // The tool has run; what a listener makes of it changes nothing about that.
      logger.error({ err, req_id: call.reqId }, 'a listener of the calls failed');
    }
  }
}

function resultOf(outcome: CallOutcome, { nameOrAlias, reqId }: Call, secrets: SecretFilter): CallToolResult {
  switch (outcome.end) {
    case 'result':
      return outcome.result;
    case 'no-consent':
      return withoutConsent(outcome.why, secrets.text);
    case 'cancelled':
      return cancelledResult(outcome.reason);
    case 'timeout':
      return timedOutResult(nameOrAlias, reqId);
    case 'failed':
      return hubFailure(outcome.error, nameOrAlias, reqId, secrets.text);
  }
}

/** A hash, because arguments may be large and are otherwise not kept. */
function fingerprint({ nameOrAlias, parameters }: Call): string {
  return createHash('sha256')
    .update(JSON.stringify([nameOrAlias, parameters]))
    .digest('base64');
}

function callId(reqId: string, { agent = LOCAL, office }: Pick<ExecuteOptions, 'agent' | 'office'>): CallId {
  return { office: office ?? null, agent, reqId };
}

function askerOf({ agent }: CallId): string | null {
  return agent === LOCAL ? null : agent;
}
