import { createHash } from 'node:crypto';
import type { ServerConfig } from '@a2c/config';
import { deriveBundleId, type ServerConnection } from '@a2c/protocol';

/** The bundle ids of all servers, in both directions. */
export interface BundleIds {
  readonly ofServer: ReadonlyMap<string, string>;
  readonly servers: ReadonlyMap<string, string>;
  /** Servers whose derived id another server has; they have the next free one. */
  readonly renamed: readonly { readonly server: string; readonly bundleId: string; readonly owner: string }[];
}

/**
 * Assigns a bundle id to each server: the configured one, else the one derived from its configuration as written. Of
 * several servers with the same derived id the first one has it; both stay callable.
 */
export function bundleIdsOf(configs: readonly ServerConfig[]): BundleIds {
  const servers = new Map<string, string>();
  for (const { name, bundle_id } of configs)
    if (bundle_id !== undefined && !servers.has(bundle_id)) servers.set(bundle_id, name);
  const renamed: BundleIds['renamed'][number][] = [];
  for (const config of configs) {
    const derived = config.bundle_id ?? deriveBundleId(config.name, connectionOf(config), sha256);
    const owner = servers.get(derived);
    if (owner === config.name) continue;
    let bundleId = derived;
    for (let number = 2; servers.has(bundleId); number++) bundleId = `${derived}-${number}`;
    if (owner !== undefined) renamed.push({ server: config.name, bundleId, owner });
    servers.set(bundleId, config.name);
  }
  return { servers, ofServer: new Map([...servers].map(([bundleId, name]) => [name, bundleId])), renamed };
}

function connectionOf({ transport }: ServerConfig): ServerConnection {
  switch (transport.type) {
    case 'stdio': {
      const [command, ...args] = transport.argv;
      return { type: 'stdio', command, args, env: transport.env };
    }
    case 'streamable_http':
      return { type: 'streamable', url: transport.url, headers: transport.http_headers };
    case 'sse':
      return { type: 'sse', url: transport.url, headers: transport.http_headers };
    default: // A unix socket, or the transport of an extension: the protocol knows neither.
      return { type: 'stdio', command: JSON.stringify(transport), args: [], env: {} };
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
