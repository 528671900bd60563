import { bundleIdOfName } from '@a2c/protocol';
import type { ServerConfig } from '../model/server-config.js';

/** The bundle id that a server asks for. */
export const bundleIdOf = ({ name, bundle_id }: ServerConfig): string => bundle_id ?? (bundleIdOfName(name) || name);

/** What settings, limits of keys and Agents may call a server. */
export const idsOf = (server: ServerConfig): readonly string[] => [server.name, bundleIdOf(server)];

/**
 * The server of a project or plugin with a bundle id that none of `others` has as its name or bundle id: it must not
 * answer for tools of a server of the user.
 */
export function withOwnBundleId(
  server: ServerConfig,
  others: readonly ServerConfig[],
  kind: 'project' | 'plugin',
): ServerConfig {
  const taken = new Set(others.filter(({ name }) => name !== server.name).flatMap(idsOf));
  const wanted = bundleIdOf(server);
  if (!taken.has(wanted)) return server;
  let bundle_id = `${wanted}-${kind}`;
  for (let number = 2; taken.has(bundle_id); number++) bundle_id = `${wanted}-${kind}-${number}`;
  return { ...server, bundle_id };
}
