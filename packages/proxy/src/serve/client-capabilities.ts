import { type ClientCapabilities, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import type { ServerRequest, ServerRequestHandler, ToolboxCallOptions } from '../toolbox.js';

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

/**
 * Runs the work of a request. If it fails because the client could not be asked, a client of MCP 2026 gets the error
 * that names the missing capability: a server of 2025 reports the refused question in words of its own.
 */
export async function namingMissingCapability<T extends object>(
  options: ToolboxCallOptions,
  work: (options: ToolboxCallOptions) => Promise<T>,
): Promise<T> {
  const { onServerRequest: ask, client } = options;
  if (!ask || client?.era !== 'modern') return work(options);
  let missing: MissingRequiredClientCapabilityError | undefined;
  const onServerRequest: ServerRequestHandler = (request) =>
    ask(request).catch((error) => {
      if (error instanceof MissingRequiredClientCapabilityError) missing = error;
      throw error;
    });
  const result = await work({ ...options, onServerRequest }).catch((error) => Promise.reject(missing ?? error));
  if (missing && (result as { isError?: unknown }).isError === true) throw missing;
  return result;
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
