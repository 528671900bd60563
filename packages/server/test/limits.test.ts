import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { type Socket, connect as tcpConnect } from 'node:net';
import { verifies } from '@a2c/requirements';
import { type Authenticator, allowAnonymous, apiKey, SERVER_LIMITS } from '@a2c/server';
import { describe, expect, onTestFinished } from 'vitest';
import { HandshakeQueue } from '../src/access/handshake-queue.js';
import { ask, CALL, eventually, next, open, pauseReading, serve, until } from './harness.js';

interface HttpAnswer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

/** A polling handshake without a client library. */
function handshake(url: string, query = '', headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/socket.io/?EIO=4&transport=polling${query}`, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: text.startsWith('{') ? JSON.parse(text) : text,
        }),
      );
    });
    asked.on('error', reject).end();
  });
}

/** A WebSocket upgrade without a client library, which would hide the HTTP response. */
function upgrade(url: string, query = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = tcpConnect(Number(port), hostname, () => {
      socket.write(
        `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.startsWith('HTTP/1.1 101')) socket.destroy();
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

describe('rates', () => {
  verifies(['SRV-LIMIT-01', 'SMCP-SEC-08', 'SMCP-SEC-09'], 'of calls: 429 with the time to wait', async () => {
    const server = await serve({ limits: { callsPerSecond: 5 } });
    const agent = await server.member('agent', 'a', 'o');
    const computer = await server.member('computer', 'pc', 'o');
    computer.on('client:get_tools', (_request, ack) => ack({ tools: [], req_id: 'r1' }));
    // On a slow machine tokens are added while the burst is handled, so the number of refusals has only bounds.
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(agent, 'client:get_tools', CALL)));
    const refused = answers
      .map(([answer]) => answer as { code?: number; details?: { retry_after: number } })
      .filter(({ code }) => code === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(50);
    expect(refused[0]?.details?.retry_after).toBeGreaterThan(0);
    expect(refused[0]?.details?.retry_after).toBeLessThanOrEqual(1);
    expect(await server.server.metrics.text()).toContain(
      `a2c_requests_total{event="client:get_tools",verdict="TooManyRequests"} ${refused.length}`,
    );
    await eventually(async () => {
      expect(await ask(agent, 'client:get_tools', CALL)).toEqual([{ tools: [], req_id: 'r1' }]);
    });
  });

  verifies('SRV-LIMIT-01', 'of an office continue after a reconnect of its Agent', async () => {
    const server = await serve({ limits: { officeCallsPerSecond: 2 } });
    const codes: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const agent = await eventually(() => server.member('agent', 'a', 'o'));
      for (let j = 0; j < 20; j++) {
        const [answer] = await ask(agent, 'client:get_tools', CALL);
        codes.push((answer as { code: number }).code);
      }
      agent.disconnect();
    }
    expect(codes.slice(0, 4)).toEqual([404, 404, 404, 404]);
    expect(codes).toContain(429);
  });

  verifies('SRV-LIMIT-01', 'of an office are not used up by calls that the rate of their Agent refuses', async () => {
    const server = await serve({
      limits: { callsPerSecond: 2, officeCallsPerSecond: 8 },
      officePolicy: () => ({ agents: 'many' }),
    });
    const [greedy, other] = [await server.member('agent', 'a', 'o'), await server.member('agent', 'b', 'o')];
    const codes = async (agent: typeof greedy, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => ask(agent, 'client:get_tools', CALL)));
      return answers.map(([answer]) => (answer as { code: number }).code);
    };
    expect(await codes(greedy, 50)).toContain(429);
    expect(await codes(other, 4)).toEqual([404, 404, 404, 404]);
  });

  verifies(
    ['SRV-LIMIT-01', 'SRV-LIMIT-06'],
    'of any event; a connection with too many refusals is closed',
    async () => {
      const server = await serve({ limits: { eventsPerSecond: 10, refusalsBeforeDisconnect: 50 } });
      const socket = await server.connect();
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask(socket, 'server:nope', {})));
      const refused = answers.filter(([answer]) => (answer as { code: number }).code === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThanOrEqual(20);
      const gone = next(socket, 'disconnect');
      for (let i = 0; i < 200; i++) socket.emit('server:nope', {});
      expect(await gone).toBe('io server disconnect');
    },
  );
});

