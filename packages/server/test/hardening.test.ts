import { randomUUID } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, type Socket, connect as tcpConnect } from 'node:net';
import { verifies } from '@a2c/requirements';
import { AuditFile, apiKey, jwt, listen } from '@a2c/server';
import { SignJWT } from 'jose';
import { io } from 'socket.io-client';
import { describe, expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import {
  ask,
  CALL,
  dial,
  eventually,
  expectEvents,
  next,
  office,
  type RawSocket,
  recordEvents,
  serve,
  settle,
  until,
} from './harness.js';
import { startScript } from './processes.js';

const UPGRADE = (query: string) =>
  `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

function tcp(url: string, text: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = tcpConnect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => socket.write(text));
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** A WebSocket after Engine.IO's handshake, to send arbitrary Socket.IO packets. */
async function rawTransport(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  onTestFinished(() => socket.terminate());
  await new Promise((resolve) => socket.once('message', resolve));
  return socket;
}

describe('before authentication', () => {
  verifies('SRV-FUZZ-01', 'a refused upgrade whose peer resets or keeps the socket open does no harm', async () => {
    const { url, connect } = await serve();
    for (let i = 0; i < 20; i++)
      tcp(url, UPGRADE('&a2c_version=9.0.0')).once('connect', function (this: Socket) {
        setTimeout(() => this.resetAndDestroy(), i);
      });
    const lingering = tcp(url, UPGRADE('&a2c_version=9.0.0'));
    const closed = new Promise((resolve) => lingering.resume().once('close', resolve));
    // A half-open socket notices the end of its peer only when it writes.
    const writing = setInterval(() => lingering.write('x'), 300);
    await closed;
    clearInterval(writing);
    await connect();
  });

  verifies(['SRV-LIMIT-07', 'WIRE-VER-04'], 'an empty session id is checked like a new connection', async () => {
    const { url } = await serve({ versionPolicy: 'strict' });
    const response = await fetch(`${url}/socket.io/?EIO=4&transport=polling&sid=`, {
      headers: { Origin: 'https://evil.example' },
    });
    expect(response.status).toBe(403);
    expect((await fetch(`${url}/socket.io/?EIO=4&transport=polling&sid=`)).status).toBe(400);
  });

  verifies(
    ['SRV-AUTH-06', 'SRV-LIMIT-03'],
    'only our namespace accepts connections, and every transport counts',
    async () => {
      const server = await serve({ limits: { connectionsPerAddress: 2 } });
      const stray = io(server.url, { forceNew: true, reconnection: false, transports: ['websocket'] });
      onTestFinished(() => void stray.disconnect());
      const error = (await next(stray, 'connect_error')) as Error & { data: unknown };
      expect(error.data).toMatchObject({ code: 404, message: expect.stringContaining('/smcp') });
      await rawTransport(server.url);
      await rawTransport(server.url);
      await expect(server.connect()).rejects.toThrow();
    },
  );

  verifies('SRV-LIMIT-03', 'a transport is closed after several refused credentials', async () => {
    const server = await serve({ authenticate: apiKey('right') });
    const transport = await rawTransport(server.url);
    const closed = new Promise((resolve) => transport.once('close', resolve));
    let refusals = 0;
    const guess = () => transport.send(`40/smcp,{"api_key":"guess${refusals}"}`);
    transport.on('message', (data) => {
      if (!String(data).startsWith('44/smcp')) return;
      refusals++;
      if (transport.readyState === transport.OPEN) guess();
    });
    guess();
    await closed;
    expect(refusals).toBeGreaterThan(1);
    expect(refusals).toBeLessThan(100);
  });

  verifies(
    'SRV-LIMIT-03',
    'connections are counted per client behind a trusted proxy, otherwise per peer',
    async () => {
      const from = (address: string) => ({ extraHeaders: { 'X-Forwarded-For': `6.6.6.6, ${address}` } });
      const known = await serve({ trustedProxies: ['127.0.0.1'], limits: { connectionsPerAddress: 1 } });
      await known.member('agent', 'a', 'o', from('9.9.9.1'));
      await known.connect(from('9.9.9.2'));
      await expect(known.connect(from('9.9.9.1'))).rejects.toThrow();
      expect(known.audit[0]).toMatchObject({ address: '9.9.9.1' });
      const unknown = await serve({ limits: { connectionsPerAddress: 1 } });
      await unknown.connect(from('9.9.9.1'));
      await expect(unknown.connect(from('9.9.9.2'))).rejects.toThrow();
    },
  );

  verifies('SRV-AUTH-02', 'a failing key server is an internal error, not a wrong token', async () => {
    const keys = createServer((_request, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void keys.close());
    await until(() => keys.listening);
    const server = await serve({
      authenticate: jwt({ jwks: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`, audience: 'a2c' }),
    });
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new Uint8Array(32));
    const forged = token.replace(/^[^.]+/, Buffer.from('{"alg":"ES256"}').toString('base64url'));
    await expect(server.connect({ auth: { token: forged } })).rejects.toMatchObject({ data: { code: 500 } });
  });

  verifies('SRV-LIMIT-03', 'a connection whose identity has expired already is not counted any more', async () => {
    const server = await serve({
      limits: { connectionsPerAddress: 2 },
      authenticate: () => ({ subject: 'x', expires: new Date(Date.now() - 1) }),
    });
    for (let i = 0; i < 5; i++) {
      const socket = io(`${server.url}/smcp`, { forceNew: true, reconnection: false, transports: ['websocket'] });
      await next(socket, 'disconnect');
    }
  });
});

