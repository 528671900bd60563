import { type CallerOptions, callerOf, HubError, type HubErrorKind } from '@a2c/hub';
import type { CallToolResult } from '@a2c/protocol';
import type { FairTurns } from './fair-turns.js';
import type { ProxyOptions } from './options.js';
import type { Registry } from './registry.js';
import { type ErrorResults, errorResult } from './results/error-results.js';
import { renderResult } from './results/render-result.js';
import type { TruncatedTexts } from './results/truncate.js';
import { ServerCall } from './server-call.js';
import type { ConsentHandler, Toolbox, ToolboxCallOptions, ToolboxServer, ToolboxTool, ToolCall } from './toolbox.js';
import { askClient } from './tools/consent.js';
import { afterOpening, openingUrls } from './tools/required-urls.js';

/** The outcome of one call through `exec`. */
export interface ExecutionResult {
  /** The result for a model: compressed and truncated. */
  readonly result: CallToolResult;
  /** The result as the tool returned it; absent if the tool did not run or did not finish. */
  readonly raw?: CallToolResult;
}

/** The options of one call through `exec`. */
export interface ExecuteOptions extends ToolboxCallOptions {
  /** Shows the links of a result to resources of its server as the client can read them. */
  readonly showLinks?:
    | ((server: string, result: CallToolResult) => Promise<CallToolResult> | CallToolResult)
    | undefined;
}

/** A call before its result is rendered: the tool's own result, or why the call did not run or did not finish. */
type CallOutcome =
  | { readonly raw: CallToolResult }
  | { readonly failure: CallToolResult; readonly kind: HubErrorKind | 'failed' };

interface ExecutorContext {
  readonly toolbox: Toolbox;
  readonly registry: Registry;
  readonly errors: ErrorResults;
  readonly rests: TruncatedTexts;
  readonly options: ProxyOptions;
  readonly turns: FairTurns;
}

/** The tool `exec`: finds a tool, calls it through the toolbox and renders the result. */
export class Executor {
  readonly #context: ExecutorContext;

  /** @hidden */
  constructor(context: ExecutorContext) {
    this.#context = context;
  }

  /**
   * Calls a tool. Never rejects: every failure is a result with `isError` and a message for the model.
   *
   * @example
   * ```ts
   * const { result } = await proxy.executor.execute('weather', 'forecast', { city: 'Oslo' });
   * ```
   */
  async execute(
    serverName: string,
    toolName: string,
    args: Readonly<Record<string, unknown>> = {},
    options: ExecuteOptions = {},
  ): Promise<ExecutionResult> {
    let raw: CallToolResult | undefined;
    const keep = (result: CallToolResult) => {
      raw = result;
    };
    const result = await this.show(serverName, toolName, args, options, keep);
    return { result, ...(raw && { raw }) };
  }

  /**
   * As `execute`, for those who need only the result for the model. `onRaw` receives the result as the tool returned
   * it. Every call of a client comes here: nothing is awaited that is known at once.
   *
   * @hidden
   */
  async show(
    serverName: string,
    toolName: string,
    args: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
    onRaw?: (raw: CallToolResult) => void,
  ): Promise<CallToolResult> {
    const { rests, registry, toolbox, options: settings } = this.#context;
    const server = registry.getServerInfo(serverName);
    const known = registry.getTool(serverName, toolName);
    const consent = askClient(options, settings);
    let outcome: CallOutcome;
    if (server && known) {
      const call = new ServerCall(server.name, known.name, args, options, consent);
      try {
        outcome = { raw: await toolbox.call(call) };
      } catch (error) {
        outcome = await this.#failed(call, error, server, known);
      }
    } else outcome = await this.call(serverName, toolName, args, options, consent);
    const rendered = { tool: known ?? { name: toolName }, arguments: args };
    if ('failure' in outcome) return renderResult(outcome.failure, rendered, settings, rests);
    const { raw } = outcome;
    onRaw?.(raw);
    const { showLinks } = options;
    try {
      const linked = showLinks ? showLinks(serverName, raw) : raw;
      return renderResult(linked instanceof Promise ? await linked : linked, rendered, settings, rests);
    } catch (error) {
      // The tool did run: the message keeps the model from running it again.
      return errorResult(`"${toolName}" ran, but its result cannot be shown: ${(error as Error).message}`);
    }
  }

