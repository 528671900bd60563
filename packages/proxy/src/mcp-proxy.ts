import { CodeRunner } from './code/code-runner.js';
import { Executor } from './executor.js';
import { PROXY_LIMITS, type ProxyLimits } from './limits.js';
import { DEFAULT_OPTIONS, type ProxyOptions } from './options.js';
import { Registry } from './registry.js';
import { ErrorResults } from './results/error-results.js';
import { TruncatedTexts } from './results/truncate.js';
import type { Toolbox } from './toolbox.js';
import { isEverything, SelectedToolbox } from './toolboxes/selected-toolbox.js';
import { ContentReader } from './tools/contents.js';
import { Inspector } from './tools/inspect.js';
import { ToolFormatter } from './tools/tool-formatter.js';

/** The settings of a proxy that differ from the defaults. */
export interface MCPProxyOptions extends Partial<Omit<ProxyOptions, 'limits'>> {
  readonly limits?: Partial<ProxyLimits>;
}

/**
 * MCPX: all tools of a toolbox behind `inspect` and `exec`. Serve it with `serveStdio` or `serveHttp`, or call
 * `inspector` and `executor` directly.
 *
 * @example
 * ```ts
 * const proxy = new MCPProxy(new HubToolbox(hub), { catalogueTokens: 1_000 });
 * const { url } = await serveHttp(proxy, { port: 8_000 });
 * ```
 */
export class MCPProxy {
  readonly toolbox: Toolbox;
  readonly options: ProxyOptions;
  /** The servers and tools of the toolbox. */
  readonly registry: Registry;
  /** The tool `inspect`. */
  readonly inspector: Inspector;
  /** The tool `exec`. */
  readonly executor: Executor;
  /** Resources and prompts, for `inspect`. */
  readonly contents: ContentReader;
  /** The tool `run`, in code mode. */
  readonly codeRunner: CodeRunner;

  /** The caller keeps ownership of the toolbox. */
  constructor(toolbox: Toolbox, options: MCPProxyOptions = {}) {
    this.options = { ...DEFAULT_OPTIONS, ...options, limits: { ...PROXY_LIMITS, ...options.limits } };
    const { limits, maxResultLength, selection } = this.options;
    this.toolbox = isEverything(selection) ? toolbox : new SelectedToolbox(toolbox, selection);
    this.registry = new Registry(this.toolbox, this.options);
    const formatter = new ToolFormatter(this.options);
    const context = {
      toolbox: this.toolbox,
      registry: this.registry,
      formatter,
      errors: new ErrorResults(this.registry, formatter),
      rests: new TruncatedTexts(maxResultLength, limits),
      options: this.options,
      isCodeOffered: () => this.codeRunner.isOffered,
    };
    this.inspector = new Inspector(context);
    this.executor = new Executor(context);
    this.contents = new ContentReader(context);
    this.codeRunner = new CodeRunner({ ...context, inspector: this.inspector, executor: this.executor });
  }

  /** Stops listening to the toolbox and ends running code; does not close the toolbox. */
  async close(): Promise<void> {
    this.registry.close();
    await this.codeRunner.close();
  }
}
