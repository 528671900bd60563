import { HubError } from '@a2c/hub';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

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
