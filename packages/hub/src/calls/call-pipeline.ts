import type { JsonObject } from '@a2c/config';
import { type CallToolResult, isRecord } from '@a2c/protocol';
import { isTaskResult } from '../clients/sent-messages.js';
import { declaresTasks, type ServedClient } from '../clients/served-client.js';
import type { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import type { ManagedServer, OutgoingRequest } from '../servers/managed-server.js';
import type { ServerSet } from '../servers/server-set.js';
import type { ListedTool } from '../tools/parse-tool.js';
import type { AvailableTool, NameForm } from '../tools/tool-table.js';
import { BegunTask } from './begun-task.js';
import type { ConsentHandler, ConsentRequest, HubCallOptions } from './call-options.js';
import { checkArguments } from './check-arguments.js';
import { finishResult, transformResult } from './finish-result.js';
import { resultOfModernTask } from './modern-task.js';
import { parameterHeaders } from './parameter-headers.js';

/** The tool to call: a name or alias, within one server or among all tools. */
export interface CallTarget {
  readonly form?: NameForm | undefined;
  readonly server?: string;
  /** Where `server` is not given: which server the caller knows the name from. */
  readonly bundleId?: string | undefined;
  readonly tool: string;
}

interface LocatedTool {
  readonly server: string;
  readonly name: string;
  /** The entry of the tool table, if the tool was found by its name alone. */
  readonly listed?: AvailableTool;
}

/**
 * The one path of every tool call: resolve the tool, check the arguments, ask for consent, run, finish the result. All
 * steps share one deadline. A step that fails ends the call with a `HubError`.
 */
export class CallPipeline {
  readonly #servers: ServerSet;

  constructor(servers: ServerSet) {
    this.#servers = servers;
  }

  async call(target: CallTarget, args: JsonObject, options: HubCallOptions): Promise<CallToolResult> {
    const located = this.#locate(target);
    const server = this.#servers.get(located.server);
    const deadline = server.deadline(options, { what: `the call of "${located.name}"`, tool: located.name });
    try {
      const tool = server.isConnected
        ? (located.listed ?? this.#find(server, located.name, options.client))
        : await this.#findConnected(server, located.name, options.client, deadline);
      options.onResolved?.(tool);
      // Each `await` of a step that has ended at once would delay the call by a microtask.
      const checking = options.isUnchecked ? undefined : checkArguments(tool, args, server, options, deadline);
      if (checking instanceof Promise) await checking;
      const asking = options.consent && askConsent(tool, args, options.consent, deadline);
      if (asking instanceof Promise) await asking;
      const request = requestOf(tool, args, options);
      const sent = await server.send(request, options, deadline);
      const awaited = resultOfTask(server, request, sent, options, deadline);
      const answer = awaited === undefined ? sent : await awaited;
      const isTask = isTaskResult(answer);
      if (isTask && wantsTasks(options)) return answer as unknown as CallToolResult;
      const result = finishResult(isTask ? withoutTask(answer, tool) : answer, tool);
      return server.script === undefined
        ? result
        : await this.#transform(server, tool, { args, result, options }, deadline);
    } finally {
      deadline.release();
    }
  }

  #locate({ server, tool, form, bundleId }: CallTarget): LocatedTool {
    if (server !== undefined) return { server, name: tool };
    const listed = this.#listed(tool, form);
    // A name can pass to another server, for example while its own is stopped.
    if (bundleId !== undefined && listed.bundleId !== bundleId) {
      throw new HubError('unknown-tool', `"${bundleId}" has no tool "${tool}" at present`, { tool });
    }
    return { server: listed.server, name: listed.name, listed };
  }

  /** Finds a tool by its name. A server that does not run has no tools, and its reason explains why. */
  #listed(tool: string, form: NameForm | undefined): AvailableTool {
    try {
      return this.#servers.table.find(tool, form);
    } catch (error) {
      const { kind, server } = error as HubError;
      const reason = kind === 'unknown-tool' && server !== undefined && this.#servers.get(server).notRunning;
      throw reason || error;
    }
  }

  /** Connects first, because a restarted server may have other tools. */
  async #findConnected(
    server: ManagedServer,
    name: string,
    client: ServedClient | undefined,
    deadline: Deadline,
  ): Promise<AvailableTool> {
    await server.ready(deadline);
    return this.#find(server, name, client);
  }

  #find(server: ManagedServer, name: string, client: ServedClient | undefined): AvailableTool {
    const table = (client && this.#servers.tableFor(server, client)) ?? this.#servers.table;
    return table.findIn(server.name, name);
  }

  async #transform(
    { name, script = '', threads }: ManagedServer,
    tool: AvailableTool,
    {
      args,
      result,
      options,
    }: { readonly args: JsonObject; readonly result: CallToolResult; readonly options: HubCallOptions },
    deadline: Deadline,
  ): Promise<CallToolResult> {
    try {
      return await transformResult(result, { script, tool: tool.name, parameters: args }, threads, options, deadline);
    } catch (error) {
      const message = `the VRL script failed on a result of "${tool.name}": ${(error as Error).message}`;
      this.#servers.warn(name, message);
      return result;
    }
  }
}

