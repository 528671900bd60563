import { type ClientCapabilities, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import type { ServerRequest, ServerRequestHandler } from '../toolbox.js';

/**
 * Answers server requests that the client does not support, so that the MCP server continues at once instead of
 * waiting.
 */
export function withinCapabilities(
  handler: ServerRequestHandler,
  capabilities: ClientCapabilities | undefined,
): ServerRequestHandler {
  return async (request) => {
    if (isSupported(request, capabilities)) return handler(request);
    if (request.method === 'elicitation/create') return { action: 'cancel' };
    // The one error code for this that both generations have. The server passes it on to its caller.
    const requiredCapabilities = request.method === 'roots/list' ? { roots: {} } : { sampling: {} };
    const message = `The client cannot answer ${request.method}`;
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities }, message);
  };
}

function isSupported({ method, params }: ServerRequest, capabilities: ClientCapabilities | undefined): boolean {
  switch (method) {
    case 'elicitation/create':
      return supportsElicitation(params?.mode === 'url' ? 'url' : 'form', capabilities);
    case 'sampling/createMessage':
      return capabilities?.sampling !== undefined;
    case 'roots/list':
      return capabilities?.roots !== undefined;
  }
}

/** `elicitation: {}` is the declaration from before there were modes, and means forms. */
export function supportsElicitation(mode: 'form' | 'url', capabilities: ClientCapabilities | undefined): boolean {
  const declared = capabilities?.elicitation;
  if (!declared) return false;
  if (mode === 'url') return declared.url !== undefined;
  return declared.form !== undefined || declared.url === undefined;
}
