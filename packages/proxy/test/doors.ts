import { PassThrough } from 'node:stream';
import { type HttpOptions, type MCPProxy, serveHttp, serveStdio } from '@a2c/proxy';
import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  ReadBuffer,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

/** Both transports with clients of both generations. The proxy behaves the same on all four. */
export const DOORS = [
  { door: 'stdio', generation: '2025-11-25' },
  { door: 'stdio', generation: '2026-07-28' },
  { door: 'http', generation: '2025-11-25' },
  { door: 'http', generation: '2026-07-28' },
] as const;

export type Door = (typeof DOORS)[number];

/** Runs after the test, last registered first. */
export function atEnd(close: () => unknown): void {
  onTestFinished(async () => void (await close()));
}

interface EnterOptions extends ClientOptions {
  readonly serve?: HttpOptions;
  /** The name that the client declares. */
  readonly name?: string;
  /** Receives what the proxy sends, before the client parses it. */
  readonly onWire?: Listener;
}

type Listener = (text: string) => void;

/** Passed to `onWire` once a client of 2025 has opened its HTTP stream for notifications. */
export const STREAM_OPEN = 'the stream is open';

/** Connects a client of one generation over one transport. */
export async function enter(
  proxy: MCPProxy,
  { door, generation }: Door,
  { serve = {}, onWire = () => {}, name = 'test', ...options }: EnterOptions = {},
): Promise<Client> {
  const transport = door === 'stdio' ? overStreams(proxy, serve, onWire) : await overHttp(proxy, serve, onWire);
  const client = new Client(
    { name, version: '1.0.0' },
    { ...options, versionNegotiation: { mode: generation === '2026-07-28' ? { pin: generation } : 'legacy' } },
  );
  atEnd(() => client.close());
  await client.connect(transport);
  return client;
}

async function overHttp(proxy: MCPProxy, serve: HttpOptions, onWire: Listener): Promise<Transport> {
  const decoder = new TextDecoder();
  const tapped: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    if (args[1]?.method === 'GET' && response.ok) onWire(STREAM_OPEN);
    const tap = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onWire(decoder.decode(chunk));
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(tap) ?? null, response);
  };
  return new StreamableHTTPClientTransport(await serving(proxy, serve), { fetch: tapped });
}

/** Serves the proxy over HTTP until the end of the test and returns the URL. */
export async function serving(proxy: MCPProxy, serve: HttpOptions = {}): Promise<URL> {
  const endpoint = await serveHttp(proxy, serve);
  atEnd(() => endpoint.close());
  return new URL(endpoint.url);
}

/** A stdio connection over in-memory streams. */
function overStreams(proxy: MCPProxy, serve: HttpOptions, onWire: Listener): Transport {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const endpoint = serveStdio(proxy, { ...serve, input, output });
  atEnd(() => endpoint.close());
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      output.on('data', (chunk: Buffer) => {
        onWire(String(chunk));
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
      output.on('close', () => transport.onclose?.());
    },
    async send(message: JSONRPCMessage) {
      input.write(serializeMessage(message));
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}
