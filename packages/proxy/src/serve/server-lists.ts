import { withValidFields } from '@a2c/hub';
import { delay } from '@a2c/protocol';
import type { ProxyLimits } from '../limits.js';
import type { Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';
import { listPages } from '../toolboxes/list-pages.js';

export interface ListedItem {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface ServerList {
  readonly server: string;
  readonly items: readonly ListedItem[];
}

/** A list of MCP: the capability and method behind it, and the fields of its result and its items. */
export interface ListKind {
  readonly capability: string;
  readonly method: string;
  readonly field: 'resources' | 'resourceTemplates' | 'prompts';
  /** The field that an item must have besides `name`; clients reject a whole list for one item without it. */
  readonly key: string;
}

/** After a late answer, the next request waits for so many times less. */
const LATE_FACTOR = 10;

/** Requests one list from every server that has it. */
export class ServerLists {
  readonly #toolbox: Toolbox;
  readonly #kind: ListKind;
  readonly #limits: ProxyLimits;
  /** The servers whose last answer was late. */
  readonly #late = new Set<string>();
  /** What each server has listed last, by client: each may see others. */
  readonly #listed = new WeakMap<object, Map<string, readonly ListedItem[]>>();

  constructor(toolbox: Toolbox, kind: ListKind, limits: ProxyLimits) {
    this.#toolbox = toolbox;
    this.#kind = kind;
    this.#limits = limits;
  }

  /**
   * A server that fails is left out. Of one that does not answer in time, its former list is used, and the next request
   * has what it lists meanwhile.
   */
  request(options: ToolboxCallOptions): Promise<readonly ServerList[]> {
    return Promise.all(
      serversWith(this.#toolbox, this.#kind.capability).map(async ({ name: server }) => {
        const waitMs = this.#limits.listWaitMs / (this.#late.has(server) ? LATE_FACTOR : 1);
        const isOver = new AbortController();
        const late = delay(waitMs, isOver.signal).then(
          () => {
            this.#late.add(server);
            return this.#listedBy(options).get(server) ?? [];
          },
          () => [],
        );
        const items = await Promise.race([this.#read(server, options), late]);
        isOver.abort();
        return { server, items };
      }),
    );
  }

  async #read(server: string, options: ToolboxCallOptions): Promise<readonly ListedItem[]> {
    const timeout = AbortSignal.timeout(this.#limits.listTimeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const list = { ...this.#kind, maxPages: this.#limits.listPages };
    try {
      const found = await listPages(this.#toolbox, server, list, { ...options, signal });
      const valid = found.filter((item) => isItem(item, list.key)) as ListedItem[];
      const items = valid.map((item) => withValidFields(list.field, item));
      this.#listedBy(options).set(server, items);
      if (!timeout.aborted) this.#late.delete(server);
      return items;
    } catch {
      return []; // The server has failed: its state and its log say why.
    }
  }

  #listedBy({ client }: ToolboxCallOptions): Map<string, readonly ListedItem[]> {
    const known = this.#listed.get(client ?? this);
    if (known) return known;
    const lists = new Map<string, readonly ListedItem[]>();
    this.#listed.set(client ?? this, lists);
    return lists;
  }
}

/** The ready servers that declare a capability, in the order of the configuration. */
export function serversWith(toolbox: Toolbox, capability: string): readonly ToolboxServer[] {
  return toolbox
    .servers()
    .filter(({ state, capabilities }) => state === 'ready' && capabilities?.[capability] !== undefined);
}

function isItem(item: unknown, key: string): item is ListedItem {
  if (typeof item !== 'object' || item === null) return false;
  const { name, [key]: value } = item as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof value === 'string';
}
