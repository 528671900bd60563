import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { hub, server, textOf } from '../hub.js';
import { call, connect, open, sse, start, until } from './harness.js';
import { serve, stream } from './http-server.js';

const LEGACY = { versionNegotiation: { mode: 'legacy' } } as const;

async function requestsOf(place: string): Promise<{ method: string; headers: Record<string, string> }[]> {
  return (await (await fetch(new URL('/requests', place))).json()) as never;
}

describe('the event stream', () => {
  verifies('HUB-SSE-02', 'is the connection: its end ends the connection', async () => {
    const { place } = await start('sse.mjs');
    const { client, transport } = await connect(sse(place), {}, LEGACY);
    let closes = 0;
    client.onclose = () => {
      closes += 1;
    };
    const waiting = call(client, 'wait').catch((error: Error) => error.message);
    await call(client, 'echo', { text: 'x' });
    await fetch(new URL('/drop', place));
    expect(await waiting).toContain('Connection closed');
    expect(transport.diagnostics().ended).toMatch(/^the event stream of http:\/\/127\.0\.0\.1:\d+ ended$/);
    await transport.close();
    expect(closes).toBe(1);
    expect((await requestsOf(place)).filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  verifies('HUB-SSE-02', 'is closed when it is silent for too long', async () => {
    const { place } = await start('sse.mjs');
    const timeouts = { timeout: null, sse_read_timeout: 2 };
    const { transport } = await connect(sse(place), { server: { timeouts } }, LEGACY);
    await until(() => transport.diagnostics().ended !== null, 'the end');
    expect(transport.diagnostics().ended).toContain('nothing came for 2 s');
  });

  verifies('HUB-SSE-02', 'ends once the server has lost the session', async () => {
    const { url } = await serve({
      onGet: (response) => stream(response, 'event: endpoint\ndata: /message\n\n'),
      before: (request, response) => {
        if (request.method === 'GET') return false;
        response.writeHead(404).end();
        return true;
      },
    });
    const transport = await open(sse(url));
    await transport.start();
    await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow('404');
    await until(() => transport.diagnostics().ended !== null, 'the end');
    expect(transport.diagnostics().ended).toContain('no longer knows the session');
  });
});

describe('a server', () => {
  verifies('HUB-SSE-03', 'that never sends the address for posts fails', async () => {
    const { place } = await start('sse.mjs', 'no-endpoint');
    const timeouts = { timeout: 0.3, sse_read_timeout: null };
    const connecting = connect(sse(place), { server: { timeouts } }, LEGACY);
    await expect(connecting).rejects.toThrow('did not send the address for posts within 300 ms');
  });

  verifies('HUB-SSE-03', 'that names another origin fails', async () => {
    const { place } = await start('sse.mjs', 'foreign-endpoint');
    await expect(connect(sse(place), {}, LEGACY)).rejects.toThrow('origin does not match');
  });

  verifies('HUB-SSE-03', 'that is missing, refuses, or is not MCP is named in the error', async () => {
    await expect(connect(sse('http://127.0.0.1:1/x?key=secret'), {}, LEGACY)).rejects.toThrow(
      /^cannot reach http:\/\/127\.0\.0\.1:1: the connection is refused; is the server running\?$/,
    );
    const { url } = await serve({});
    await expect(connect(sse(url), {}, LEGACY)).rejects.toThrow('405');
    const page = await serve({ onGet: (response) => void response.setHeader('content-type', 'text/html').end('hi') });
    await expect(connect(sse(page.url), {}, LEGACY)).rejects.toThrow('text/event-stream');
  });

  verifies(['HUB-SSE-01', 'KIT-HTTP-03'], 'is sent the configured headers', async () => {
    const { place } = await start('sse.mjs');
    const { client } = await connect(sse(place, { http_headers: { 'X-Key': 'abc' } }), {}, LEGACY);
    await call(client, 'echo', { text: 'x' });
    const seen = await requestsOf(place);
    expect(seen.length).toBeGreaterThan(2);
    for (const { headers } of seen) expect(headers['x-key']).toBe('abc');
  });
});

verifies('HUB-SSE-04', 'a URL that serves only SSE connects as SSE, and one that serves neither fails', async () => {
  const { place } = await start('sse.mjs');
  const none = await serve({
    onGet: (response) => response.writeHead(405).end(),
    onCall: (r) => r.writeHead(405).end(),
  });
  const at = (name: string, url: string) => server(name, { type: 'streamable', server_parameters: { url } });
  const manager = await hub([at('old', place), at('none', none.url)], { autoReconnect: false });
  expect(textOf(await manager.callTool('old', 'echo', { text: 'hi' }))).toBe('hi');
  expect(manager.status()).toMatchObject([
    { name: 'old', state: 'connected', era: 'legacy' },
    { name: 'none', state: 'error', cause: expect.stringContaining('HTTP 405') },
  ]);
});
