import type { CallOptions, Toolbox, ToolboxServer } from '../toolbox.js';

/** A server that pages without end is cut off here. */
const MAX_PAGES = 100;

export interface Gathered {
  readonly server: string;
  readonly items: readonly GatheredItem[];
}

export interface GatheredItem {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A server that takes longer to list what it has is left out, so that the others can be seen. */
const LIST_PATIENCE_MS = 10_000;

/** One list from every server that has such things. A server that fails adds nothing, and takes nothing from the others. */
export async function gather(
  toolbox: Toolbox,
  capability: string,
  method: string,
  field: string,
  options: CallOptions,
): Promise<readonly Gathered[]> {
  const servers = serversWith(toolbox, capability);
  const patience = AbortSignal.timeout(LIST_PATIENCE_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
  return Promise.all(
    servers.map(async ({ name: server }) => {
      const items = await allPages(toolbox, server, method, field, { ...options, signal }).catch(() => []);
      return { server, items };
    }),
  );
}

/** Those that are there and declare the capability, by name. */
export function serversWith(toolbox: Toolbox, capability: string): readonly ToolboxServer[] {
  return toolbox
    .servers()
    .filter(({ state, capabilities }) => state === 'ready' && capabilities?.[capability] !== undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function allPages(
  toolbox: Toolbox,
  server: string,
  method: string,
  field: string,
  options: CallOptions,
): Promise<readonly GatheredItem[]> {
  const items: GatheredItem[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await toolbox.request(server, { method, params }, options);
    const listed = Array.isArray(result[field]) ? result[field] : [];
    for (const item of listed) if (isItem(item, field)) items.push(item);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return items;
}

/** What makes an item one: clients refuse a whole list for one that lacks it. */
const ADDRESS: Readonly<Record<string, string>> = { resources: 'uri', resourceTemplates: 'uriTemplate' };

function isItem(item: unknown, field: string): item is GatheredItem {
  if (typeof item !== 'object' || item === null) return false;
  const { name, [ADDRESS[field] ?? 'name']: address } = item as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof address === 'string';
}
