import { type ServerConfig, TrustError, type TrustGuard } from '@a2c/config';
import { HubError } from '../errors.js';

const BUILT_IN: ReadonlySet<string> = new Set<ServerConfig['transport']['type']>([
  'stdio',
  'unix',
  'streamable_http',
  'sse',
]);

/** True for a transport type that `@a2c/config` knows: its addresses can be checked and its placeholders filled in. */
export function isBuiltIn({ transport }: ServerConfig): boolean {
  return BUILT_IN.has(transport.type);
}

/**
 * Checks the trust policy without the network.
 *
 * @throws TrustError if the policy forbids the server
 * @throws HubError of kind `refused` for a custom transport of an untrusted configuration
 */
export function checkTrust(guard: TrustGuard, server: ServerConfig): void {
  if (guard.policy.trusted) return;
  if (!isBuiltIn(server)) {
    const message = `server "${server.name}" has the custom transport "${server.transport.type}", which needs a trusted configuration`;
    throw new HubError('refused', message, { server: server.name });
  }
  const refusals = guard.check(server);
  if (refusals.length > 0) throw new TrustError(refusals);
}

/** Checks the trust policy including host names and addresses. Throws as `checkTrust` does. */
export async function approveServer(guard: TrustGuard, server: ServerConfig): Promise<void> {
  checkTrust(guard, server);
  await guard.approve(server);
}
