import type { Readable, Writable } from 'node:stream';
import type { ServedClient } from '@a2c/hub';
import { isRecord } from '@a2c/protocol';
import { CLIENT_CAPABILITIES_META_KEY, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { MCPProxy } from '../mcp-proxy.js';
import { ConnectedClient } from './connected-client.js';
import { invalidMessage } from './params-problem.js';
import { createEndpoint, type ServeOptions, type ServerFactory, serverFactory } from './server-factory.js';
import { ListenSubscriptions } from './subscriptions.js';

/** Options of `serveStdio`. */
export interface StdioOptions extends ServeOptions {
  /** Default: stdin. */
  readonly input?: Readable;
  /** Default: stdout. */
  readonly output?: Writable;
  /** Receives the client when it has introduced itself. */
  readonly onClient?: (client: ServedClient) => void;
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
  // The SDK's default of 10 MB would close the connection for one large argument.
  const transport = new StdioServerTransport(input, output, { maxBufferSize: proxy.options.limits.messageBytes });
  const closed = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('close', resolve);
  });
  const endpoint = createEndpoint(proxy, (message) => onError(new Error(message)));
  const isDirect = options.passThrough === true;
  let client: ConnectedClient | undefined;
  const factory: ServerFactory = (context) => {
    client ??= new ConnectedClient(context.era, false, isDirect);
    return serverFactory(endpoint, options, client)(context);
  };
  const handle = serve(factory, {
    transport,
    onerror: (error) => {
      const invalid = invalidMessage(error);
      // No id can be read from it, so that the client learns it at least this way.
      if (invalid) void transport.send(invalid as unknown as JSONRPCMessage).catch(onError);
      onError(invalid ? new Error(invalid.error.message) : error);
    },
  });
  if (options.passThrough) observe(transport, new ListenSubscriptions(endpoint), closed);
  onFirstMessage(transport, (message) => {
    client = clientFrom(message, isDirect);
    options.onClient?.(client);
  });
  void closed.then(() => endpoint.calls.close());
  return { closed, close: () => handle.close() };
}

function onFirstMessage(transport: StdioServerTransport, listener: (message: JSONRPCMessage) => void): void {
  const { onmessage } = transport;
  let isFirst = true;
  transport.onmessage = (message, ...more) => {
    if (isFirst) listener(message);
    isFirst = false;
    onmessage?.(message, ...more);
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

function observe(transport: StdioServerTransport, subscriptions: ListenSubscriptions, closed: Promise<void>): void {
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message, ...more) => {
    subscriptions.onReceive(message);
    onmessage?.(message, ...more);
  };
  transport.send = (message) => {
    subscriptions.onSend(message);
    return send(message);
  };
  void closed.then(() => subscriptions.close());
}
