import { Executor } from './executor.js';
import { DEFAULT_OPTIONS, type ProxyOptions } from './options.js';
import { Registry } from './registry.js';
import { KeptTexts } from './results/kept-texts.js';
import { PromptTable } from './serve/prompt-table.js';
import { ResourceTable } from './serve/resource-table.js';
import { WaitingRoom } from './serve/waiting-room.js';
import type { Toolbox } from './toolbox.js';
import { Failures } from './tools/failures.js';
import { Inspector } from './tools/inspect.js';
import { ToolText } from './tools/tool-text.js';

/** MCPX: a toolbox behind `inspect` and `exec`. Holds what all connections share; `serveStdio` and `serveHttp` give it doors. */
export class MCPProxy {
  readonly toolbox: Toolbox;
  readonly options: ProxyOptions;
  readonly registry: Registry;
  readonly inspector: Inspector;
  readonly executor: Executor;
  readonly waitingRoom = new WaitingRoom();
  readonly prompts: PromptTable;
  readonly resources: ResourceTable;

  constructor(toolbox: Toolbox, options: Partial<ProxyOptions> = {}) {
    this.toolbox = toolbox;
    this.options = { ...DEFAULT_OPTIONS, ...options };
    this.prompts = new PromptTable(toolbox);
    this.resources = new ResourceTable(toolbox);
    this.registry = new Registry(toolbox, this.options.catalogueTokens);
    const text = new ToolText(this.options);
    const shared = {
      toolbox,
      registry: this.registry,
      text,
      failures: new Failures(this.registry, text),
      kept: new KeptTexts(this.options.maxResultLength),
      options: this.options,
    };
    this.inspector = new Inspector(shared);
    this.executor = new Executor(shared);
  }

  /** Gives up what is waiting. The toolbox belongs to whoever made it. */
  close(): void {
    this.waitingRoom.close();
    this.registry.close();
  }
}
