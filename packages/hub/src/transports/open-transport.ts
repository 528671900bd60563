import type { ServerConfig, TrustGuard } from '@a2c/config';
import type { LinkOptions } from './http/http-link.js';
import { HttpTransport } from './http/http-transport.js';
import { SseTransport } from './http/sse-transport.js';
import type { ServerTransport, TransportLimits } from './server-transport.js';
import { StdioTransport } from './stdio-transport.js';
import { UnixTransport } from './unix-transport.js';

export interface OpenOptions {
  /** Stands between configuration and the world; every dial passes it, redirects and told addresses included. */
  readonly guard: TrustGuard;
  /** What a stdout_log must stay inside. */
  readonly root: string;
  readonly limits: TransportLimits;
}

/**
 * The way to a server that `resolveServer` has made ready. Not started: the SDK's `Client` does that. Throws `TrustError` when
 * the source is not trusted with it, and an `Error` that names the remedy when it cannot work.
 */
export async function openTransport(server: ServerConfig, options: OpenOptions): Promise<ServerTransport> {
  const { guard, root, limits } = options;
  const { transport } = server;
  await guard.approve(server);
  switch (transport.type) {
    case 'stdio':
      return StdioTransport.prepare(transport, root, limits);
    case 'unix':
      return new UnixTransport(transport.unix_path, limits);
    case 'streamable_http':
      return new HttpTransport(transport, linkOptions(server, transport.http_headers, options));
    case 'sse':
      return new SseTransport(transport, linkOptions(server, transport.http_headers, options));
  }
}

/** Shorter texts are words that may stand anywhere, such as `1` or `true`. */
const SHORTEST_SECRET = 6;

function linkOptions(
  { name, timeouts }: ServerConfig,
  headers: Readonly<Record<string, string>>,
  { guard, limits }: OpenOptions,
): LinkOptions {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ /, '')]);
  const secrets = values.filter((value) => value.length >= SHORTEST_SECRET);
  return { server: name, guard, limits, timeouts, secrets };
}
