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

/** The items of one server, and the names that it is known to use besides. */
interface NamedList<T> {
  readonly server: string;
  readonly items: readonly T[];
  readonly knownNames?: readonly string[] | undefined;
}

const exposedBySnapshot = new WeakMap<readonly ToolboxServer[], readonly Exposed<ToolboxTool>[]>();

/** Names, not the tool itself: a tool that has changed would be kept with its schemas. */
interface ToolNames {
  readonly server: string;
  readonly tool: string;
}

/** The tool that each name stood for, also before a second server was known to use it. */
const formerNames = new WeakMap<Registry, ReadonlyMap<string, ToolNames>>();

/** The tools of all servers under their names in pass-through mode. */
export function exposedTools(registry: Registry): readonly Exposed<ToolboxTool>[] {
  const { servers } = registry;
  const known = exposedBySnapshot.get(servers);
  if (known) return known;
  const exposed = exposeNames(
    servers.map(({ name, tools, knownNames }) => ({ server: name, items: tools, knownNames })),
  );
  exposedBySnapshot.set(servers, exposed);
  const former = [...(formerNames.get(registry) ?? [])].filter(mayReturn(servers));
  const present = exposed.map(({ name, server, item }) => [name, { server, tool: item.name }] as const);
  formerNames.set(registry, new Map([...former, ...present]));
  return exposed;
}

/** Whether a server still has the tool of a former name, or has no list at present, such as during a restart. */
function mayReturn(servers: readonly ToolboxServer[]): (entry: readonly [string, ToolNames]) => boolean {
  const listed = new Map(servers.map(({ name, tools }) => [name, new Set(tools.map((tool) => tool.name))]));
  return ([, { server, tool }]) => {
    const tools = listed.get(server);
    return tools !== undefined && (tools.size === 0 || tools.has(tool));
  };
}

/** The tool that a name stood for earlier, if its server still has it. */
export function formerTool(registry: Registry, name: unknown): Exposed<ToolboxTool> | undefined {
  const former = formerNames.get(registry)?.get(String(name));
  const isSame = ({ server, item }: Exposed<ToolboxTool>) => server === former?.server && item.name === former.tool;
  return former && exposedTools(registry).find(isSame);
}

/** The tools under their names, as one client sees them. Call `prepareClient` of the toolbox before. */
export function exposedToolsFor(
  registry: Registry,
  toolbox: Toolbox,
  client: ServedClient | undefined,
): readonly Exposed<ToolboxTool>[] {
  const own = client && toolbox.toolsFor?.(client);
  if (!own) return exposedTools(registry);
  return exposeNames(
    registry.servers.map(({ name, tools, knownNames }) => ({
      server: name,
      items: own.get(name) ?? tools,
      knownNames,
    })),
  );
}

/**
 * Unique names for items of several servers. A name that one server uses stays, if clients accept it. A name that
 * several servers use gets the server's name as a prefix for all of them, so that the order of servers does not matter.
 * A server that does not run counts too, so that a name never stands for the tool of another server.
 */
export function exposeNames<T extends { readonly name: string }>(
  lists: readonly NamedList<T>[],
): readonly Exposed<T>[] {
  // Of two items of one server with the same name, the server finds only one by it.
  const distinct = lists.map(({ items, ...list }) => ({
    ...list,
    items: [...new Map(items.toReversed().map((item) => [item.name, item])).values()].toReversed(),
  }));
  const all = distinct.flatMap(({ server, items }) => items.map((item) => ({ server, item })));
  const uses = countNames(distinct.flatMap(namesIn));
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

function namesIn({ items, knownNames = [] }: NamedList<{ readonly name: string }>): readonly string[] {
  const listed = items.map(({ name }) => name);
  const isListed = new Set(listed);
  return [...listed, ...new Set(knownNames.filter((name) => !isListed.has(name)))];
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
