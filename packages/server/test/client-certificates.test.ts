import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type Server } from 'node:https';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { verifies } from '@a2c/requirements';
import { authFile, type ListenOptions } from '@a2c/server';
import { issue } from '@a2c/test-certificates';
import { describe, expect, onTestFinished } from 'vitest';
import { limitTlsHandshakes } from '../src/access/tls-handshakes.js';
import { ask, eventually, next, serve } from './harness.js';

/** A Server that requires client certificates. */
async function office(options: Partial<ListenOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const ca = issue('Test CA');
  const host = issue('server', ca);
  const tls = { cert: write('cert.pem', host.cert), key: write('key.pem', host.key), clientCa: write('ca', ca.cert) };
  const path = write('auth.json', JSON.stringify({ certificates: [{ subject: 'pc', operator: true }] }));
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const server = await serve({ tls, authenticate: await authFile({ path, signal: ended.signal }), ...options });
  return { ca, tls, server, port: Number(new URL(server.url).port) };
}

/** The hello of a client, without the rest of its handshake. */
const HELLO = await new Promise<Buffer>((resolve) => {
  const wire = new PassThrough();
  wire.once('data', resolve);
  connect({ socket: wire }).on('error', () => {});
});

/** A connection that begins a handshake and does not end it. */
function stranger(port: number, sent: Buffer = Buffer.alloc(0)): Socket {
  const socket = createConnection(port, '127.0.0.1', () => void socket.write(sent)).on('error', () => {});
  socket.resume();
  onTestFinished(() => void socket.destroy());
  return socket;
}

const connected = (sockets: readonly Socket[]) => Promise.all(sockets.map((socket) => once(socket, 'connect')));

/** Opens the connections of a client, and keeps the last one and the TLS session. */
class Client extends Agent {
  session: Buffer | undefined;
  last: TLSSocket | undefined;
  credentials: ConnectionOptions;

  constructor(credentials: ConnectionOptions) {
    super({ keepAlive: false });
    this.credentials = credentials;
  }

  override createConnection(): TLSSocket {
    this.last = connect({ host: '127.0.0.1', ...this.credentials, ...(this.session && { session: this.session }) });
    this.last.on('session', (session) => {
      this.session = session;
    });
    return this.last;
  }

  /** The status of a request for the sessions. */
  status(port: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request({ agent: this, host: '127.0.0.1', port, path: '/operator/sessions' }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end();
    });
  }
}

describe('a client certificate', () => {
  verifies('SEC-CERT-01', 'that expires ends its sessions, also those that TLS resumes without it', async () => {
    const { ca, server, port } = await office();
    const { cert, key } = issue('pc', ca, 4_000);
    const client = new Client({ port, ca: ca.cert, cert, key });
    const member = await server.member('computer', 'pc', 'o', { agent: client as never });
    expect(await client.status(port)).toBe(200);
    await next(member, 'disconnect');
    client.credentials = { port, ca: ca.cert };
    expect(await client.status(port)).toBe(401);
    expect(client.last?.isSessionReused()).toBe(true);
    await expect(server.connect({ agent: client as never })).rejects.toMatchObject({ data: { code: 401 } });
    expect(client.last?.isSessionReused()).toBe(true);
  });

  verifies('COST-STRANGER-10', 'has a short chain: a longer one is not checked', async () => {
    const { ca, server, port } = await office();
    const { cert, key } = issue('pc', ca);
    const others = Array.from({ length: 40 }, (_, at) => issue(`other ${at}`).cert);
    const withChain = (length: number) => ({ ca: ca.cert, key, cert: [cert, ...others.slice(0, length)].join('') });
    await expect(new Client({ port, ...withChain(40) }).status(port)).rejects.toThrow(/ECONNRESET|hang up|closed/);
    expect(await new Client({ port, ...withChain(5) }).status(port)).toBe(200);
    const agent = await server.member('agent', 'a', 'o', withChain(5));
    expect(await ask(agent, 'server:leave_office', { office_id: 'o' })).toEqual([true, null]);
  });

  verifies('COST-STRANGER-10', 'is checked in turns, and many members at once are all admitted', async () => {
    const { ca, server } = await office();
    const { cert, key } = issue('pc', ca);
    const join = (_: unknown, at: number) =>
      server.member('computer', `pc-${at}`, `o-${at}`, { ca: ca.cert, cert, key });
    await Promise.all(Array.from({ length: 30 }, join));
    // Strangers that begin a handshake and do not end it have all places of their address, until they are silent.
    const port = Number(new URL(server.url).port);
    const strangers = Array.from({ length: 40 }, () => stranger(port, HELLO));
    await eventually(async () => expect(strangers.filter(({ closed }) => closed)).toHaveLength(8));
    const status = () => new Client({ port, ca: ca.cert, cert, key }).status(port);
    await eventually(async () => expect(await status()).toBe(200));
    const addresses = server.server.sessions().map(({ address }) => address);
    expect(addresses).toEqual(Array(30).fill('127.0.0.1'));
  });

  verifies('COST-STRANGER-11', 'is checked at once, although its address has many idle connections', async () => {
    for (const [trustedProxies, idle] of [
      [[], 32],
      [['127.0.0.1'], 64],
    ] as const) {
      const { ca, port } = await office({ trustedProxies, limits: { tlsHandshakesPerProxy: 64 } });
      const { cert, key } = issue('pc', ca);
      // One byte is no hello.
      const strangers = Array.from({ length: idle }, (_, at) => stranger(port, HELLO.subarray(0, at % 2)));
      await connected(strangers);
      expect(await new Client({ port, ca: ca.cert, cert, key }).status(port)).toBe(200);
      const ended = () => strangers.flatMap(({ closed }, at) => (closed ? [at] : []));
      await eventually(async () => expect(ended()).toEqual([0]));
    }
  });
});

