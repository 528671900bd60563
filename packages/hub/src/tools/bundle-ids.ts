import { bundleIdOf, type ServerConfig } from '@a2c/config';

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
    const derived = bundleIdOf(config);
    const owner = servers.get(derived);
    if (owner === config.name) continue;
    let bundleId = derived;
    for (let number = 2; servers.has(bundleId); number++) bundleId = `${derived}-${number}`;
    if (owner !== undefined) renamed.push({ server: config.name, bundleId, owner });
    servers.set(bundleId, config.name);
  }
  return { servers, ofServer: new Map([...servers].map(([bundleId, name]) => [name, bundleId])), renamed };
}
