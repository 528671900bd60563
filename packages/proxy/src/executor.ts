import type { CallToolResult } from '@a2c/protocol';
import type { ProxyOptions } from './options.js';
import type { Registry } from './registry.js';
import { type ErrorResults, errorResult } from './results/error-results.js';
import { renderResult } from './results/render-result.js';
import type { TruncatedTexts } from './results/truncate.js';
import type { Toolbox, ToolboxCallOptions, ToolboxServer, ToolboxTool } from './toolbox.js';
import { askClient } from './tools/consent.js';

/** The outcome of one call through `exec`. */
export interface ExecutionResult {
  /** The result for a model: compressed and truncated. */
  readonly result: CallToolResult;
  /** The result as the tool returned it; absent if the tool did not run or did not finish. */
  readonly raw?: CallToolResult;
}

interface ExecutorContext {
  readonly toolbox: Toolbox;
  readonly registry: Registry;
  readonly errors: ErrorResults;
  readonly rests: TruncatedTexts;
  readonly options: ProxyOptions;
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
    options: ToolboxCallOptions = {},
  ): Promise<ExecutionResult> {
    const { registry, errors } = this.#context;
    const server = registry.getServerInfo(serverName);
    if (!server) return { result: errors.unknownServer(serverName) };
    const tool = registry.getTool(serverName, toolName);
    if (!tool) return { result: errors.unknownTool(server, toolName) };
    return this.#run(server, tool, args, options);
  }

  async #run(
    server: ToolboxServer,
    tool: ToolboxTool,
    args: Readonly<Record<string, unknown>>,
    options: ToolboxCallOptions,
  ): Promise<ExecutionResult> {
    const { toolbox, errors, rests, options: settings } = this.#context;
    const call = { tool: tool.name, arguments: args };
    const render = (result: CallToolResult) => renderResult(result, call, settings, rests);
    let raw: CallToolResult;
    try {
      raw = await toolbox.call({ ...options, ...call, server: server.name, consent: askClient(options) });
    } catch (error) {
      return { result: render(errors.fromCallError(error, server, tool)) };
    }
    try {
      return { result: render(raw), raw };
    } catch (error) {
      // The tool did run: the message keeps the model from running it again.
      const message = `"${tool.name}" ran, but its result cannot be shown: ${(error as Error).message}`;
      return { result: errorResult(message), raw };
    }
  }
}