/** Starts a process that joins as a Computer and then blocks in an endless loop without reading. */
function frozenComputer(url: string): void {
  const script = `
    import { io } from 'socket.io-client';
    const socket = io('${url}/smcp', { transports: ['websocket'] });
    socket.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'o' }, () => { for (;;); });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
}

describe('counts and sizes', () => {
  verifies(['SRV-LIMIT-02', 'W-PY-19'], 'calls in flight, per Agent and per office', async () => {
    for (const limits of [{ callsInFlight: 3 }, { officeCallsInFlight: 3 }]) {
      const server = await serve({ limits });
      const agent = await server.member('agent', 'a', 'o');
      const computer = await server.member('computer', 'pc', 'o');
      const held: ((answer: unknown) => void)[] = [];
      computer.on('client:get_tools', (_request, ack) => held.push(ack));
      const waiting = Array.from({ length: 3 }, () => ask(agent, 'client:get_tools', CALL));
      await until(() => held.length === 3);
      expect(await ask(agent, 'client:get_tools', CALL)).toEqual([expect.objectContaining({ code: 429 })]);
      for (const ack of held.splice(0)) ack({ tools: [], req_id: 'r1' });
      await Promise.all(waiting);
      const more = ask(agent, 'client:get_tools', CALL);
      await until(() => held.length === 1);
      held[0]?.({ tools: [], req_id: 'r1' });
      expect(await more).toEqual([{ tools: [], req_id: 'r1' }]);
    }
  });

  verifies('SEC-SHARE-01', 'calls in flight, of one identity among several Agents', async () => {
    const byKey: Authenticator = ({ auth }) => ({ subject: String(auth.api_key), method: 'keys' });
    for (const [authenticate, keys] of [
      [byKey, ['evil', 'evil', 'good']],
      [allowAnonymous, []],
      [apiKey('the-key-of-everybody'), Array.from({ length: 3 }, () => 'the-key-of-everybody')],
    ] as const) {
      const server = await serve({
        authenticate,
        officePolicy: () => ({ agents: 'many' }),
        limits: { officeCallsInFlight: 8 },
      });
      const auth = (api_key?: string) => ({ auth: { api_key } });
      const computer = await server.member('computer', 'pc', 'o', auth(keys[0] ?? 'pc'));
      let received = 0;
      computer.on('client:get_tools', () => void received++);
      const names = keys[0] === 'evil' ? ['evil-1', 'evil-2', 'good'] : ['evil-1', 'evil-1', 'good'];
      const first = await server.member('agent', 'evil-1', 'o', auth(keys[0]));
      const second = names[1] === 'evil-2' ? await server.member('agent', 'evil-2', 'o', auth(keys[1])) : first;
      const good = await server.member('agent', 'good', 'o', auth(keys[2]));
      for (const agent of [first, second]) for (let i = 0; i < 2; i++) void ask(agent, 'client:get_tools', CALL);
      await until(() => received === 4);
      for (const agent of [first, second])
        expect(await ask(agent, 'client:get_tools', CALL)).toEqual([expect.objectContaining({ code: 429 })]);
      void ask(good, 'client:get_tools', CALL);
      await until(() => received === 5);
    }
  });

  verifies('SRV-LIMIT-03', 'connections and handshakes per address', async () => {
    const few = await serve({ limits: { connectionsPerAddress: 2 } });
    const first = await few.connect();
    await few.connect();
    expect(await handshake(few.url)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { code: 429 },
    });
    expect(await upgrade(few.url)).toMatch(/^HTTP\/1.1 429 [\s\S]*Retry-After: 60[\s\S]*too many connections/);
    first.disconnect();
    await eventually(() => few.connect());

    const slow = await serve({ limits: { handshakesPerSecond: 2 } });
    const statuses = await Promise.all(Array.from({ length: 40 }, () => handshake(slow.url)));
    expect(statuses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4);
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });

  verifies('WEB-HOST-50', 'requests of pages of other sites are refused and not counted', async () => {
    const origins = ['https://allowed.example'];
    const { url, connect } = await serve({ origins, limits: { connectionsPerAddress: 2, handshakesPerSecond: 2 } });
    for (const site of ['cross-site', 'same-site', 'cross-site', 'cross-site', 'cross-site', 'cross-site', 'odd']) {
      expect((await handshake(url, '', { 'Sec-Fetch-Site': site })).status).toBe(403);
    }
    await connect();
    const [origin = ''] = origins;
    expect((await handshake(url, '', { 'Sec-Fetch-Site': 'cross-site', Origin: origin })).status).toBe(200);
    for (const site of ['same-origin', 'none']) {
      // Not refused for its origin: the two connections are open.
      expect((await handshake(url, '', { 'Sec-Fetch-Site': site })).status).toBe(429);
    }
  });

  verifies('COST-STRANGER-50', 'connections without credentials give way, the oldest first', async () => {
    const server = await serve({ authenticate: apiKey('right'), limits: { connectionsPerAddress: 4 } });
    const auth = { auth: { api_key: 'right' } };
    const member = await server.member('computer', 'pc', 'o', auth);
    const poll = await handshake(server.url);
    const sid = JSON.parse(String(poll.body).slice(1)).sid as string;
    const strangers = [await openWebSocket(server.url), await openWebSocket(server.url)];
    onTestFinished(() => {
      for (const { socket } of strangers) socket.destroy();
    });
    const closed = strangers.map(({ socket }) => once(socket, 'close'));
    const next = await eventually(() => server.connect(auth));
    // The oldest was that which polls.
    expect((await handshake(server.url, `&sid=${sid}`)).status).toBe(400);
    const others = [await server.connect(auth), await server.connect(auth)];
    await Promise.all(closed);
    // Members never give way.
    await expect(server.connect(auth)).rejects.toThrow();
    expect([member, next, ...others].map(({ connected }) => connected)).toEqual([true, true, true, true]);
  });

  verifies('COST-STRANGER-51', 'handshakes with valid credentials pass over the rate of strangers', async () => {
    let checks = 0;
    const key = apiKey('right');
    const { url } = await serve({
      limits: { handshakesPerSecond: 5, connectionsPerAddress: 1e6 },
      authenticate: (given) => {
        checks++;
        return key(given);
      },
    });
    const flood = async (count: number, headers: Record<string, string> = {}) => {
      const answers = await Promise.all(Array.from({ length: count }, () => handshake(url, '', headers)));
      return answers.filter(({ status }) => status === 429).length;
    };
    expect(await flood(100)).toBeGreaterThan(0);
    for (const headers of [{ 'x-api-key': 'right' }, { Authorization: 'Bearer right' }]) {
      await flood(20);
      expect((await handshake(url, '', headers)).status).toBe(200);
    }
    expect(await flood(100, { 'x-api-key': 'right' })).toBeGreaterThan(0);
    checks = 0;
    await flood(100);
    expect(checks).toBe(0);
    const began = performance.now();
    expect(await flood(400, { 'x-api-key': 'wrong' })).toBeGreaterThan(300);
    // Ten times the rate of handshakes, and twice as many at once.
    expect(checks).toBeLessThanOrEqual(100 + 0.05 * (performance.now() - began));
  });

  verifies('COST-STRANGER-03', 'sockets per address, also those that send nothing', async () => {
    const most = 2 * 3 + 100;
    const limits = { connectionsPerAddress: 3 };
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    /** Opens more sockets than an address may. */
    const openAll = async (url: string) => {
      const port = Number(new URL(url).port);
      const mine = Array.from({ length: most + 20 }, () => tcpConnect(port, '127.0.0.1').on('error', () => {}));
      sockets.push(...mine);
      await Promise.all(mine.map((socket) => once(socket, 'connect')));
      return mine;
    };
    const few = await serve({ limits });
    const mine = await openAll(few.url);
    await eventually(async () => expect(mine.filter(({ destroyed }) => destroyed)).toHaveLength(20));
    for (const socket of mine) socket.destroy();
    await eventually(() => few.connect());

    const behindProxy = await serve({ limits, trustedProxies: ['127.0.0.1'] });
    const theirs = await openAll(behindProxy.url);
    await behindProxy.connect();
    expect(theirs.filter(({ destroyed }) => destroyed)).toHaveLength(0);
  });

  verifies('SRV-LIMIT-04', 'messages of many megabytes pass', async () => {
    expect(SERVER_LIMITS.messageBytes).toBeGreaterThanOrEqual(16 * 2 ** 20);
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    const computer = await server.member('computer', 'pc', 'o');
    const text = 'x'.repeat(8 * 2 ** 20);
    computer.on('client:tool_call', ({ params }, ack) =>
      ack({ content: [{ type: 'text', text: params.text }], isError: false }),
    );
    const [result] = await ask(agent, 'client:tool_call', { ...CALL, params: { text } });
    expect((result as { content: [{ text: string }] }).content[0].text).toBe(text);
    expect(server.audit.at(-1)?.bytes_in).toBeGreaterThan(text.length);
    expect(server.audit.at(-1)?.bytes_out).toBeGreaterThan(text.length);
  });

  verifies('COST-CALL-01', 'a tool call that takes long to decode is refused', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    await server.member('computer', 'pc', 'o');
    const [refusal] = await ask(agent, 'client:tool_call', { ...CALL, params: { text: 'x'.repeat(11 * 2 ** 20) } });
    expect(refusal).toMatchObject({ code: 400, message: expect.stringContaining('10485760 are allowed') });
    const [refused] = await ask(agent, 'client:tool_call', { ...CALL, params: { a: Array(100_001).fill(0) } });
    expect(refused).toMatchObject({ code: 400, message: expect.stringContaining('more than 100000 values') });
  });

  verifies('SRV-LIMIT-05', 'a peer that does not read is disconnected', async () => {
    const server = await serve({ limits: { queuedBytes: 2 * 2 ** 20 } });
    const agent = await server.member('agent', 'a', 'o');
    const computer = await server.member('computer', 'pc', 'o');
    const tools = 'x'.repeat(2 ** 20);
    computer.on('client:get_tools', ({ req_id }, ack) => ack({ tools, req_id }));
    pauseReading(agent);
    for (let i = 0; i < 40; i++) agent.emit('client:get_tools', { ...CALL, req_id: `r${i}` }, () => {});
    const slow = expect.objectContaining({ message: 'peer does not read; disconnected', sid: agent.id });
    await eventually(async () => expect(server.logs).toContainEqual(slow));
    expect(server.server.sessions().map(({ name }) => name)).toEqual(['pc']);
    expect(computer.connected).toBe(true);
  });

  verifies(
    'COST-MEMBER-09',
    'peers that do not read are disconnected when all have too much queued; they are gone',
    async () => {
      const limits = { queuedBytes: 2 ** 40, allQueuedBytes: 2 * 2 ** 20 };
      const server = await serve({ limits: { ...limits, callsPerSecond: 1e6, officeCallsPerSecond: 1e6 } });
      const agent = await server.member('agent', 'a', 'o');
      const entered = next(agent, 'notify:enter_office');
      frozenComputer(server.url);
      await entered;
      const text = 'x'.repeat(2 ** 20);
      const answers = Array.from({ length: 40 }, (_, i) =>
        ask(agent, 'client:tool_call', { ...CALL, req_id: `r${i}`, params: { text } }),
      );
      for (const answer of await Promise.all(answers))
        expect(answer).toEqual([expect.objectContaining({ code: 404, isError: true })]);
      expect((await answers[0])?.[0]).toMatchObject({ details: { reason: 'gone' } });
      expect(server.logs).toContainEqual(expect.objectContaining({ message: 'peer does not read; disconnected' }));
      expect(agent.connected).toBe(true);
    },
  );

  verifies('COST-MEMBER-09', 'what the socket of a peer holds counts, after it was written', async () => {
    const server = await serve({ limits: { allQueuedBytes: 24 * 2 ** 20 }, officePolicy: () => ({ agents: 'many' }) });
    const computer = await server.member('computer', 'pc', 'o');
    const content = [{ type: 'text', text: 'x'.repeat(12 * 2 ** 20) }];
    computer.on('client:tool_call', (_call, ack) => ack({ content, isError: false }));
    const agents = await Promise.all(['a', 'b', 'c', 'd'].map((name) => server.member('agent', name, 'o')));
    for (const agent of agents) {
      pauseReading(agent);
      agent.emit('client:tool_call', { ...CALL, agent: agent.id, req_id: `r ${agent.id}` }, () => {});
    }
    const slow = expect.objectContaining({ message: 'peer does not read; disconnected' });
    await eventually(async () => expect(server.logs).toContainEqual(slow));
    expect(computer.connected).toBe(true);
  });
});

describe('the README', () => {
  verifies('SRV-LIMIT-08', 'lists every limit with its default', () => {
    const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const listed: Record<string, number> = {};
    for (const [, names = '', values = ''] of page.matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm)) {
      const amounts = values.split(', ').map((text) => ({
        number: Number.parseFloat(text.replaceAll(/(?<=\d),(?=\d)/g, '')),
        unit: text.includes('MiB') ? 2 ** 20 : 1,
      }));
      for (const [i, name] of names.replaceAll('`', '').split(', ').entries())
        listed[name] = (amounts[i]?.number ?? Number.NaN) * (amounts[i]?.unit ?? 1);
    }
    expect(listed).toEqual(SERVER_LIMITS);
  });
});

