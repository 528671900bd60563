import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { ServerRequest, ServerRequestHandler } from '../toolbox.js';
import type { RequestOptions } from './request-options.js';

/** The client cannot answer a server request. A server of MCP 2025 gets the code that its version has for this. */
class UnsupportedRequestError extends MissingRequiredClientCapabilityError {
  readonly legacyCode: number;

  constructor({ method, params }: ServerRequest, capabilities: ClientCapabilities | undefined) {
    const required = {
      'elicitation/create': { elicitation: params?.mode === 'url' ? { url: {} } : { form: {} } },
      'sampling/createMessage': { sampling: {} },
      'roots/list': { roots: {} },
    };
    super({ requiredCapabilities: required[method] }, `The client cannot answer ${method}`);
    const knowsMethod = method === 'elicitation/create' && capabilities?.elicitation !== undefined;
    this.legacyCode = knowsMethod ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.MethodNotFound;
  }
}

/** Rejects server requests that the client does not support, so that the MCP server need not wait for an answer. */
export function withinCapabilities(
  handler: ServerRequestHandler,
  capabilities: ClientCapabilities | undefined,
): ServerRequestHandler {
  return async (request) => {
    if (isSupported(request, capabilities)) return handler(request);
    throw new UnsupportedRequestError(request, capabilities);
  };
}

/**
 * Runs the work of a request. If it fails because the client could not be asked, a client of MCP 2026 gets the error
 * that names the missing capability: a server of 2025 reports the refused question in words of its own.
 */
export async function namingMissingCapability<T extends object>(
  options: RequestOptions,
  work: (options: RequestOptions) => Promise<T>,
): Promise<T> {
  const { onServerRequest: ask, client } = options;
  if (!ask || client.era !== 'modern') return work(options);
  let missing: MissingRequiredClientCapabilityError | undefined;
  const observed: ServerRequestHandler = (request) =>
    ask(request).catch((error) => {
      if (error instanceof MissingRequiredClientCapabilityError) missing = error;
      throw error;
    });
  options.onServerRequest = observed;
  const result = await work(options).catch((error) => Promise.reject(missing ?? error));
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
