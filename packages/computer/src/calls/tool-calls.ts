import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@a2c/config';
import {
  type AvailableTool,
  type Cancellation,
  type ConsentRequest,
  HubError,
  type MCPServerManager,
  type NameForm,
} from '@a2c/hub';
import { type Logger, RecordFile, type RecordFileOptions } from '@a2c/log';
import {
  type AgentScope,
  type CallOptions,
  type CallToolResult,
  DEFAULT_TIMEOUT_SECONDS,
  type Emitter,
  executionOf,
  MAX_DELIVERY_MS,
} from '@a2c/protocol';
import type { ComputerEvents } from '../events.js';
import { CallHistory, type ToolCallRecord } from '../history/call-history.js';
import type { ComputerLimits } from '../options.js';
import type { SecretFilter } from '../secrets.js';
import { CallLedger } from './call-ledger.js';
import { CallSteps, now } from './call-steps.js';
import { askUser, type ConfirmCallback, checkScope, isInScope, type ToolNames } from './consent.js';
import {
  displacedCall,
  failureResult,
  forbiddenTool,
  forgottenResult,
  internalError,
  isRemembered,
  noRoomForArguments,
  reusedReqId,
  sentBeforeStart,
  startedElsewhere,
  tooManyCalls,
} from './failure-results.js';
import { noteBytes } from './json-bytes.js';
import { type CallId, callId, OnceOnly, type Outcome } from './once-only.js';
import { resultOfTool } from './result-of-tool.js';
import { memoryOf, UnfinishedCalls } from './unfinished-calls.js';
import { WaitingCalls } from './waiting-calls.js';

/** Options of one tool call. `timeout` is in seconds and includes the time for consent; the default is 60. */
export interface ExecuteOptions extends CallOptions {
  /** The Agent that calls. With the office and `reqId` it identifies the call. */
  readonly agent?: string | undefined;
  readonly office?: string | undefined;
  /**
   * Set for a repeated call: how long ago it was first sent. Calls from before the start of this process are not run.
   */
  readonly repeatedAfterMs?: number | undefined;
  /** Set for a repeated call, if known: the epoch of the process it was first sent to. Decides instead of the time. */
  readonly computerEpoch?: string | undefined;
  /** Set for a call that a person started and thereby approved, such as in the console. No consent is asked for. */
  readonly approvedBy?: string | undefined;
  /** What the caller may use. Tools outside it are refused. */
  readonly scope?: AgentScope | undefined;
  /** Which names the caller knows the tools by. */
  readonly nameForm?: NameForm | undefined;
  /** The server that the caller means, by its bundle id. A tool of another server is not found by this name. */
  readonly bundleId?: string | undefined;
  /** Passed to the MCP server in `_meta` of the request, such as trace context. */
  readonly meta?: JsonObject | undefined;
}

export interface ToolCallsOptions {
  readonly manager: MCPServerManager;
  readonly confirm: ConfirmCallback | 'deny' | undefined;
  readonly secrets: SecretFilter;
  readonly limits: ComputerLimits;
  readonly logger: Logger;
  readonly historyFile: RecordFileOptions | undefined;
  /** A random id of this process. */
  readonly epoch: string;
  /** Where the ids of calls are written before they run, so that the next process knows them. */
  readonly ledgerFile: string | undefined;
  /** Gets `call` and `step`. */
  readonly events: Emitter<ComputerEvents>;
}

interface Call extends CallId {
  readonly nameOrAlias: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The arguments are sent in another turn. */
  readonly isLarge: boolean;
  readonly timeout: number;
  readonly options: ExecuteOptions;
}

/**
 * Characters and values from which on a request is handled in several turns of the event loop. It takes too long for
 * one turn to decode and check the arguments, compare them with those of a repeated call, and write them for the MCP
 * server.
 */
export const LARGE_REQUEST = 64 * 1_024;

/** The agent name of local calls. */
const LOCAL = '';

/** Operators see the beginning of a long failure. */
const MAX_REPORTED = 500;

/** The `a2c_cancel_reason` of a call that its caller cancelled. */
const AGENT_REQUESTED = 'agent_requested';