/** A class: an object literal with a getter is slow to create. */
class PendingConsent implements ConsentRequest {
  readonly tool: AvailableTool;
  readonly arguments: JsonObject;
  readonly #deadline: Deadline;

  constructor(tool: AvailableTool, args: JsonObject, deadline: Deadline) {
    this.tool = tool;
    this.arguments = args;
    this.#deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }
}

/** Returns a promise if a person has to answer. */
function askConsent(
  tool: AvailableTool,
  args: JsonObject,
  consent: ConsentHandler,
  deadline: Deadline,
): void | Promise<void> {
  let answer: boolean | Promise<boolean>;
  try {
    answer = consent(new PendingConsent(tool, args, deadline));
  } catch (error) {
    throw withoutConsent(error, tool, deadline);
  }
  if (typeof answer === 'boolean') return demand(answer, tool);
  return deadline.race(answer).then(
    (granted) => demand(granted, tool),
    (error: unknown) => Promise.reject(withoutConsent(error, tool, deadline)),
  );
}

function demand(isGranted: boolean, { server, name, displayName }: AvailableTool): void {
  if (isGranted) return;
  throw new HubError('consent-denied', `consent for the tool "${displayName}" was denied`, { server, tool: name });
}

/** Why there is no answer about consent. */
function withoutConsent(error: unknown, { server, name, displayName }: AvailableTool, { signal }: Deadline): Error {
  const isLate = signal.aborted ? signal.reason.kind === 'timeout' : isTimeoutError(error);
  if (isLate) {
    const message = `consent for the tool "${displayName}" was not given in time`;
    return new HubError('consent-timeout', message, { server, tool: name, cause: error });
  }
  if (signal.aborted) return signal.reason;
  if (error instanceof HubError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new HubError('consent-failed', message, { server, tool: name, cause: error });
}

/** `AbortSignal.timeout()` and most libraries use this name for timeouts; there is no common class. */
function isTimeoutError(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

interface CallRequest extends OutgoingRequest {
  readonly awaitsTasks: boolean;
}

function requestOf({ name, tool }: AvailableTool, args: JsonObject, options: HubCallOptions): CallRequest {
  const { meta, task = impliedTask(tool, options.client), onSent } = options;
  const params: JsonObject = { name, arguments: args };
  if (meta) params._meta = meta;
  if (task) params.task = task;
  const headers = () => parameterHeaders(tool.inputSchema, args);
  // A direct client of this generation declares the extension for tasks itself, if it wants any.
  const awaitsTasks = !(options.client?.isDirect === true && options.client.era === 'modern');
  return { method: 'tools/call', params, headers, awaitsTasks, onSent };
}

/** The result of a task that the call has begun and that its caller does not continue; undefined for other answers. */
function resultOfTask(
  server: ManagedServer,
  { params, awaitsTasks }: CallRequest,
  answer: JsonObject,
  options: HubCallOptions,
  deadline: Deadline,
): Promise<JsonObject> | undefined {
  const isModernTask = awaitsTasks && answer.resultType === 'task';
  const isTask = isModernTask || (params.task !== options.task && isTaskResult(answer) && isRecord(answer.task));
  if (!isTask) return undefined;
  const { taskId = null } = isModernTask ? answer : (answer.task as JsonObject);
  const begun = new BegunTask(server, { taskId, awaitsTasks: isModernTask }, options, deadline);
  return begun.end(isModernTask ? resultOfModernTask(begun, answer, options, deadline) : begun.send('tasks/result'));
}

/** Whether the caller continues with the task itself, if the call begins one. */
function wantsTasks({ task, client }: HubCallOptions): boolean {
  if (task !== undefined) return true;
  return client?.isDirect === true && client.era === 'modern' && declaresTasks(client);
}

/**
 * The result next to a task that no caller has asked for. Only for wanted tasks is an answer passed on unchecked: a
 * server must not choose that for its results.
 */
function withoutTask(answer: JsonObject, { server, name }: AvailableTool): JsonObject {
  const { task: _task, resultType: _type, ...result } = answer;
  if (result.content != null) return result;
  const message = `server "${server}" answered the call of "${name}" with a task that the caller has not asked for, and without a result`;
  throw new HubError('upstream', message, { server, tool: name, isBegun: true });
}

/** Some tools run only as tasks. Callers that know no tasks get the result of the task. */
function impliedTask({ execution }: ListedTool, client: ServedClient | undefined): JsonObject | undefined {
  const isRequired = isRecord(execution) && execution.taskSupport === 'required';
  const isOwnChoice = client?.isDirect === true && client.era === 'legacy';
  return isRequired && !isOwnChoice ? {} : undefined;
}
