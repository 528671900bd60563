import { createHash } from 'node:crypto';
import type { ServedClient } from '@a2c/hub';
import type { Registry } from '../registry.js';
import type { Toolbox, ToolboxServer, ToolboxTool } from '../toolbox.js';

/** Some clients fail the whole session for a longer name. */
const MAX_NAME = 64;
const FORBIDDEN = /[^A-Za-z0-9_.-]/;

/** A tool or prompt of one server and its name in pass-through mode. */
export interface Exposed<T> {
  readonly name: string;
  readonly server: string;
  readonly item: T;
}

const exposedBySnapshot = new WeakMap<readonly ToolboxServer[], readonly Exposed<ToolboxTool>[]>();

/** The tools of all servers under their names in pass-through mode. */
export function exposedTools({ servers }: Registry): readonly Exposed<ToolboxTool>[] {
  const known = exposedBySnapshot.get(servers);
  if (known) return known;
  const exposed = exposeNames(servers.map(({ name, tools }) => ({ server: name, items: tools })));
  exposedBySnapshot.set(servers, exposed);
  return exposed;
}

/** The tools under their names, as one client sees them. Call `prepareClient` of the toolbox before. */
export function exposedToolsFor(
  registry: Registry,
  toolbox: Toolbox,
  client: ServedClient | undefined,
): readonly Exposed<ToolboxTool>[] {
  const own = client && toolbox.toolsFor?.(client);
  if (!own) return exposedTools(registry);
  return exposeNames(registry.servers.map(({ name, tools }) => ({ server: name, items: own.get(name) ?? tools })));
}

/**
 * Unique names for items of several servers. A name that one server uses stays, if clients accept it. A name that
 * several servers use gets the server's name as a prefix for all of them, so that the order of servers does not matter.
 */
export function exposeNames<T extends { readonly name: string }>(
  lists: readonly { readonly server: string; readonly items: readonly T[] }[],
): readonly Exposed<T>[] {
  const all = lists.flatMap(({ server, items }) => items.map((item) => ({ server, item })));
  const uses = countNames(all.map(({ item }) => item.name));
  let named = all.map(({ server, item }) => {
    const isShared = (uses.get(item.name) ?? 0) > 1;
    return { server, item, name: validName(isShared ? `${server}__${item.name}` : item.name) };
  });
  // A server may choose a name that equals a generated one. Then both get a hash, and a different one if that is taken
  // as well.
  for (let round = 1; ; round++) {
    const counts = countNames(named.map(({ name }) => name));
    if ([...counts.values()].every((count) => count === 1)) return named;
    named = named.map(({ server, item, name }) => {
      if (counts.get(name) === 1) return { server, item, name };
      return { server, item, name: hashedName(`${server}__${item.name}`, JSON.stringify([server, item.name, round])) };
    });
  }
}

function countNames(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** A name that clients accept. A hash of the original keeps two long names distinct. */
function validName(name: string): string {
  return name.length > MAX_NAME || FORBIDDEN.test(name) ? hashedName(name, name) : name;
}

function hashedName(name: string, hashed: string): string {
  const clean = name.replaceAll(new RegExp(FORBIDDEN, 'g'), '_');
  const hash = createHash('sha256').update(hashed).digest('hex').slice(0, 6);
  return `${clean.slice(0, MAX_NAME - hash.length - 1)}_${hash}`;
}
