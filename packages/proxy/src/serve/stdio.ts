import type { Readable, Writable } from 'node:stream';
import type { ServedClient } from '@a2c/hub';
import { isRecord } from '@a2c/protocol';
import { CLIENT_CAPABILITIES_META_KEY, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { MCPProxy } from '../mcp-proxy.js';
import { ConnectedClient } from './connected-client.js';
import type { LenientServer } from './lenient-server.js';
import { createEndpoint, type ServeOptions, type ServerFactory, serverFactory } from './server-factory.js';
import { StdioTransport } from './stdio-transport.js';
import { ListenSubscriptions } from './subscriptions.js';

/** Options of `serveStdio`. */
export interface StdioOptions extends ServeOptions {
  /** Default: stdin. */
  readonly input?: Readable;
  /** Default: stdout. */
  readonly output?: Writable;
  /** Receives the client when it has introduced itself. */
  readonly onClient?: (client: ServedClient) => void;
  /** Called when the first list of tools is written. */
  readonly onListed?: () => void;
  /** Receives errors that the client cannot be informed of, such as messages that are not JSON-RPC. */
  readonly onError?: (error: Error) => void;
}

/** A proxy that is served on a pair of streams. */
export interface StdioEndpoint {
  /** Resolves when the client has disconnected. */
  readonly closed: Promise<void>;
  /** Ends the connection. The proxy itself stays open. */
  close(): Promise<void>;
}

/**
 * Serves a proxy to one client on stdin and stdout, or on any pair of streams. Writes only JSON-RPC to the output.
 *
 * @example
 * ```ts
 * await serveStdio(proxy).closed;
 * ```
 */
export function serveStdio(proxy: MCPProxy, options: StdioOptions = {}): StdioEndpoint {
  const { input = process.stdin, output = process.stdout, onError = () => {} } = options;
  const transport = new StdioTransport(input, output, proxy.options.limits);
  const endpoint = createEndpoint(proxy, (message) => onError(new Error(message)));
  const isDirect = options.passThrough === true;
  let client: ConnectedClient | undefined;
  let server: LenientServer | undefined;
  const factory: ServerFactory = async (context) => {
    client ??= new ConnectedClient(context.era, false, isDirect);
    server = await serverFactory(endpoint, options, client)(context);
    server.answers = transport; // The SDK would check them again.
    return server;
  };
  const handle = serve(factory, { transport, onerror: onError });
  const subscriptions = isDirect ? new ListenSubscriptions(endpoint) : undefined;
  const { onmessage, onclose } = transport;
  let isFirst = true;
  transport.onmessage = (message) => {
    if (isFirst) {
      isFirst = false;
      client = clientFrom(message, isDirect);
      options.onClient?.(client);
    }
    if (options.onListed && 'method' in message && message.method === 'tools/list' && 'id' in message) {
      const { id } = message;
      transport.onanswered ??= (answered) => answered === id && options.onListed?.();
    }
    subscriptions?.onReceive(message);
    if (!server?.take(message)) onmessage?.(message);
  };
  if (subscriptions) observeSent(transport, subscriptions);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      endpoint.calls.close();
      subscriptions?.close();
      resolve();
    };
  });
  return { closed, close: () => handle.close() };
}

function observeSent(transport: StdioTransport, subscriptions: ListenSubscriptions): void {
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    subscriptions.onSend(message);
    return send(message);
  };
}

/** The client as its first message describes it: in `initialize`, or in the `_meta` of any request since MCP 2026. */
function clientFrom(message: JSONRPCMessage, isDirect: boolean): ConnectedClient {
  const { method, params = {} } = message as { method?: string; params?: Record<string, unknown> };
  const meta = isRecord(params._meta) ? params._meta : {};
  const isModern = isRecord(meta[CLIENT_CAPABILITIES_META_KEY]);
  const declared = isModern ? meta[CLIENT_CAPABILITIES_META_KEY] : method === 'initialize' && params.capabilities;
  const client = new ConnectedClient(isModern ? 'modern' : 'legacy', false, isDirect);
  if (isRecord(declared)) client.capabilities = declared;
  return client;
}
