import { PassThrough } from 'node:stream';
import { type HttpOptions, type McpProxy, serveHttp, serveStdio } from '@a2c/proxy';
import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  ReadBuffer,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { afterEach } from 'vitest';

/** Both ways in, for both generations of clients: whatever the proxy does, it does behind all four. */
export const DOORS = [
  { door: 'stdio', generation: '2025-11-25' },
  { door: 'stdio', generation: '2026-07-28' },
  { door: 'http', generation: '2025-11-25' },
  { door: 'http', generation: '2026-07-28' },
] as const;

export type Door = (typeof DOORS)[number];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Runs after the test, last registered first. */
export function atEnd(close: () => unknown): void {
  closers.push(close);
}

/** A client of that generation, connected through that door. */
export async function enter(
  proxy: McpProxy,
  { door, generation }: Door,
  options: ClientOptions & { readonly serve?: HttpOptions } = {},
): Promise<Client> {
  const transport = door === 'stdio' ? overStreams(proxy, options.serve) : await overHttp(proxy, options.serve);
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: generation === '2026-07-28' ? { pin: generation } : 'legacy' } },
  );
  atEnd(() => client.close());
  await client.connect(transport);
  return client;
}

export async function overHttp(proxy: McpProxy, serve: HttpOptions = {}): Promise<StreamableHTTPClientTransport> {
  const face = await serveHttp(proxy, serve);
  atEnd(() => face.close());
  return new StreamableHTTPClientTransport(new URL(face.url));
}

/** The framing of stdio without a process in between. */
export function overStreams(proxy: McpProxy, serve: HttpOptions = {}): Transport {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const face = serveStdio(proxy, { ...serve, input, output });
  atEnd(() => face.close());
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      output.on('data', (chunk: Buffer) => {
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
