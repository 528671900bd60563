import type { ServerConfig } from '../model/server-config.js';
import { CLIENT_TITLES } from './client-files.js';
import type { FoundServer } from './read-client-file.js';

export interface MergedServer {
  readonly server: ServerConfig;
  /** Every occurrence of the server. The settings of the first one are used. */
  readonly sources: readonly FoundServer[];
}

/** Merges occurrences of the same server. Different servers with the same name get distinct names. */
export function mergeServers(found: readonly FoundServer[]): MergedServer[] {
  const groups = new Map<string, FoundServer[]>();
  for (const one of found) {
    const identity = identityOf(one.server);
    groups.set(identity, [...(groups.get(identity) ?? []), one]);
  }
  const taken = new Set<string>();
  return [...groups.values()].map((sources) => {
    const [first] = sources as [FoundServer];
    const name = freeName(first, taken);
    taken.add(name);
    // Enabled in one client means enabled; forbidden in one client means forbidden.
    const disabled = sources.every(({ server }) => server.disabled);
    const forbidden_tools = [...new Set(sources.flatMap(({ server }) => server.forbidden_tools))];
    return { server: { ...first.server, name, disabled, forbidden_tools }, sources };
  });
}

/** The command or URL with its secrets: two accounts of one service are two servers. */
function identityOf({ transport }: ServerConfig): string {
  const sorted = (map: object) => Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1));
  switch (transport.type) {
    case 'stdio':
      return JSON.stringify([transport.argv, sorted(transport.env), transport.env_file, transport.cwd]);
    case 'unix':
      return JSON.stringify([transport.unix_path]);
    default:
      return JSON.stringify([
        transport.type,
        transport.url.replace(/\/$/, ''),
        sorted(transport.http_headers).map(([header, value]) => [header.toLowerCase(), value]),
        sorted(transport.env_http_headers),
        transport.bearer_token_env_var,
      ]);
  }
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
