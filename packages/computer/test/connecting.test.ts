import { writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PROTOCOL_VERSION, SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { apiKey } from '@a2c/server';
import { issue } from '@a2c/test-certificates';
import { Server as SocketServer } from 'socket.io';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { OptionsError, type TlsOptions } from '../src/index.js';
import { bareServer, boot, folder, linkOf, recorder, serve, settle } from './harness.js';

verifies('COMP-LINK-04', 'the same reason of failed attempts is one warning, as the option explains it', async () => {
  const logger = recorder();
  const link = linkOf(await boot({ mcpServers: [] }), 'http://127.0.0.1:1', {
    logger,
    limits: { reconnectMinMs: 10, reconnectMaxMs: 10 },
    explain: ({ kind, details }) => new SMCPError(kind, 'nothing listens; start it', { details }),
  });
  const stopped = new AbortController();
  const connected = link.connect(undefined, { retryForMs: 60_000, signal: stopped.signal });
  const attempts = () => logger.lines.filter(({ message }) => message === 'cannot connect; trying again');
  await vi.waitUntil(() => attempts().length > 2, 30_000);
  stopped.abort();
  await expect(connected).rejects.toThrow();
  expect(attempts().filter(({ level }) => level === 'warn')).toEqual([
    expect.objectContaining({ url: 'http://127.0.0.1:1', reason: 'nothing listens; start it' }),
  ]);
});

describe('authentication', () => {
  verifies(['COMP-LINK-04', 'SMCP-ERR-02'], 'wrong credentials end the attempt with the reason', async () => {
    const { url } = await serve({ authenticate: apiKey('right') });
    const computer = await boot({ mcpServers: [] });
    const link = linkOf(computer, url, { auth: { api_key: 'wrong' } });
    await expect(link.connect()).rejects.toMatchObject({ code: 401 });
    expect(link.state).toBe('disconnected');
    await linkOf(computer, url, { auth: { api_key: 'right' } }).connect();
  });

  verifies(
    ['WIRE-VER-05', 'COMP-LINK-04'],
    'a refused version ends the attempt with an error that names both versions',
    async () => {
      const refusal = {
        code: 4008,
        message: 'Protocol version mismatch',
        server_version: '9.0.0',
        client_version: PROTOCOL_VERSION,
        min_supported: '9.0.0',
        max_supported: '9.0.0',
      };
      for (const transports of [['polling', 'websocket'], ['websocket']] as const) {
        let polls = 0;
        const http = createServer((_request, response) => {
          polls++;
          response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(refusal));
        });
        http.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
        await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
        onTestFinished(() => void http.close());
        const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
        const logger = recorder();
        const computer = await boot({ mcpServers: [] });
        const link = linkOf(computer, url, { logger, transports, limits: { reconnectMinMs: 10, reconnectMaxMs: 10 } });
        await expect(link.connect()).rejects.toMatchObject({
          kind: 'VersionMismatch',
          details: { server_version: '9.0.0', client_version: PROTOCOL_VERSION },
        });
        await settle(200);
        expect([polls, link.state]).toEqual([1, 'disconnected']);
        expect(logger.lines).toContainEqual(
          expect.objectContaining({
            level: 'error',
            message: expect.stringMatching(/speaks 9\.0\.0 .*; update one of them/),
          }),
        );
      }
    },
  );

  verifies(
    'SMCP-SEC-02',
    'client certificates are sent, and the Server is verified by the given authority',
    async () => {
      const place = folder();
      const write = (name: string, text: string) => {
        writeFileSync(join(place, name), text);
        return join(place, name);
      };
      const ca = issue('Test CA');
      const { cert, key } = issue('server', ca);
      const tls = { cert: write('cert.pem', cert), key: write('key.pem', key), clientCa: write('ca.pem', ca.cert) };
      const { url } = await serve({ tls });
      const computer = await boot({ mcpServers: [] });
      const own = issue('pc', ca);
      const link = linkOf(computer, url, { tls: { ca: ca.cert, cert: own.cert, key: own.key } });
      await link.connect();
      await link.joinOffice('o');
      expect([url.startsWith('https:'), link.office]).toEqual([true, 'o']);
      const brief = { limits: { connectMs: 1_500 } };
      const refused = (tls: TlsOptions) =>
        expect(linkOf(computer, url, { tls, ...brief }).connect()).rejects.toMatchObject;
      await refused({ ca: ca.cert })({ code: 503, message: expect.stringMatching(/alert certificate required/) });
      await refused({ cert: own.cert, key: own.key })({
        code: 503,
        message: expect.stringMatching(/unable to verify|self-signed/),
      });
    },
  );

  verifies(['SMCP-SEC-03', 'WIRE-CONN-01'], 'no credential is sent in plain text to another host', async () => {
    const computer = await boot({ mcpServers: [] });
    expect(() => linkOf(computer, 'http://office.example.com')).toThrow('in the clear');
    expect(() => linkOf(computer, 'ws://10.1.2.3:7000')).toThrow('https://');
    for (const url of ['nonsense', 'ftp://office.example.com', 'https://ann:secret@office.example.com'])
      expect(() => linkOf(computer, url), url).toThrow(OptionsError);
    expect(() => linkOf(computer, 'https://a.example', { headers: { 'a b': 'c' } })).toThrow('header "a b"');
    expect(linkOf(computer, 'http://office.example.com', { allowInsecure: true }).state).toBe('disconnected');
    for (const url of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://office.example.com'])
      expect(linkOf(computer, url).state).toBe('disconnected');
  });

  verifies('WIRE-CONN-01', 'a path in the address is where Socket.IO is mounted', async () => {
    const { url } = await bareServer(() => {}, { path: '/a2c' });
    const computer = await boot({ mcpServers: [] });
    await linkOf(computer, `${url}/a2c`).connect();
    const astray = linkOf(computer, `${(await serve()).url}/a2c`, { limits: { connectMs: 1_500 } });
    await expect(astray.connect()).rejects.toMatchObject({
      code: 503,
      message: expect.stringMatching(/cannot reach .*HTTP 404/),
    });
  });
});

describe('a failed connection', () => {
  verifies(['COMP-LINK-04', 'WIRE-CONN-02'], 'to a closed port rejects in time and ends all attempts', async () => {
    const link = linkOf(await boot({ mcpServers: [] }), 'http://127.0.0.1:1', { limits: { connectMs: 1_500 } });
    await expect(link.connect()).rejects.toMatchObject({
      code: 503,
      message: 'cannot reach http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1 (tried for 1.5 s)',
    });
    expect(link.state).toBe('disconnected');
  });

  verifies('WIRE-CONN-02', 'to a silent Server rejects in time', async () => {
    const mute = createServer(() => {});
    const url = await listening(mute);
    const link = linkOf(await boot({ mcpServers: [] }), url, { limits: { connectMs: 1_500 } });
    await expect(link.connect()).rejects.toMatchObject({ code: 408, message: `${url} did not answer within 1.5 s` });
  });

  verifies(
    ['COMP-LINK-04', 'WIRE-CONN-02'],
    'that is finally refused rejects at once, for any kind of Server',
    async () => {
      const computer = await boot({ mcpServers: [] });
      // Without a time limit, only the final refusal ends the attempt.
      const limits = { connectMs: Number.POSITIVE_INFINITY };
      const other = createServer();
      new SocketServer(other);
      await expect(linkOf(computer, await listening(other), { limits }).connect()).rejects.toMatchObject({
        code: 404,
        message: 'Invalid namespace: no SMCP there',
      });
      const { io, url } = await bareServer();
      io.of('/smcp').use((_socket, next) => next(new Error('Invalid connection request')));
      await expect(linkOf(computer, url, { limits }).connect()).rejects.toMatchObject({ code: 401 });
    },
  );

  verifies('WIRE-CONN-02', 'that fails transiently is retried, and rejects with the last failure', async () => {
    const { io, url } = await bareServer();
    let asked = 0;
    io.of('/smcp').use((_socket, next) =>
      next(++asked < 3 ? Object.assign(new Error('no'), { data: { code: 503, message: 'draining' } }) : undefined),
    );
    const computer = await boot({ mcpServers: [] });
    const limits = { reconnectMinMs: 10, reconnectMaxMs: 20 };
    const link = linkOf(computer, url, { limits });
    await link.connect();
    expect([asked, link.state]).toEqual([3, 'connected']);
    asked = -1_000;
    const late = linkOf(computer, url, { limits: { ...limits, connectMs: 1_500 } });
    await expect(late.connect()).rejects.toMatchObject({ code: 503, message: 'draining (tried for 1.5 s)' });
  });
});

async function listening(server: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
