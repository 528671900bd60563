import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { ClientHandlers } from './client-handlers.js';

/**
 * What a connection with these handlers declares. It decides whether a cached list may be shown, before the SDK's
 * client is loaded.
 */
export function declaredCapabilities(handlers: ClientHandlers): ClientCapabilities {
  const { client, capabilities, extensions, onElicit, onSample, onRoots } = handlers;
  const configured = client?.capabilities as ClientCapabilities | null | undefined;
  if (capabilities) {
    // Tasks of a client are not reachable through another one: the server must not ask for them.
    const { tasks: _unreachable, ...reachable } = capabilities;
    return { ...configured, ...reachable, ...(client?.roots && { roots: { ...configured?.roots } }) };
  }
  return {
    ...configured,
    ...(extensions && { extensions: { ...extensions, ...configured?.extensions } }),
    ...(onRoots && { roots: { ...configured?.roots } }),
    ...(onElicit && { elicitation: { form: {}, url: {} } }),
    ...(onSample && { sampling: {} }),
  };
}
