import { setImmediate } from 'node:timers/promises';
import { callerOf } from '@a2c/hub';
import type { CallToolResult } from '@a2c/protocol';
import type { HostCall, HostFunction, JsonValue } from '@a2c/sandbox';
import type { Executor } from '../executor.js';
import type { FairTurns } from '../fair-turns.js';
import type { Registry } from '../registry.js';
import type { ErrorResults } from '../results/error-results.js';
import type { ConsentHandler, ToolboxCallOptions } from '../toolbox.js';
import { type Inspector, searchText } from '../tools/inspect.js';
import { COMPUTERS, callExpression, SERVERS, serverPath } from './call-expression.js';
import { CallProgress } from './call-progress.js';
import { textOf, toolData } from './tool-data.js';

const MAX_HITS = 10;

/** What code reaches of the proxy. */
export interface CodeContext {
  readonly registry: Registry;
  readonly inspector: Inspector;
  readonly executor: Executor;
  readonly errors: ErrorResults;
  readonly turns: FairTurns;
}

/** An error in the code: `code` is the `kind` of a `HubError`, or `tool-error` for a result with `isError`. */
class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface RunRequest extends ToolboxCallOptions {
  readonly consent: ConsentHandler;
}

/** A call that had not ended when the code ended. */
export interface CancelledCall {
  readonly path: readonly string[];
  /** It may have run. */
  readonly isSent: boolean;
}

/** The host functions of one run of code. Every tool call takes the same path as a call of `exec`. */
export class CodeRun {
  readonly #context: CodeContext;
  readonly #request: RunRequest;
  readonly #progress: CallProgress;
  /** The calls that the end of the code has cancelled. */
  readonly cancelled: CancelledCall[] = [];
  #lastLookup: Promise<unknown> = Promise.resolve();

  constructor(context: CodeContext, { onProgress, ...request }: RunRequest) {
    this.#context = context;
    this.#request = request;
    this.#progress = new CallProgress(onProgress);
  }

  get functions(): Readonly<Record<string, HostFunction>> {
    return {
      search: ([query], { signal }) => this.#inTurn(() => this.#search(query, signal)),
      describe: ([server, tool], { signal }) => this.#inTurn(() => this.#describe(server, tool, signal)),
    };
  }

  /** `servers.<server>.<tool>(args)`, and in an office also `computers.<computer>.<server>.<tool>(args)`. */
  get namespaces(): Readonly<Record<string, HostFunction>> {
    const call: HostFunction = (args, hostCall) => this.#progress.count(() => this.#call(args, hostCall));
    return { [SERVERS]: call, ...(this.#context.registry.hasComputers && { [COMPUTERS]: call }) };
  }

  end(): void {
    this.#progress.stop();
  }

  async #call(args: readonly JsonValue[], { path, signal }: HostCall): Promise<unknown> {
    const { registry, executor } = this.#context;
    const { server, tool } = await this.#resolve(path);
    const given = argumentsFrom(args, path);
    await registry.settled(server, signal);
    let isSent = true;
    const onWait = (isWaiting: boolean) => {
      isSent = !isWaiting;
    };
    const onCancelled = () => this.cancelled.push({ path, isSent });
    signal.addEventListener('abort', onCancelled, { once: true });
    const options = { ...this.#request, signal, onWait };
    const outcome = await executor.call(server, tool, given, options, this.#request.consent);
    signal.removeEventListener('abort', onCancelled);
    if ('failure' in outcome) throw new ToolError(outcome.kind, this.#withHint(outcome.kind, outcome.failure, path));
    if (outcome.raw.isError) throw new ToolError('tool-error', textOf(outcome.raw) || `${path.join('.')} failed`);
    return toolData(outcome.raw);
  }

  /** The server and tool that the code named. */
  async #resolve(path: readonly string[]): Promise<{ readonly server: string; readonly tool: string }> {
    const { registry, errors, turns } = this.#context;
    const [namespace, first = ''] = path;
    const tool = path.at(-1) ?? '';
    if (namespace === SERVERS) {
      if (path.length === 3) return { server: first, tool };
      throw new ToolError('unknown-tool', `${path.join('.')} is no tool: call servers.<server>.<tool>(args).`);
    }
    const names = path.slice(0, -1);
    const server = registry.servers.find((known) => isSamePath(serverPath(known), names));
    if (server) return { server: server.name, tool };
    const ofComputer = registry.servers.filter(({ computer }) => computer === first);
    if (ofComputer.length === 0) {
      await turns.take(callerOf(this.#request));
      throw new ToolError('unknown-server', textOf(errors.unknownComputer(first)));
    }
    const [known] = ofComputer.map(({ name }) => name.split('/')[0]);
    if (path.length === 4) return { server: `${known}/${path[2]}`, tool }; // unknown: reported with the nearest names
    const message = `${path.join('.')} is no tool: call computers.<computer>.<server>.<tool>(args).`;
    throw new ToolError('unknown-tool', message);
  }

  /** A model that writes `get_sum` for `get-sum` sees how to write the name. */
  #withHint(kind: string, failure: CallToolResult, path: readonly string[]): string {
    const text = textOf(failure);
    if (kind !== 'unknown-server' && kind !== 'unknown-tool') return text;
    const wanted = path.map(plain).join('/');
    for (const server of this.#context.registry.servers) {
      const prefix = serverPath(server).map(plain).join('/');
      if (!wanted.startsWith(`${prefix}/`)) continue;
      const tool = server.tools.find(({ name }) => `${prefix}/${plain(name)}` === wanted);
      if (tool) return `${text}\nWrite ${callExpression(server, tool)}(args).`;
    }
    return text;
  }

  /** Each lookup gets a turn of the event loop: code may ask for a thousand at once. */
  #inTurn<T>(lookup: () => Promise<T>): Promise<T> {
    const found = this.#lastLookup.then(() => setImmediate()).then(lookup);
    this.#lastLookup = found.catch(() => {}); // The code gets the error.
    return found;
  }

  async #search(given: JsonValue | undefined, signal: AbortSignal): Promise<unknown> {
    if (typeof given !== 'string') throw new TypeError('search(query): expected a string');
    const query = searchText(given);
    const { registry } = this.#context;
    await registry.prepareSearch(query, signal);
    const hits = registry.search(query).slice(0, MAX_HITS);
    return hits.map(({ server, tool }) => ({
      server: server.name,
      tool: tool.name,
      call: callExpression(server, tool),
      description: tool.description ?? tool.title ?? '',
    }));
  }

  async #describe(server: JsonValue | undefined, tool: JsonValue | undefined, signal: AbortSignal): Promise<string> {
    if (typeof server !== 'string' || typeof tool !== 'string') {
      throw new TypeError('describe(server, tool): expected two strings');
    }
    const { registry, inspector } = this.#context;
    await registry.settled(server, signal);
    const answer = inspector.run({ server_name: server, tool_name: tool });
    if (answer.isError) throw new ToolError('unknown-tool', textOf(answer));
    return textOf(answer);
  }
}

function argumentsFrom(args: readonly JsonValue[], path: readonly string[]): Readonly<Record<string, unknown>> {
  const [given = null, ...others] = args;
  if (others.length === 0 && given === null) return {};
  if (others.length === 0 && typeof given === 'object' && !Array.isArray(given))
    return given as Record<string, unknown>;
  throw new ToolError('invalid-arguments', `${path.join('.')} takes one object: pass the arguments by name.`);
}

const isSamePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

/** The same for names that differ only in case and punctuation. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
