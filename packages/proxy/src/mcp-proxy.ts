import { CodeRunner } from './code/code-runner.js';
import { Executor } from './executor.js';
import { FairTurns } from './fair-turns.js';
import { PROXY_LIMITS, type ProxyLimits } from './limits.js';
import { DEFAULT_OPTIONS, type ProxyOptions } from './options.js';
import { Registry } from './registry.js';
import { ErrorResults } from './results/error-results.js';
import { showsStructureToModel } from './results/structure-readers.js';
import { TruncatedTexts } from './results/truncate.js';
import type { Toolbox } from './toolbox.js';
import { isEverything, SelectedToolbox } from './toolboxes/selected-toolbox.js';
import { ContentReader } from './tools/contents.js';
import { Inspector } from './tools/inspect.js';
import { SkillReader } from './tools/skills.js';
import { ToolFormatter } from './tools/tool-formatter.js';

/** The settings of a proxy that differ from the defaults. */
export interface MCPProxyOptions extends Partial<Omit<ProxyOptions, 'limits'>> {
  readonly limits?: Partial<ProxyLimits>;
}

/** The tools of a proxy, as one kind of client sees them. */
export interface ProxyTools {
  /** Whether results have structured content. */
  readonly hasStructure: boolean;
  /** The tool `inspect`. */
  readonly inspector: Inspector;
  /** The tool `exec`. */
  readonly executor: Executor;
  /** Resources and prompts, for `inspect`. */
  readonly contents: ContentReader;
  /** Skills, for `inspect`. */
  readonly skills: SkillReader;
  /** The tool `run`, in code mode. */
  readonly codeRunner: CodeRunner;
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
export class MCPProxy implements ProxyTools {
  readonly toolbox: Toolbox;
  readonly options: ProxyOptions;
  /** The servers and tools of the toolbox. */
  readonly registry: Registry;
  readonly hasStructure: boolean;
  readonly inspector: Inspector;
  readonly executor: Executor;
  readonly contents: ContentReader;
  readonly skills: SkillReader;
  readonly codeRunner: CodeRunner;
  /**
   * The turns of what is worked off in memory.
   *
   * @hidden
   */
  readonly turns = new FairTurns();
  /** The same tools without structured content. */
  readonly #textTools: ProxyTools;

  /** The caller keeps ownership of the toolbox. */
  constructor(toolbox: Toolbox, options: MCPProxyOptions = {}) {
    this.options = { ...DEFAULT_OPTIONS, ...options, limits: { ...PROXY_LIMITS, ...options.limits } };
    const { limits, maxResultLength, selection, structuredContent } = this.options;
    this.toolbox = isEverything(selection) ? toolbox : new SelectedToolbox(toolbox, selection);
    this.registry = new Registry(this.toolbox, this.options);
    const formatter = new ToolFormatter(this.options);
    const shared = {
      toolbox: this.toolbox,
      registry: this.registry,
      formatter,
      errors: new ErrorResults(this.registry, formatter),
      rests: new TruncatedTexts(maxResultLength, limits),
      options: this.options,
      turns: this.turns,
    };
    this.#textTools = toolsFrom(shared, false);
    const tools = structuredContent === false ? this.#textTools : toolsFrom(shared, true);
    this.hasStructure = tools.hasStructure;
    this.inspector = tools.inspector;
    this.executor = tools.executor;
    this.contents = tools.contents;
    this.skills = tools.skills;
    this.codeRunner = tools.codeRunner;
  }

  /** The tools for a client of this name: without structured content if it is known to show it to its model. */
  toolsFor(clientName: string | undefined): ProxyTools {
    const isUnwanted = this.options.structuredContent === 'auto' && showsStructureToModel(clientName);
    return isUnwanted ? this.#textTools : this;
  }

  /** Stops listening to the toolbox and ends running code; does not close the toolbox. */
  async close(): Promise<void> {
    this.registry.close();
    await Promise.all([this.codeRunner.close(), this.#textTools.codeRunner.close()]);
  }
}

type SharedContext = Omit<ConstructorParameters<typeof CodeRunner>[0], 'executor' | 'inspector'> &
  Omit<ConstructorParameters<typeof Inspector>[0], 'isCodeOffered'> & { readonly toolbox: Toolbox };

function toolsFrom(shared: SharedContext, hasStructure: boolean): ProxyTools {
  const options = { ...shared.options, structuredContent: hasStructure };
  const context = { ...shared, options, isCodeOffered: () => codeRunner.isOffered };
  const inspector = new Inspector(context);
  const executor = new Executor(context);
  const codeRunner: CodeRunner = new CodeRunner({ ...context, inspector, executor });
  const [contents, skills] = [new ContentReader(context), new SkillReader(context)];
  return { hasStructure, inspector, executor, contents, skills, codeRunner };
}