describe('handshakes', () => {
  verifies('SRV-LIMIT-07', 'web pages of this host and of allowed origins may connect', async () => {
    const server = await serve({ origins: ['https://console.example'] });
    const { host } = new URL(server.url);
    expect(await handshake(server.url, '', { Origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 403 },
    });
    expect(await handshake(server.url, '', { Origin: 'null' })).toMatchObject({ status: 403 });
    for (const origin of ['https://console.example', `http://${host}`]) {
      expect(await handshake(server.url, '', { Origin: origin })).toMatchObject({ status: 200 });
    }
    expect(await handshake(server.url)).toMatchObject({ status: 200 });
  });

  verifies('WEB-HOST-01', 'a foreign Host is refused where no credentials are needed', async () => {
    const anonymous = await serve({ hosts: ['desk.example'] });
    const { port } = new URL(anonymous.url);
    const statusOf = async (url: string, host: string, query = '', headers = {}) =>
      (await handshake(url, query, { ...headers, Host: host })).status;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      'word',
      '10.0.0.1',
      'a@localhost',
    ]) {
      expect(await statusOf(anonymous.url, host), host).toBe(403);
      expect(await statusOf(anonymous.url, host, '', { Origin: `http://${host}` }), host).toBe(403);
      expect(await statusOf(anonymous.url, host, '&sid=x'), host).toBe(403);
    }
    for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:1', 'LOCALHOST.', 'desk.example:7000']) {
      expect(await statusOf(anonymous.url, host), host).toBe(200);
    }
    expect(await statusOf(anonymous.url, 'localhost', '&j=0')).toBe(403);
    await expect(anonymous.connect({ extraHeaders: { Host: 'evil.example' } })).rejects.toThrow();

    const network = await serve({ host: '0.0.0.0', allowInsecure: true });
    const local = network.url.replace('0.0.0.0', '127.0.0.1');
    expect(await statusOf(local, 'evil.example')).toBe(403);
    for (const host of ['10.0.0.1:7000', 'server', 'localhost']) expect(await statusOf(local, host), host).toBe(200);

    const authenticated = await serve({ authenticate: apiKey('K') });
    expect(await statusOf(authenticated.url, 'a2c.example')).toBe(200);
    const named = await serve({ authenticate: apiKey('K'), hosts: ['a2c.example'] });
    expect(await statusOf(named.url, 'evil.example')).toBe(403);
  });

  verifies('SRV-LIMIT-09', 'pages of allowed origins can read the answers to polling requests', async () => {
    const server = await serve({ origins: ['https://console.example'], publicMetrics: true });
    const readable = async (path: string, origin: string, init: RequestInit = {}) => {
      const response = await fetch(`${server.url}${path}`, { ...init, headers: { ...init.headers, Origin: origin } });
      return response.headers.get('access-control-allow-origin');
    };
    const polling = '/socket.io/?EIO=4&transport=polling';
    const preflight = {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
    };
    for (const init of [{}, preflight]) {
      expect(await readable(polling, 'https://console.example', init)).toBe('https://console.example');
      expect(await readable(polling, 'https://evil.example', init)).toBeNull();
    }
    // Refusals are readable; the operator endpoints are not.
    expect(await readable(`${polling}&a2c_version=9.0.0`, 'https://console.example')).toBe('https://console.example');
    for (const path of ['/metrics', '/operator/sessions', '/healthz']) {
      expect(await readable(path, 'https://console.example')).toBeNull();
    }
    const closed = await serve();
    const response = await fetch(`${closed.url}${polling}`, { headers: { Origin: closed.url } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  verifies(
    ['WIRE-VER-03', 'WIRE-VER-04', 'SMCP-VER-03', 'SMCP-NS-01'],
    'versions are checked the same for polling and for upgrades',
    async () => {
      const lenient = await serve();
      const strict = await serve({ versionPolicy: 'strict' });
      const mismatch = { code: 4008, client_version: '9.0.0', server_version: '0.4.0' };
      for (const server of [lenient, strict]) {
        expect(await handshake(server.url, '&a2c_version=9.0.0')).toMatchObject({
          status: 400,
          headers: { 'x-a2c-error-code': '4008' },
          body: mismatch,
        });
        const text = await upgrade(server.url, '&a2c_version=9.0.0');
        expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*X-A2C-Error-Code: 4008/);
        expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject(mismatch);
        expect(await handshake(server.url, '&a2c_version=latest')).toMatchObject({ status: 400, body: { code: 400 } });
        expect(await handshake(server.url, '&a2c_version=0.4.7')).toMatchObject({ status: 200 });
        expect(await upgrade(server.url, '&a2c_version=0.4.7')).toMatch(/^HTTP\/1.1 101/);
      }
      expect(await handshake(lenient.url)).toMatchObject({ status: 200 });
      for (const version of ['0.1.2', '0.2.0', '0.3.1', '0.4.0'])
        expect(await handshake(lenient.url, `&a2c_version=${version}`)).toMatchObject({ status: 200 });
      expect(await handshake(strict.url)).toMatchObject({
        status: 400,
        body: { code: 400, message: 'Missing a2c_version query parameter' },
      });
      expect(await handshake(strict.url, '&a2c_version=0.3.0')).toMatchObject({ status: 400, body: { code: 4008 } });
      await strict.member('agent', 'a', 'o', { query: { a2c_version: '0.4.0' }, transports: ['polling', 'websocket'] });
    },
  );

  verifies(['SMCP-VER-03', 'SMCP-SEC-03'], 'a version declared in auth or in the join is checked there', async () => {
    const server = await serve();
    const hint = { protocol: 'a2c-smcp', version: '2.0.0' };
    const refused = open(server.url, { auth: hint });
    const error = (await next(refused, 'connect_error')) as Error & { data: unknown };
    expect(error.data).toMatchObject({ code: 400, details: { a2c_code: 4008, client_version: '2.0.0' } });
    const socket = await server.connect();
    const join = { role: 'agent', name: 'a', office_id: 'o' };
    expect(await ask(socket, 'server:join_office', { ...join, ...hint })).toEqual([
      false,
      expect.stringMatching(/^400\/4008 /),
    ]);
    expect(await ask(socket, 'server:join_office', { ...join, ...hint, version: '0.1.0' })).toEqual([true, null]);
  });
});

describe('many handshakes at once', () => {
  verifies('SRV-SCALE-08', 'pass in order, some per turn of the event loop', async () => {
    const queue = new HandshakeQueue(100);
    const passed: number[] = [];
    let turns = 0;
    const countTurns = () => {
      turns++;
      if (passed.length < 40) setImmediate(countTurns);
    };
    for (let i = 0; i < 40; i++) {
      queue.add('a', () => {
        const end = performance.now() + 2;
        while (performance.now() < end);
        passed.push(i);
      });
    }
    expect(passed).toEqual([]);
    setImmediate(countTurns);
    await until(() => passed.length === 40);
    expect(passed).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(turns).toBeGreaterThan(10);
  });

  verifies('COST-STRANGER-07', 'are refused when too many wait, in all or from one address', async () => {
    const queue = new HandshakeQueue(2, 3);
    const passed: number[] = [];
    const add = (address: string, i: number) => queue.add(address, () => passed.push(i));
    expect([add('a', 1), add('a', 2), add('a', 3), add('b', 4), add('c', 5)]).toEqual([true, true, false, true, false]);
    await until(() => passed.length === 3);
    expect([add('a', 6), add('c', 7)]).toEqual([true, true]);
    await until(() => passed.length === 5);
    expect(passed).toEqual([1, 2, 4, 6, 7]);
  });

  verifies('SRV-SCALE-08', 'do not exceed the connections of an address', async () => {
    const { url } = await serve({ limits: { connectionsPerAddress: 3, handshakesPerSecond: 100 } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => openWebSocket(url)));
    onTestFinished(() => {
      for (const { socket } of answers) socket.destroy();
    });
    expect(answers.filter(({ status }) => status === 'HTTP/1.1 101')).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 'HTTP/1.1 429')).toHaveLength(9);
  });
});

/** A WebSocket that stays open after the response. */
function openWebSocket(url: string): Promise<{ readonly socket: Socket; readonly status: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = tcpConnect(Number(port), hostname);
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    socket.once('data', (chunk) => resolve({ socket, status: chunk.toString('latin1', 0, 12) }));
    socket.on('error', reject);
  });
}