  /**
   * Finds a tool and calls it through the toolbox. Never rejects.
   *
   * @hidden
   */
  async call(
    serverName: string,
    toolName: string,
    args: Readonly<Record<string, unknown>>,
    options: ToolboxCallOptions,
    consent: ConsentHandler,
  ): Promise<CallOutcome> {
    const { registry, errors } = this.#context;
    const server = registry.getServerInfo(serverName);
    if (!server) return this.#failure('unknown-server', options, () => errors.unknownServer(serverName));
    let tool = registry.getTool(serverName, toolName) ?? (await this.#ownTool(server.name, toolName, options));
    if (!tool && server.needsLogin && (await this.#logIn(server.name, options))) {
      tool = registry.getTool(serverName, toolName);
    }
    // The toolbox refuses a tool that waits for approval, with the reason.
    if (!tool && server.state === 'ready' && server.knownNames?.includes(toolName))
      tool = { name: toolName, inputSchema: {} };
    if (!tool) return this.#failure('unknown-tool', options, () => errors.unknownTool(server, toolName));
    const call = new ServerCall(server.name, tool.name, args, options, consent);
    try {
      return { raw: await this.#context.toolbox.call(call) };
    } catch (error) {
      return this.#failed(call, error, server, tool);
    }
  }

  /** The first attempt has failed. */
  async #failed(call: ToolCall, failure: unknown, server: ToolboxServer, tool: ToolboxTool): Promise<CallOutcome> {
    try {
      return { raw: await this.#callAgain(call, failure) };
    } catch (error) {
      const kind = error instanceof HubError ? error.kind : 'failed';
      return this.#failure(kind, call, () => this.#context.errors.fromCallError(error, server, tool));
    }
  }

  /** Names are compared with those of all tools, and a client may cause very many failures at once. */
  async #failure(
    kind: HubErrorKind | 'failed',
    options: CallerOptions,
    explain: () => CallToolResult,
  ): Promise<CallOutcome> {
    await this.#context.turns.take(callerOf(options));
    return { failure: explain(), kind };
  }

  /**
   * Calls a tool. If it needs a login, asks the person at the client once; the call did not run before.
   *
   * @hidden
   */
  async callLoggedIn(call: ToolCall): Promise<CallToolResult> {
    try {
      return await this.#context.toolbox.call(call);
    } catch (error) {
      return this.#callAgain(call, error);
    }
  }

  /** Opens the URLs, or logs in, that the first attempt has asked for. */
  async #callAgain(call: ToolCall, failure: unknown): Promise<CallToolResult> {
    const { toolbox } = this.#context;
    // Consent was given before the first attempt reached the server.
    const again = () => toolbox.call(call.consent ? { ...call, signal: call.signal, consent: async () => true } : call);
    try {
      return await afterOpening(toolbox, call, failure, again);
    } catch (error) {
      const needsLogin = error instanceof HubError && error.kind === 'needs-login';
      if (!needsLogin || !(await this.#logIn(call.server, call))) throw error;
      return openingUrls(toolbox, call, (isRepeated) => (isRepeated ? again() : toolbox.call(call)));
    }
  }

  /** A tool that only the client's own connection has, because a call has changed its list. */
  async #ownTool(server: string, tool: string, { client }: ToolboxCallOptions): Promise<ToolboxTool | undefined> {
    const { toolbox, options } = this.#context;
    if (!client || !toolbox.prepareClient) return undefined;
    await toolbox.prepareClient(client, options.limits.clientListMs);
    const tools = toolbox.toolsFor?.(client)?.get(server);
    return tools?.find(({ name }) => name === tool);
  }

  async #logIn(server: string, options: ToolboxCallOptions): Promise<boolean> {
    return (await this.#context.toolbox.logIn?.(server, options)) === true;
  }
}