/** The Computer's side of every tool call: once-only execution, consent, failure results and the history. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #calls: OnceOnly;
  readonly #waiting: WaitingCalls;
  readonly #unfinished: UnfinishedCalls;
  readonly #history: CallHistory;
  readonly #historyFile: RecordFile<ToolCallRecord> | undefined;
  readonly #ledger: CallLedger | undefined;
  readonly #startedAt = performance.now();

  constructor(options: ToolCallsOptions) {
    const { limits, logger, historyFile, ledgerFile } = options;
    this.#options = options;
    this.#ledger =
      ledgerFile === undefined ? undefined : new CallLedger(ledgerFile, limits.rememberedCalls, options.epoch);
    this.#calls = new OnceOnly(limits);
    this.#waiting = new WaitingCalls(limits);
    this.#unfinished = new UnfinishedCalls(limits);
    this.#history = new CallHistory(limits.historyRecords);
    const onError = (err: Error) => logger.error({ err }, 'cannot write the history');
    this.#historyFile = historyFile && new RecordFile({ onError, ...historyFile });
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
    const { timeout = DEFAULT_TIMEOUT_SECONDS, signal } = options;
    const id = idOf(reqId, options);
    const content = this.#contentOf(reqId, nameOrAlias, parameters);
    if (!content) return internalError(reqId);
    const { bytes, isLarge } = content;
    const call = { ...id, nameOrAlias, parameters, isLarge, timeout, options };
    const problem = this.#unfinished.problem(id, bytes);
    const started = this.#start(call, content.fingerprint, problem === undefined);
    if (started === 'reused-id') return reusedReqId(reqId);
    if (started === 'before-start') return sentBeforeStart(reqId);
    if (started === 'too-many') return tooManyCalls(reqId, this.#options.limits.callsInFlight);
    if (started === 'no-room') return noRoomForArguments(reqId, String(problem), 'not-run');
    if (started === 'no-room-to-wait') return noRoomForArguments(reqId, String(problem), 'unknown');
    if (started === 'forgotten') return forgottenResult(reqId);
    if (started === 'displaced') return displacedCall(reqId);
    this.#unfinished.add(id, bytes);
    const cancel = () => this.cancel(reqId, options);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const { result, tool } = await started;
      // The result may be that of another caller with the same name, which may use more.
      if (!tool || isInScope(options.scope ?? {}, tool)) return result;
      return forbiddenTool(reqId, nameOrAlias, executionOf(result));
    } finally {
      this.#unfinished.remove(id, bytes);
      signal?.removeEventListener('abort', cancel);
    }
  }

  cancel(reqId: string, caller: Pick<ExecuteOptions, 'agent' | 'office'>): boolean {
    return this.#calls.cancel(idOf(reqId, caller), AGENT_REQUESTED);
  }

  /** Cancels pending calls and waits until their records are written. */
  async close(): Promise<void> {
    this.#calls.cancelAll('the Computer is closing');
    await this.#calls.idle();
    await this.#historyFile?.close();
    await this.#ledger?.close();
  }

  /** undefined for local arguments that are not JSON. */
  #contentOf(reqId: string, nameOrAlias: string, parameters: Call['parameters']): Content | undefined {
    try {
      return contentOf(nameOrAlias, parameters);
    } catch (error) {
      this.#logInternalError({ reqId, nameOrAlias }, error);
      return undefined;
    }
  }

  #start(call: Call, fingerprint: string, hasRoom: boolean): ReturnType<OnceOnly['run']> {
    const isOfThisProcess = this.#isOfThisProcess(call.options);
    const age = ageOf(call.options);
    const earlier = { firstSentAt: Date.now() - age, epoch: call.options.computerEpoch };
    const mayBeNew = this.#ledger
      ? !this.#ledger.has(call.key, isOfThisProcess ? undefined : earlier)
      : isOfThisProcess;
    const firstSentAt = age === 0 ? undefined : performance.now() - age;
    const run = (cancellation: Cancellation) =>
      call.isLarge ? nextTurn().then(() => this.#run(call, cancellation)) : this.#run(call, cancellation);
    return this.#calls.run({ id: call, fingerprint, mayBeNew, firstSentAt, hasRoom, run });
  }

  #isOfThisProcess(options: ExecuteOptions): boolean {
    const { computerEpoch } = options;
    if (computerEpoch !== undefined) return computerEpoch === this.#options.epoch;
    return ageOf(options) <= performance.now() - this.#startedAt;
  }

  #logInternalError({ reqId, nameOrAlias }: Pick<Call, 'reqId' | 'nameOrAlias'>, err: unknown): void {
    this.#options.logger.error({ err, req_id: reqId, tool: nameOrAlias }, 'internal error in a tool call');
  }

  async #run(call: Call, cancellation: Cancellation): Promise<Outcome> {
    const { manager, confirm, secrets } = this.#options;
    const { reqId, nameOrAlias, parameters, timeout, options } = call;
    const started = performance.now();
    const steps = new CallSteps(call, this.#options.events);
    let callee: ToolNames | undefined;
    let isStartedElsewhere = false;
    const ask = async (request: ConsentRequest, isApproved: boolean) => {
      const caller = { reqId, agent: agentOf(call), onProgress: options.onProgress };
      const callback = confirm === 'deny' ? confirm : this.#waiting.limit(steps.watch(confirm));
      const isGranted = isApproved || (await askUser(callback, caller)(request));
      if (!isGranted) return false;
      isStartedElsewhere = !(await this.#writeDown(call));
      if (isStartedElsewhere) throw new HubError('refused', 'another process with the same ledger has started it');
      steps.add({ sentAt: now() });
      return true;
    };
    try {
      const answer = await manager.executeTool(nameOrAlias, parameters as JsonObject, {
        timeout,
        cancellation,
        caller: call.office === null ? undefined : call.owner,
        onProgress: options.onProgress,
        meta: options.meta,
        nameForm: options.nameForm,
        bundleId: options.bundleId,
        onResolved: (tool) => {
          callee = namesOf(tool);
          steps.add({ server: tool.server, tool: tool.name });
        },
        consent: (request) => {
          checkScope(options.scope, request.tool);
          const isApproved = options.approvedBy !== undefined || request.tool.meta?.auto_apply === true;
          if (!isApproved || this.#ledger) return ask(request, isApproved);
          steps.add({ sentAt: now() });
          return true;
        },
      });
      steps.add({ returnedAt: now() });
      const result = resultOfTool(answer);
      this.#record(call, { ...(callee as Callee), ms: performance.now() - started, result });
      steps.end(!result.isError, result.isError ? this.#reportedFailure(result) : null);
      return { result, tool: callee, isRemembered: true };
    } catch (error) {
      if (!(error instanceof HubError)) {
        this.#logInternalError(call, error);
        steps.end(false, 'internal error');
        return { result: internalError(reqId), isRemembered: true };
      }
      const mcpServer = callee?.bundleId ?? (error.server === undefined ? undefined : manager.bundleIdOf(error.server));
      const result = isStartedElsewhere
        ? startedElsewhere(reqId)
        : failureResult(isOutOfReach(error, call, mcpServer, callee) ? unknownTool : error, {
            reqId,
            tool: nameOrAlias,
            redact: secrets.text,
            mcpServer,
          });
      // The name of an unknown tool is what the caller sent, and may contain anything.
      const name = secrets.text(error.tool ?? nameOrAlias);
      const unknown = { server: error.server ?? '', bundleId: mcpServer ?? '', name };
      // The text on the wire is partly Chinese, because published Agents compare it. The owner reads the English one.
      const text = secrets.text(error.message);
      this.#record(call, { ...(callee ?? unknown), ms: performance.now() - started, result, error: text });
      steps.end(false, text, error.kind);
      return { result, tool: callee, isRemembered: isRemembered(error, options.repeatedAfterMs !== undefined) };
    }
  }

  /** What the tool says about its failure, without secrets. */
  #reportedFailure({ content }: CallToolResult): string | null {
    const text = content.find(({ type }) => type === 'text')?.text;
    return typeof text === 'string' ? this.#options.secrets.text(text).slice(0, MAX_REPORTED) : null;
  }

  /** Records a call of an Agent on the disk before it runs. Returns false if another process has started it. */
  async #writeDown({ office, key }: Call): Promise<boolean> {
    if (office === null || !this.#ledger) return true;
    return this.#ledger.add(key).catch((cause: Error) => {
      throw new HubError('refused', `not run, because it cannot be recorded first: ${cause.message}`, { cause });
    });
  }

  #record(call: Call, { server, bundleId, name, ms, result, error = null }: CallEnd): void {
    const { secrets, logger, events } = this.#options;
    const summary = {
      timestamp: new Date().toISOString(),
      req_id: call.reqId,
      agent: agentOf(call),
      server,
      bundle_id: bundleId,
      tool: name,
      timeout: call.timeout,
      success: !result.isError,
      error,
      duration_ms: Math.round(ms),
    };
    logger.info(summary, 'tool call');
    const createRecord = (): ToolCallRecord => ({ ...summary, parameters: secrets.record(call.parameters) });
    const isReadNow = this.#historyFile !== undefined || events.has('call');
    // The history keeps no large arguments, nor those that a local caller may change.
    if (!isReadNow && !call.isLarge && call.office !== null) {
      this.#history.add(createRecord);
      return;
    }
    const record = createRecord();
    this.#history.add(record);
    this.#historyFile?.append(record);
    events.emit('call', { record, result });
  }
}