describe('where a load balancer routes by the office of the query', () => {
  const joinWith = async (url: string, query: string, office: string) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&${query}`);
    onTestFinished(() => socket.terminate());
    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    await once(socket, 'open');
    socket.send('40/smcp,');
    await until(() => received.some((text) => text.startsWith('40')));
    const request = ['server:join_office', { role: 'computer', name: randomUUID(), office_id: office }];
    socket.send(`42/smcp,1${JSON.stringify(request)}`);
    await until(() => received.some((text) => text.startsWith('43')));
    return received.find((text) => text.startsWith('43'));
  };

  verifies('SRV-SCALE-10', 'a query in which it may read another office is refused', async () => {
    const { url } = await serve({ sharded: true });
    const join = (query: string) => joinWith(url, query, 'v~/1');
    for (const query of ['office=v~%2F1', 'a=1&office=v~%2F1', 'office=v~%2F1&x=office'])
      expect(await join(query), query).toMatch(/^43\/smcp,1\[true/);
    for (const query of [
      'office=a&office=v~%2F1',
      'Office=a&office=v~%2F1',
      'x=1;office=a&office=v~%2F1',
      '%6fffice=v~%2F1',
      'office=a&offic%65=v~%2F1',
      'office=v~%2F1&offic%65=v~%2F1',
      'office=%76~%2F1',
    ])
      expect(await join(query), query).toMatch(/wrong node/);
  });

  verifies('SRV-SCALE-10', 'an office has one spelling, which clients use, and refusals name it', async () => {
    const { url, connect } = await serve({ sharded: true });
    const spellings = {
      'v~/1': ['office=v~/1', 'office=v~%2f1', 'office=v%7E%2F1'],
      'a b': ['office=a+b'],
      "o'b (1)!*": ['office=o%27b%20%281%29!*', 'office=o%27b%20(1)%21%2A'],
      'bü\ufffd': ['office=b%c3%bc%ef%bf%bd', 'office=b%C3%BC%FF'],
    };
    for (const [office, others] of Object.entries(spellings)) {
      for (const transports of [['websocket'], ['polling']]) {
        const socket = await connect({ query: { office }, transports });
        const join = { role: 'computer', name: `pc-${transports}`, office_id: office };
        expect(await ask(socket, 'server:join_office', join)).toEqual([true, null]);
      }
      for (const query of others) {
        const refusal = (await joinWith(url, query, office)) ?? '';
        const [, remedy = ''] = /wrong node: connect with \?(office=\S+?)"/.exec(refusal) ?? [];
        expect(remedy, query).not.toBe('');
        expect(await joinWith(url, remedy, office), remedy).toMatch(/^43\/smcp,1\[true/);
      }
    }
  });
});

describe('while running', () => {
  verifies('SRV-LIMIT-05', 'a transport that reconnects to the namespace leaks no listeners', async () => {
    const server = await serve();
    const transport = await rawTransport(server.url);
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    for (let i = 0; i < 30; i++) {
      const connected = new Promise((resolve) => transport.once('message', resolve));
      transport.send('40/smcp,');
      await connected;
      transport.send('41/smcp,');
      await eventually(async () => expect(await server.server.metrics.text()).toMatch(/^a2c_connections 0$/m));
    }
    await settle();
    expect(warnings).toEqual([]);
  });

  verifies('COST-STRANGER-09', 'a transport has one session of the namespace at a time', async () => {
    let check = Promise.resolve();
    const identity = { subject: 'a' };
    const server = await serve({
      authenticate: async ({ auth }) => {
        await check;
        return auth.token === 'wrong' ? undefined : identity;
      },
    });
    const expectSessions = (count: number) => expect(server.server.sessions()).toHaveLength(count);
    const CONNECTED = /^40\/smcp/;
    const open = async () => {
      const transport = await rawTransport(server.url);
      const closed = new Promise((resolve) => transport.once('close', resolve));
      const send = async (packet: string, answer: RegExp) => {
        const answered = once(transport, 'message');
        transport.send(packet);
        expect(String(await answered)).toMatch(answer);
      };
      return { transport, closed, send };
    };

    let accept = () => {};
    check = new Promise((resolve) => {
      accept = resolve;
    });
    const impatient = await open();
    for (let i = 0; i < 7; i++) impatient.transport.send('40/smcp,');
    await impatient.closed;
    accept();
    await settle();
    expectSessions(0);

    const connected = await open();
    await connected.send('40/smcp,', CONNECTED);
    await connected.send('40', /^44/); // refused: clients may ask for the default namespace too
    expectSessions(1);
    connected.transport.send('40/smcp,');
    await connected.closed;
    await eventually(async () => expectSessions(0));

    const corrected = await open();
    await corrected.send('40/smcp,{"token":"wrong"}', /^44/);
    await corrected.send('40/smcp,{"token":"right"}', CONNECTED);
    expectSessions(1);
    corrected.transport.terminate();

    const returning = await open();
    await eventually(async () => expectSessions(0));
    for (let i = 0; i < 32; i++) {
      await returning.send('40/smcp,', CONNECTED);
      returning.transport.send('41/smcp,');
      await eventually(async () => expectSessions(0));
    }
    returning.transport.send('40/smcp,');
    await returning.closed;
  });

  verifies('COST-STRANGER-09', 'a key has one listener, however many connections it has', async () => {
    const revocation = new AbortController();
    const server = await serve({ authenticate: () => ({ subject: 'a', revoked: revocation.signal }) });
    const sockets = [await server.connect(), await server.connect(), await server.connect()];
    sockets.shift()?.disconnect();
    expect(getEventListeners(revocation.signal, 'abort')).toHaveLength(1);
    const ended = sockets.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)));
    revocation.abort();
    await Promise.all(ended);
  });

  verifies('SMCP-FLOW-03', 'a tool list that is invalidated right after it was sent is not cached', async () => {
    const { agent, computer } = await office();
    computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
    computer.on('client:get_tools', (_request, ack) => {
      ack({ tools: [], req_id: 'r1' });
      computer.emit('server:update_tool_list', { computer: 'pc' });
    });
    for (let i = 0; i < 20; i++) {
      const changed = next(agent, 'notify:update_tool_list');
      await ask(agent, 'client:get_tools', CALL);
      await changed;
      expect(await ask(agent, 'client:tool_call', CALL)).toEqual([{ content: [], isError: false }]);
    }
  });

  verifies('SRV-LIMIT-06', 'calls to a missing Computer do not count as abuse', async () => {
    const server = await serve({ limits: { refusalsBeforeDisconnect: 10 } });
    const agent = await server.member('agent', 'a', 'o');
    for (let i = 0; i < 50; i++) await ask(agent, 'client:tool_call', CALL);
    expect(agent.connected).toBe(true);
  });

  verifies(
    'SRV-CALL-02',
    'an Agent that reconnected can cancel its earlier calls, and ends them by leaving',
    async () => {
      const server = await serve({ limits: { reconnectGraceMs: 1_500 } });
      const computer = await server.member('computer', 'pc', 'o');
      const again = { auth: { instance: 'i-1' } };
      for (const [round, lose] of [(agent: RawSocket) => void agent.io.engine.close(), () => {}].entries()) {
        const agent = await server.member('agent', 'a', 'o', again);
        for (const req_id of ['r1', 'r2']) {
          const arrived = next(computer, 'client:tool_call');
          agent.emit('client:tool_call', { ...CALL, req_id: `${req_id}-${round}`, timeout: 60 }, () => {});
          await arrived;
        }
        lose(agent);
        const successor = await server.member('agent', 'a', 'o', again);
        await settle(1_800); // in the same process, so this timer fires after the one of the server
        for (const [req_id, end] of [
          ['r1', () => successor.emit('server:tool_call_cancel', { agent: 'a', req_id: `r1-${round}` })],
          ['r2', () => successor.disconnect()],
        ] as const) {
          const cancelled = next(computer, 'notify:tool_call_cancel');
          end();
          expect(await cancelled).toEqual({ agent: 'a', req_id: expect.stringMatching(/^r[12]-/) });
          if (req_id === 'r2') await settle();
        }
      }
    },
  );
});

describe('shutdown', () => {
  verifies('SRV-OPS-03', 'does not wait for a request that never finishes', async () => {
    const { url, close } = await listen({
      port: 0,
      authenticate: apiKey('k'),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const socket = tcp(url, 'GET / HTTP/1.1\r\nHost: x\r\n');
    await settle();
    await close();
    socket.destroy();
  });

  verifies('DRAIN-END-01', 'the process ends after the drain, also with a call of an hour', async () => {
    const { url, child } = await startScript(`
      import { allowAnonymous, listen } from '@a2c/server';
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const { url, server, close } = await listen({ authenticate: allowAnonymous, port: 0, logger });
      process.once('SIGTERM', () => server.drain(100).then(close));
      console.log('ready ' + url);`);
    const [agent, computer] = [await dial(url), await dial(url)];
    await ask(agent, 'server:join_office', { role: 'agent', name: 'a', office_id: 'o' });
    await ask(computer, 'server:join_office', { role: 'computer', name: 'pc', office_id: 'o' });
    const arrived = next(computer, 'client:tool_call');
    const answer = ask(agent, 'client:tool_call', { ...CALL, timeout: 3_600 });
    await arrived;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await answer)[0]).toMatchObject({ code: 503 });
    expect(await exited).toEqual([0, null]);
  });

  verifies('SRV-OPS-03', 'calls that are pending after the timeout are answered', async () => {
    const { server, agent, computer } = await office();
    const arrived = next(computer, 'client:tool_call');
    const answer = ask(agent, 'client:tool_call', { ...CALL, timeout: 60 });
    await arrived;
    await server.server.drain(50);
    expect((await answer)[0]).toMatchObject({ code: 503, isError: true });
  });

  verifies('SRV-AUDIT-02', 'a full disk loses records and is reported', async () => {
    const problems: Error[] = [];
    const audit = new AuditFile({ path: '/dev/full', onError: (error) => problems.push(error) });
    for (let i = 0; i < 3; i++) audit.append({ time: '', event: 'x', verdict: 'ok', subject: '', address: '' });
    await audit.close();
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('cannot write 3 records')]);
  });
});

describe('defects of other implementations', () => {
  verifies(['SMCP-ISO-03', 'W-PY-05'], 'joining another office under a new name frees the old name', async () => {
    const { server, agent, computer } = await office();
    const received = recordEvents(agent);
    await ask(computer, 'server:join_office', { role: 'computer', name: 'renamed', office_id: 'o2' });
    await expectEvents(received, [['notify:leave_office', { office_id: 'o', computer: 'pc' }]]);
    await server.member('computer', 'pc', 'o');
  });

  verifies(['SMCP-JOIN-02', 'W-RS-04'], 'a refused join fixes neither role nor name', async () => {
    const server = await serve();
    await server.member('agent', 'a', 'o');
    const socket = await server.connect();
    expect((await ask(socket, 'server:join_office', { role: 'agent', name: 'b', office_id: 'o' }))[0]).toBe(false);
    expect(await ask(socket, 'server:join_office', { role: 'computer', name: 'c', office_id: 'o' })).toEqual([
      true,
      null,
    ]);
    await server.member('agent', 'b', 'o2');
  });

  verifies('W-PY-04', 'the disconnect of a connection that was refused a name does not affect its holder', async () => {
    const { server, agent, computer } = await office();
    computer.on('client:get_tools', (_request, ack) => ack({ tools: [], req_id: 'r1' }));
    const received = recordEvents(agent);
    const twin = await server.connect();
    expect((await ask(twin, 'server:join_office', { role: 'computer', name: 'pc', office_id: 'o' }))[0]).toBe(false);
    expect((await ask(twin, 'server:leave_office', { office_id: 'o' }))[0]).toBe(false);
    twin.disconnect();
    await settle();
    expect(received).toEqual([]);
    expect(await ask(agent, 'client:get_tools', CALL)).toEqual([{ tools: [], req_id: 'r1' }]);
  });

  verifies(
    ['SMCP-MEMBER-02', 'W-RS-05', 'W-RS-06'],
    'a member is not notified of its own leave, and its name is free',
    async () => {
      const { server, computer } = await office();
      const received = recordEvents(computer);
      await ask(computer, 'server:leave_office', { office_id: 'o' });
      await settle();
      expect(received).toEqual([]);
      await server.member('computer', 'pc', 'o');
    },
  );

  verifies(['SRV-CALL-01', 'W-PY-12'], 'queries fail at once, too, when the Computer disconnects', async () => {
    for (const event of ['client:get_tools', 'client:get_config', 'client:get_desktop']) {
      const { agent, computer } = await office();
      const arrived = next(computer, event);
      const answer = ask(agent, event, CALL);
      await arrived;
      computer.disconnect();
      expect((await answer)[0]).toMatchObject({ code: 404, details: { reason: 'left' } });
    }
  });

  verifies(['SRV-CALL-03', 'SMCP-ERR-04', 'W-PY-12'], 'a query has a timeout, too', async () => {
    const { agent } = await office({ limits: { queryTimeoutMs: 100 } });
    const answers = await Promise.all(
      ['client:get_tools', 'client:get_config', 'client:get_desktop'].map((event) => ask(agent, event, CALL)),
    );
    for (const [answer] of answers) expect(answer).toMatchObject({ code: 408 });
  });

  verifies('SMCP-TOOL-04', 'a cancellation from outside an office is refused', async () => {
    const { server, computer } = await office();
    const received = recordEvents(computer);
    expect(
      (await ask(await server.connect(), 'server:tool_call_cancel', { agent: 'a', req_id: 'r1' }))[0],
    ).toMatchObject({ code: 403 });
    await settle();
    expect(received).toEqual([]);
  });
});
