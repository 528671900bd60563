import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { issue } from '@a2c/test-certificates';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, expect, inject, onTestFinished, vi } from 'vitest';
import { hub, server, temporaryFolder, textOf } from './hub.js';

afterEach(() => vi.unstubAllEnvs());

const mcp = toNodeHandler(
  createMcpHandler(() => {
    const notes = new McpServer({ name: 'notes', version: '1.0.0' });
    notes.registerTool('read', { description: 'Read' }, async () => ({ content: [{ type: 'text', text: 'a note' }] }));
    return notes;
  }),
);
const handle = (incoming: NodeIncomingMessageLike, response: Parameters<typeof mcp>[1]) => void mcp(incoming, response);

async function listen(listener: Server): Promise<number> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return (listener.address() as AddressInfo).port;
}

/** A proxy that connects to this machine, whatever host it is asked for. */
async function startProxy() {
  const asked: string[] = [];
  const proxy = createServer((incoming, response) => {
    const { host, pathname, port } = new URL(incoming.url ?? '');
    asked.push(`${incoming.headers['proxy-authorization'] ?? ''} ${host} for ${incoming.headers.host}`.trim());
    const { 'proxy-authorization': _own, ...headers } = incoming.headers;
    const onward = request({ port, path: pathname, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  proxy.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const onward = connect(Number(incoming.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { asked, port: await listen(proxy) };
}

const remote = (url: string) => server('remote', { type: 'streamable', server_parameters: { url } });

verifies('LOGIN-NET-01', 'plain HTTP goes through the proxy, except for the hosts of NO_PROXY', async () => {
  const proxy = await startProxy();
  const port = await listen(createServer(handle as never));
  vi.stubEnv('HTTP_PROXY', `http://ada:secret@127.0.0.1:${proxy.port}`);
  vi.stubEnv('NO_PROXY', 'example.org,.internal.test');
  const manager = await hub([remote(`http://notes.test:${port}/mcp`)]);
  expect(manager.status()[0]?.cause).toBe(null);
  expect(textOf(await manager.executeTool('read', {}))).toBe('a note');
  const basic = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
  expect(new Set(proxy.asked)).toEqual(new Set([`${basic} notes.test:${port} for notes.test:${port}`]));
  const before = proxy.asked.length;
  const direct = await hub([
    remote(`http://127.0.0.1:${port}/mcp`),
    remoteNamed('x', `http://a.internal.test:${port}/mcp`),
  ]);
  expect(direct.status().map(({ state }) => state)).toEqual(['connected', 'error']);
  expect(proxy.asked).toHaveLength(before);
});

const remoteNamed = (name: string, url: string) => ({ ...remote(url), name });

verifies('LOGIN-NET-01', 'HTTPS goes through a tunnel to the approved address', async () => {
  const proxy = await startProxy();
  const authority = issue('authority');
  const { cert, key } = issue('notes.test', authority);
  const port = await listen(createTlsServer({ cert, key }, handle as never));
  vi.stubEnv('HTTPS_PROXY', `127.0.0.1:${proxy.port}`);
  const manager = await hub([remote(`https://notes.test:${port}/mcp`)], { autoReconnect: false });
  // TLS ends at the server, not at the proxy.
  expect(manager.status()[0]?.cause).toContain('its certificate is not trusted');
  expect(proxy.asked[0]).toBe(`CONNECT notes.test:${port}`);
  const guard = new TrustGuard(UNTRUSTED, async () => ['93.184.216.34']);
  await hub([remote(`https://notes.test:${port}/mcp`)], { guard, autoReconnect: false });
  expect(proxy.asked.at(-1)).toBe(`CONNECT 93.184.216.34:${port}`);
});

verifies('LOGIN-NET-01', 'a proxy that cannot be used is named', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
  const manager = await hub([remote('https://notes.test/mcp')], { autoReconnect: false });
  expect(manager.status()[0]?.cause).toContain('the proxy 127.0.0.1:1 cannot be used: ECONNREFUSED');
});

verifies('LOGIN-NET-02', 'an authority in NODE_EXTRA_CA_CERTS is trusted', async () => {
  const folder = await temporaryFolder();
  const authority = issue('authority');
  const { cert, key } = issue('127.0.0.1', authority);
  const port = await listen(createTlsServer({ cert, key }, handle as never));
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  const worker = join(inject('commands'), 'connect-worker.js');
  const run = async (env: NodeJS.ProcessEnv) => {
    const args = [worker, `https://127.0.0.1:${port}/mcp`, folder];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
    return JSON.parse(stdout) as { readonly state: string; readonly cause: string | null };
  };
  expect(await run({})).toMatchObject({ cause: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  expect(await run({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })).toEqual({ state: 'connected', cause: null });
});
