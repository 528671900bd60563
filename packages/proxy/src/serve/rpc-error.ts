import { HubError } from '@a2c/hub';
import { isRecord } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Toolbox } from '../toolbox.js';
import type { ConnectedClient } from './connected-client.js';

/** An HTTP response with a JSON-RPC error. */
export function rpcErrorResponse(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}

/**
 * Translates a failed request. This is the only place where a `HubError` becomes a JSON-RPC error; an MCP server's own
 * code is kept.
 */
export function toProtocolError(error: unknown): Error {
  if (!(error instanceof HubError)) return error instanceof Error ? error : new Error(String(error));
  const { kind, code, data, message } = error;
  if (kind === 'upstream' && code !== undefined) return new ProtocolError(code, message, data);
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}

/** No server has a resource. The SDK replaces the code for clients of MCP 2026. */
export function resourceNotFound(uri: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.ResourceNotFound, 'Resource not found', { uri });
}

/**
 * The failure of `resources/read` in the generation of the client: a server of MCP 2026 reports an unknown resource as
 * invalid parameters, and a client of MCP 2025 expects a code of its own. The SDK translates the other way round.
 */
export function readFailure(error: unknown, toolbox: Toolbox, client: ConnectedClient): unknown {
  if (client.era === 'modern' || !isNotFound(error) || !(error instanceof HubError)) return error;
  const { server, message, data } = error;
  const era = toolbox.servers().find(({ name }) => name === server)?.era;
  return era === 'modern' ? new ProtocolError(ProtocolErrorCode.ResourceNotFound, message, data) : error;
}

/** Whether a server answered that it has no such resource, in the words of either generation. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof HubError) && !(error instanceof ProtocolError)) return false;
  const { code, data } = error;
  if (code === ProtocolErrorCode.ResourceNotFound || code === ProtocolErrorCode.MethodNotFound) return true;
  return code === ProtocolErrorCode.InvalidParams && isRecord(data) && data.uri !== undefined;
}

/**
 * How well an error explains a read that all servers refused. A server that has the resource says best what is wrong,
 * then one that says that there is none. Many servers refuse an unknown URI with invalid parameters, without data.
 */
export function readErrorRank(error: unknown): number {
  const { code } = error as { readonly code?: unknown };
  if (code === ProtocolErrorCode.MethodNotFound) return 0;
  if (isNotFound(error)) return 2;
  return code === ProtocolErrorCode.InvalidParams ? 1 : 3;
}
