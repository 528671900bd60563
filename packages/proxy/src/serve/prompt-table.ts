import type { CallOptions, Toolbox } from '../toolbox.js';
import { type Exposed, exposeNames } from './exposed-names.js';
import { type GatheredItem, gather } from './gather.js';

/** The prompts of all servers under the names they have in pass-through mode. */
export class PromptTable {
  readonly #toolbox: Toolbox;
  #known: readonly Exposed<GatheredItem>[] = [];

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  async list(options: CallOptions): Promise<readonly Exposed<GatheredItem>[]> {
    this.#known = exposeNames(await gather(this.#toolbox, 'prompts', 'prompts/list', 'prompts', options));
    return this.#known;
  }

  /** As last listed: whoever gets a prompt has seen it there, and need not wait for the slowest server again. */
  async find(name: string, options: CallOptions): Promise<Exposed<GatheredItem> | undefined> {
    const named = (prompts: readonly Exposed<GatheredItem>[]) => prompts.find((prompt) => prompt.name === name);
    return named(this.#known) ?? named(await this.list(options));
  }
}