verifies('COST-STRANGER-13', 'a TLS connection cannot be negotiated again', async () => {
  const { ca, port } = await office();
  const credentials = { port, ca: ca.cert, ...issue('pc', ca), maxVersion: 'TLSv1.2' } as const;
  const socket = connect({ host: '127.0.0.1', ...credentials });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  const negotiated = new Promise((resolve, reject) => {
    socket.once('error', reject).renegotiate({}, (error) => (error ? reject(error) : resolve(undefined)));
  });
  await expect(negotiated).rejects.toThrow(/renegotiation/i);
  expect(await new Client(credentials).status(port)).toBe(200);
});

describe('a client certificate behind strangers', () => {
  verifies(
    'COST-STRANGER-11',
    'is checked while all places are taken by clients that are silent after a hello',
    async () => {
      for (const [trustedProxies, places] of [
        [[], 32],
        [['127.0.0.1'], 64],
      ] as const) {
        const limits = { tlsHandshakesPerProxy: 64, tlsHandshakeTimeoutMs: 600_000 };
        const { ca, port } = await office({ trustedProxies, limits });
        const { cert, key } = issue('pc', ca);
        const strangers = Array.from({ length: places }, () => stranger(port, HELLO));
        await Promise.all(strangers.map((socket) => once(socket, 'data')));
        await delay(600);
        expect(await new Client({ port, ca: ca.cert, cert, key }).status(port)).toBe(200);
        const ended = () => strangers.flatMap(({ closed }, at) => (closed ? [at] : []));
        await eventually(async () => expect(ended()).toHaveLength(1));
      }
    },
  );

  verifies('COST-STRANGER-10', 'waits for one turn of each of them, however many packets they send', async () => {
    const http = new EventEmitter();
    const received: string[] = [];
    http.on('connection', (stream: Duplex) => stream.on('data', (chunk) => received.push(String(chunk))));
    const limits = { tlsHandshakeBytes: 8_192, tlsHandshakesPerAddress: 32, tlsHandshakesPerProxy: 64 };
    limitTlsHandshakes(http as Server, limits);
    for (const sent of ['a', 'b']) {
      const socket = Object.assign(new PassThrough(), { remoteAddress: '192.0.2.1' });
      http.emit('connection', socket);
      for (let i = 0; i < 8_000; i++) socket.emit('data', Buffer.from(sent));
    }
    await eventually(async () => expect(received).toEqual(['a'.repeat(8_000), 'b'.repeat(8_000)]));
  });
});

verifies('COST-STRANGER-14', 'the limits of handshakes apply without client certificates too', async () => {
  const { tls, ca } = await office();
  const { cert, key } = tls;
  const port = Number(new URL((await serve({ tls: { cert, key } })).url).port);
  // A hello of 16 KiB, of which half arrives: TLS waits for the rest.
  const hello = Buffer.concat([Buffer.from('160301400001003ffc0303', 'hex'), Buffer.alloc(8 * 1_024)]);
  const socket = stranger(port, hello);
  await once(socket, 'close');
  expect(await new Client({ port, ca: ca.cert }).status(port)).toBe(403);
});

describe('an unfinished handshake', () => {
  verifies('COST-STRANGER-12', 'ends after a time, however slowly it arrives', async () => {
    const { port } = await office({ limits: { tlsHandshakeTimeoutMs: 300 } });
    const [idle, started, slow] = [stranger(port), stranger(port, HELLO), stranger(port)];
    const timer = setInterval(() => slow.write(HELLO.subarray(0, 1)), 100);
    onTestFinished(() => clearInterval(timer));
    await eventually(async () => expect([idle, started, slow].map(({ closed }) => closed)).toEqual([true, true, true]));
  });

  verifies('COST-STRANGER-12', 'or request does not delay the end of the server', async () => {
    const { server, tls, ca } = await office();
    const request = Buffer.from('GET / HTTP/1.1\r\nHost:');
    const { cert, key } = tls;
    for (const [{ url, close }, sent] of [
      [server, HELLO],
      [await serve({ tls: { cert, key } }), HELLO],
      [await serve(), request],
    ] as const) {
      const port = Number(new URL(url).port);
      await connected([stranger(port), stranger(port, sent)]);
      if (url.startsWith('https') && url !== server.url) {
        const secured = connect({ host: '127.0.0.1', port, ca: ca.cert }).on('error', () => {});
        onTestFinished(() => void secured.destroy());
        await once(secured, 'secureConnect');
        secured.write(request);
      }
      await Promise.race([close(), delay(5_000).then(() => Promise.reject(new Error(`${url} did not close`)))]);
    }
  });
});