/** True if the server does not run, and the caller may not use it: then the caller does not learn of it. */
function isOutOfReach(
  { kind, server }: HubError,
  { nameOrAlias: name, options }: Call,
  bundleId: string | undefined,
  callee: ToolNames | undefined,
): boolean {
  if (callee || server === undefined || (kind !== 'not-connected' && kind !== 'needs-login')) return false;
  const names = { name, displayName: name, exposedName: name, server, bundleId: bundleId ?? '' };
  return !isInScope(options.scope ?? {}, names);
}

const unknownTool = new HubError('unknown-tool', 'unknown tool');

/** The tool that was called, as far as it is known. */
type Callee = Pick<AvailableTool, 'server' | 'bundleId' | 'name'>;

interface CallEnd extends Callee {
  readonly ms: number;
  readonly result: CallToolResult;
  readonly error?: string | null;
}

/** Not the tool itself, whose description may be large: calls are remembered for long. */
function namesOf({ name, displayName, exposedName, server, bundleId, foreignNames }: AvailableTool): ToolNames {
  return { name, displayName, exposedName, server, bundleId, ...(foreignNames && { foreignNames }) };
}

/** What is known about the arguments of a call. */
interface Content {
  /** A hash of the tool and the arguments: they may be large, and those of ended calls are not kept. */
  readonly fingerprint: string;
  readonly isLarge: boolean;
  /** The memory they take. */
  readonly bytes: number;
}

function contentOf(nameOrAlias: string, parameters: Call['parameters']): Content {
  const json = JSON.stringify(parameters);
  const isLarge = json.length > LARGE_REQUEST;
  const jsonBytes = Buffer.byteLength(json);
  if (isLarge) noteBytes(parameters, jsonBytes);
  const fingerprint = hash('sha256', `${JSON.stringify(nameOrAlias)}${json}`, 'base64');
  return { fingerprint, isLarge, bytes: memoryOf(parameters, jsonBytes) };
}

function idOf(reqId: string, { agent = LOCAL, office }: Pick<ExecuteOptions, 'agent' | 'office'>): CallId {
  return callId(reqId, agent, office ?? null);
}

/** How long ago a repeated call was sent first, at most; 0 for others. */
function ageOf({ repeatedAfterMs }: ExecuteOptions): number {
  return repeatedAfterMs === undefined ? 0 : repeatedAfterMs + MAX_DELIVERY_MS;
}

function agentOf({ agent }: CallId): string | null {
  return agent === LOCAL ? null : agent;
}
