import type { ClientConfig } from '@a2c/config';
import type { RootsHandler } from './client-handlers.js';

/** Returns a handler that answers with the configured roots, if there are any. */
export function configuredRoots(client: ClientConfig | null): RootsHandler | undefined {
  if (!client?.roots) return undefined;
  const roots = client.roots.map(({ uri, name }) => ({ uri, ...(name !== null && { name }) }));
  return async () => ({ roots });
}
