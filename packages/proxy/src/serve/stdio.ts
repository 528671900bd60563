import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { MCPProxy } from '../mcp-proxy.js';
import { type FaceOptions, faceOf } from './face.js';
import { Listened } from './listened.js';

/** The SDK's limit of 10 MB closes the whole connection over one large argument. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface StdioOptions extends FaceOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onError?: (error: Error) => void;
}

export interface StdioFace {
  /** Settles when the client has gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client on stdin and stdout, or on any pair of streams. Nothing but JSON-RPC goes to the output. */
export function serveStdio(proxy: MCPProxy, options: StdioOptions = {}): StdioFace {
  const { input = process.stdin, output = process.stdout, onError = () => {} } = options;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const closed = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('close', resolve);
  });
  const handle = serve(faceOf(proxy, options, false), { transport, onerror: onError });
  if (options.passThrough) readAlong(transport, new Listened(proxy), closed);
  return { closed, close: () => handle.close() };
}

function readAlong(transport: StdioServerTransport, listened: Listened, closed: Promise<void>): void {
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message, ...more) => {
    listened.received(message);
    onmessage?.(message, ...more);
  };
  transport.send = (message) => {
    listened.sent(message);
    return send(message);
  };
  void closed.then(() => listened.close());
}
