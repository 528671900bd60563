import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { MCPProxy } from '../mcp-proxy.js';
import { createEndpoint, type ServeOptions, serverFactory } from './server-factory.js';
import { ListenSubscriptions } from './subscriptions.js';

/** Options of `serveStdio`. */
export interface StdioOptions extends ServeOptions {
  /** Default: stdin. */
  readonly input?: Readable;
  /** Default: stdout. */
  readonly output?: Writable;
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
  const endpoint = createEndpoint(proxy);
  const handle = serve(serverFactory(endpoint, options, false), { transport, onerror: onError });
  if (options.passThrough) observe(transport, new ListenSubscriptions(endpoint), closed);
  void closed.then(() => endpoint.calls.close());
  return { closed, close: () => handle.close() };
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
