import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '@a2c/protocol';
import {
  type JSONRPCRequest,
  type McpRequestContext,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { CallDispatch } from './call-dispatch.js';
import { HttpReply } from './http-reply.js';
import type { LenientServer } from './lenient-server.js';
import type { ServerFactory } from './server-factory.js';

/**
 * Dispatches the calls of clients of MCP 2026 over HTTP. The SDK gets a new server for each request that it handles;
 * the first one that has accepted a call serves the dispatched calls of all clients.
 */
export class StatelessCalls {
  readonly #factory: ServerFactory;
  #calls: CallDispatch | undefined;
  #lastId = 0;

  constructor(factory: ServerFactory) {
    this.#factory = factory;
  }

  /** Creates the server of one request that the SDK handles. */
  readonly createServer = async (context: McpRequestContext): Promise<LenientServer> => {
    const server = await this.#factory(context);
    server.onAccepted = (envelope) => {
      this.#calls ??= server.createDispatch();
      this.#calls?.accept(envelope);
    };
    return server;
  };

  /** Returns false if the SDK has to handle the request, also to reject its headers. */
  take(message: JSONRPCRequest, { headers, socket }: IncomingMessage, response: ServerResponse): boolean {
    const { id, method, params = {} } = message;
    const version = isRecord(params._meta) ? params._meta[PROTOCOL_VERSION_META_KEY] : undefined;
    const isStated =
      headers['mcp-protocol-version'] === version &&
      headers['mcp-method'] === method &&
      headers['mcp-name'] === params.name;
    const calls = this.#calls;
    if (!isStated || !calls) return false;
    // Different clients may use the same id.
    const ownId = ++this.#lastId;
    return calls.take(Object.assign({}, message, { id: ownId }), () => {
      // A client cancels a request by closing the response.
      response.once('close', () => {
        if (calls.replyOf(ownId)) calls.cancel(ownId, new Error('the client has disconnected'));
      });
      return new HttpReply(response, { id, errorStatus, address: socket.remoteAddress });
    });
  }

  /** Ends the pending calls. */
  close(): void {
    this.#calls?.close();
  }
}

const errorStatus = (code: number): number => (code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200);
