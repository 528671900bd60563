import type { ServerConfig, TrustGuard } from '@a2c/config';
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
    case 'sse':
      throw new Error('not yet');
  }
}
