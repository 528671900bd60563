import type { ProxyOptions } from './options.js';
import type { Registry } from './registry.js';
import { errorResult } from './results/error-result.js';
import type { KeptTexts } from './results/kept-texts.js';
import { renderResult } from './results/render-result.js';
import type { CallOptions, CallToolResult, Toolbox, ToolboxServer, ToolboxTool } from './toolbox.js';
import { consentTo } from './tools/consent.js';
import type { Failures } from './tools/failures.js';

export interface ExecutionResult {
  /** For a model to read. */
  readonly result: CallToolResult;
  /** What the tool returned; absent when it was not run or did not end. */
  readonly raw?: CallToolResult;
}

interface Parts {
  readonly toolbox: Toolbox;
  readonly registry: Registry;
  readonly failures: Failures;
  readonly kept: KeptTexts;
  readonly options: ProxyOptions;
}

/** Finds a tool, asks for consent where its owner wants that, runs it on its server's long-lived connection. */
export class Executor {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Never rejects: whatever goes wrong is a result with `isError` and words that help. */
  async execute(
    serverName: string,
    toolName: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<ExecutionResult> {
    const { registry, failures } = this.#parts;
    const server = registry.getServerInfo(serverName);
    if (!server) return { result: failures.unknownServer(serverName) };
    const tool = registry.getTool(serverName, toolName);
    if (!tool) return { result: failures.unknownTool(server, toolName) };
    const refusal = await consentTo(tool, serverName, args, options);
    return refusal ? { result: refusal } : await this.#run(server, tool, args, options);
  }

  async #run(
    server: ToolboxServer,
    tool: ToolboxTool,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<ExecutionResult> {
    const { toolbox, failures, kept, options: how } = this.#parts;
    const call = { tool: tool.name, arguments: args };
    const render = (result: CallToolResult) => renderResult(result, call, how, kept);
    let raw: CallToolResult;
    try {
      raw = await toolbox.call({ ...options, ...call, server: server.name });
    } catch (error) {
      return { result: render(failures.of(error, server, tool)) };
    }
    try {
      return { result: render(raw), raw };
    } catch (error) {
      // It ran, and must not be run again because nobody can write down what it said.
      return {
        result: errorResult(`"${tool.name}" ran, but its result cannot be shown: ${(error as Error).message}`),
        raw,
      };
    }
  }
}
