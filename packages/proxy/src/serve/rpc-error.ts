import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ToolboxError } from '../toolbox-error.js';

/** A refusal of a request over HTTP. */
export function rpcError(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}

/** A failure as the client would have seen it from the server itself. */
export function asProtocolError(error: unknown): Error {
  if (!(error instanceof ToolboxError)) return error instanceof Error ? error : new Error(String(error));
  return new ProtocolError(error.rpc?.code ?? ProtocolErrorCode.InternalError, error.message, error.rpc?.data);
}
