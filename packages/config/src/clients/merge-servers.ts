import { isObject } from '../json/json-value.js';
import type { ServerConfig } from '../model/server-config.js';
import { CLIENT_TITLES } from './client-files.js';
import type { FoundServer } from './read-client-file.js';

export interface MergedServer {
  readonly server: ServerConfig;
  /** Every occurrence of the server. The settings of the first one are used. */
  readonly sources: readonly FoundServer[];
}

/**
 * Merges occurrences of the same server. Different servers with the same name get distinct names. Those of the user
 * come first: a file of a project changes none of them and takes no name of them.
 */
export function mergeServers(found: readonly FoundServer[]): MergedServer[] {
  const groups = new Map<string, FoundServer[]>();
  for (const one of found.toSorted((a, b) => Number(a.isOfProject) - Number(b.isOfProject))) {
    const identity = identityOf(one.server);
    groups.set(identity, [...(groups.get(identity) ?? []), one]);
  }
  const taken = new Set<string>();
  return [...groups.values()].map((sources) => {
    const [first] = sources as [FoundServer];
    const name = freeName(first, taken);
    taken.add(name);
    const deciding = sources.filter(({ isOfProject }) => isOfProject === first.isOfProject);
    // Enabled in one client means enabled; forbidden in one client means forbidden.
    const disabled = deciding.every(({ server }) => server.disabled);
    const forbidden_tools = [...new Set(deciding.flatMap(({ server }) => server.forbidden_tools))];
    return { server: { ...first.server, name, disabled, forbidden_tools }, sources };
  });
}

/** Everything that decides what runs and what is sent, with secrets: two accounts of one service are two servers. */
function identityOf(server: ServerConfig): string {
  const { name, origin, disabled, forbidden_tools, timeouts, start_timeout, ...decides } = server;
  const { transport } = decides;
  if (!('url' in transport)) return sortedJson(decides);
  const headers = Object.entries(transport.http_headers).map(([header, value]) => [header.toLowerCase(), value]);
  const url = transport.url.replace(/\/$/, '');
  return sortedJson({ ...decides, transport: { ...transport, url, http_headers: Object.fromEntries(headers) } });
}

/** JSON in which the order of keys does not matter. */
function sortedJson(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function freeName({ server, client }: FoundServer, taken: ReadonlySet<string>): string {
  if (!taken.has(server.name)) return server.name;
  const own = `${server.name}-${client}`;
  let name = own;
  for (let number = 2; taken.has(name); number += 1) name = `${own}-${number}`;
  return name;
}

/** Notes about names that a person would not find again otherwise. */
export function mergeNotes({ server: { name }, sources }: MergedServer): string[] {
  const [first, ...others] = sources as [FoundServer, ...FoundServer[]];
  const renamed =
    first.server.name === name
      ? []
      : [`"${first.server.name}" of ${CLIENT_TITLES[first.client]} is called "${name}": another server has its name`];
  const merged = others
    .filter(({ server }) => server.name !== first.server.name)
    .map(({ server, client }) => `"${server.name}" of ${CLIENT_TITLES[client]} is the same server as "${name}"`);
  return [...renamed, ...merged];
}
