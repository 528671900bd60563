import type { ServerConfig } from '../model/server-config.js';
import { CLIENT_TITLES } from './client-files.js';
import type { FoundServer } from './read-client-file.js';

export interface MergedServer {
  readonly server: ServerConfig;
  /** Every place it was found in, with the name it has there; the first one's settings count. */
  readonly sources: readonly FoundServer[];
}

/** The same server in several clients becomes one; different servers of one name get names of their own. */
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
    // Whoever uses it somewhere wants it; what one place forbids was forbidden for a reason.
    const disabled = sources.every(({ server }) => server.disabled);
    const forbidden_tools = [...new Set(sources.flatMap(({ server }) => server.forbidden_tools))];
    return { server: { ...first.server, name, disabled, forbidden_tools }, sources };
  });
}

/** What is started or called, and with which secrets: two accounts at one service are two servers. */
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

/** What a person must know to find a server again. */
export function tellMerge({ server: { name }, sources }: MergedServer): string[] {
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
