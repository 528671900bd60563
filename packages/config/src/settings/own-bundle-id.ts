import { createHash } from 'node:crypto';
import { deriveBundleId, type ServerConnection } from '@a2c/protocol';
import type { ServerConfig } from '../model/server-config.js';

/** The bundle id that a server asks for: the configured one, else the one derived from its configuration as written. */
export function bundleIdOf(server: ServerConfig): string {
  return server.bundle_id ?? deriveBundleId(server.name, connectionOf(server), sha256);
}

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
