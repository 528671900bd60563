import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { verifies } from '@a2c/requirements';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ask, dial, eventually, newCall, serve } from './harness.js';
import { startScript } from './processes.js';

const MIB = 2 ** 20;

/**
 * A server in a process of its own. `GET /turn` resets the counters and returns the highest CPU time of one turn of the
 * event loop since the last reset (of several that together take a millisecond). `GET /memory` also returns the memory
 * after a garbage collection. CPU time, unlike elapsed time, does not depend on the load of the machine; `speed` is the
 * time of a fixed piece of work, relative to a usual machine.
 */
const SERVER = (authenticate: string) => `
  import { createServer as createHttpServer } from 'node:http';
  import { allowAnonymous, apiKey, createServer } from '@a2c/server';
  const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1_000; };
  let worst = 0;
  let last = cpu();
  const turn = () => { const now = cpu(); worst = Math.max(worst, now - last); last = now; setTimeout(turn, 1); };
  turn();
  const text = JSON.stringify(Array.from({ length: 5e3 }, (_, i) => ({ id: i, name: 'n' + i })));
  const work = () => { const start = cpu(); JSON.parse(text); return (cpu() - start) / 0.75; };
  const http = createHttpServer(async (request, response) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const turnMs = worst;
    const speed = Math.max(1, Math.min(work(), work(), work(), work()));
    const collections = request.url === '/memory' ? 3 : 1;
    for (let i = 0; i < collections; i++) { await new Promise(setImmediate); gc(); }
    const { heapUsed, external } = process.memoryUsage();
    response.end(JSON.stringify({ turnMs, speed, bytes: heapUsed + external }), () => setImmediate(() => setImmediate(() => { worst = 0; last = cpu(); })));
  });
  const HUGE = 1e9;
  await createServer({
    http,
    authenticate: ${authenticate},
    logger: { debug() {}, info() {}, warn() {}, error(fields, message) { console.error(message, fields); } },
    limits: { connectionsPerAddress: HUGE, handshakesPerSecond: HUGE },
  });
  http.listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + http.address().port));`;

/** Some tests need an Agent with few tools. */
const MEMBER_SERVER = SERVER(
  "(handshake) => handshake.auth.limited ? { subject: 'k', tools: ['a*'] } : allowAnonymous(handshake)",
);

interface Cost {
  readonly turnMs: number;
  readonly speed: number;
  readonly bytes: number;
}

function costOf(url: string, what: 'turn' | 'memory' = 'turn'): Promise<Cost> {
  return new Promise((resolve, reject) => {
    get(`${url}/${what}`, { agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text) as Cost));
    }).on('error', reject);
  });
}

/**
 * Sends again while a turn takes too long: the first time compiles code, and other processes slow it down, but not each
 * time. Returns the shortest.
 */
async function least(send: () => Promise<Cost>, limit: number): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6 && shortest >= limit; attempt++) {
    const { turnMs, speed } = await send();
    shortest = Math.min(shortest, turnMs / speed);
  }
  return shortest;
}

/** A WebSocket after Engine.IO's handshake, to send arbitrary packets. */
async function rawTransport(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('message', resolve));
  return socket;
}

/** Opens a polling session and sends one request. Resolves to the status, or to an error code. */
async function post(url: string, body: string): Promise<number | string> {
  const polling = `${url}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(polling)).text()).slice(1)) as { sid: string };
  return new Promise((resolve) => {
    const sent = request(`${polling}&sid=${sid}`, { method: 'POST', headers: { 'Content-Type': 'text/plain' } });
    sent.on('response', (response) => response.resume().on('close', () => resolve(response.statusCode ?? 0)));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(body);
  });
}

const bad = '40/smcp,{"api_key":"bad"}\u001e';
/** What a peer without credentials sends. Each is one message or one polling request. */
const STRANGERS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'a polling request of 15 MiB': (url) => post(url, bad.repeat((15 * MIB) / bad.length)),
  'a polling request of many connects': (url) => post(url, bad.repeat(2_000)),
  'a polling request of many pongs': (url) => post(url, '3\u001e'.repeat(30_000)),
  'a message of 15 MiB': async (url) => void (await rawTransport(url)).send(`40/smcp,"${'x'.repeat(15 * MIB)}"`),
  'a deeply nested connect': async (url) =>
    void (await rawTransport(url)).send(`40/smcp,{"a":${'['.repeat(15_000)}${']'.repeat(15_000)}}`),
  'a connect of many small values': async (url) =>
    void (await rawTransport(url)).send(`40/smcp,{"a":[${'[],'.repeat(10_000)}0]}`),
  'an event with attachments': async (url) => {
    const socket = await rawTransport(url);
    socket.send('4510-/smcp,["x",{"_placeholder":true,"num":0}]');
    for (let i = 0; i < 2; i++) socket.send(Buffer.alloc(15 * MIB));
  },
  'many connects': async (url) => {
    const socket = await rawTransport(url);
    for (let i = 0; i < 1_000; i++) socket.send(bad.slice(0, -1));
  },
};

/** Events and acknowledgements of a member, each 14 MiB. */
const MEMBERS: Readonly<Record<string, string>> = {
  'deep nesting': `42/smcp,1["client:tool_call",${'['.repeat(14 * MIB)}`,
  'many numbers': `43/smcp,0[${'1,'.repeat(7 * MIB)}1]`,
  'many small objects': `42/smcp,1["client:tool_call",{"params":[${'{"":0},'.repeat(2 * MIB)}1]}]`,
  'multi-byte text': `43/smcp,0["${'你'.repeat((14 * MIB) / 3)}"]`,
};

type Options = Parameters<typeof dial>[1];

const NEWER = { query: { a2c_version: '0.4.0' } };
/** A Computer whose tools have no bundle ids. */
const OLDER = { query: { a2c_version: '0.2.2' } };

describe('one packet costs little', () => {
  /** One process for all tests with members: each has an office of its own. */
  let members = '';
  beforeAll(async () => {
    let kill = async () => {};
    ({ url: members } = await startScript(MEMBER_SERVER, ['--expose-gc'], (end) => {
      kill = end;
    }));
    return () => kill();
  });

  /** An Agent `a` and a Computer `pc`. */
  async function join(office: string, agentOptions: Options = {}, computerOptions: Options = {}) {
    const agent = await dial(members, agentOptions);
    const computer = await dial(members, computerOptions);
    await ask(agent, 'server:join_office', { role: 'agent', name: 'a', office_id: office });
    await ask(computer, 'server:join_office', { role: 'computer', name: 'pc', office_id: office });
    return { agent, computer };
  }

  verifies(
    ['COST-STRANGER-01', 'COST-STRANGER-02', 'COST-MEMBER-02'],
    'before admission, in time and in memory',
    async () => {
      const { url } = await startScript(SERVER("apiKey('K')"), ['--expose-gc']);
      for (const [what, send] of Object.entries(STRANGERS)) {
        let growth = 0;
        const attempt = async () => {
          const before = await costOf(url, 'memory');
          await send(url);
          const cost = await costOf(url, 'memory');
          growth = cost.bytes - before.bytes;
          // On a busy machine the server closes the connection, and frees its buffers, some turns later.
          for (let turn = 0; turn < 20 && growth >= MIB; turn++)
            growth = (await costOf(url, 'memory')).bytes - before.bytes;
          return cost;
        };
        expect(await least(attempt, 50), what).toBeLessThan(50);
        // The first time also fills buffers that are used again.
        if (growth >= MIB) await attempt();
        expect(growth, what).toBeLessThan(MIB);
      }
    },
    { timeout: 120_000 },
  );

  verifies(
    ['COST-MEMBER-01', 'COST-MEMBER-02'],
    'after admission, whatever its size and shape',
    async () => {
      const { agent } = await join('shapes');
      const send = async (packet: string) => {
        const socket = await rawTransport(members);
        socket.send('40/smcp,');
        await new Promise((resolve) => socket.once('message', resolve));
        await costOf(members);
        socket.send(packet);
        socket.send('42/smcp,2["server:list_room",{}]');
        await new Promise((resolve) => {
          socket.once('close', resolve);
          socket.on('message', (data) => String(data).startsWith('43/smcp,2') && resolve(undefined));
        });
        return costOf(members);
      };
      await send(`42/smcp,1["client:tool_call",[${'{"":[1,true,"\\n"]},'.repeat(50_000)}0]]`); // compiles hot code
      for (const [what, packet] of Object.entries(MEMBERS)) {
        const turn = await least(() => send(packet), 100);
        expect(turn, what).toBeLessThan(100);
      }
      expect(agent.connected).toBe(true);
    },
    { timeout: 240_000 },
  );

  verifies(
    'COST-MEMBER-06',
    'also an answer that is converted between generations',
    async () => {
      const { agent, computer } = await join('generations', NEWER, OLDER);
      const range = <T>(length: number, of: (index: number) => T) => Array.from({ length }, (_, index) => of(index));
      let answer: object = {};
      computer.on('client:get_tools', ({ req_id }, ack) => ack({ ...answer, req_id }));
      computer.on('client:get_config', (_request, ack) => ack(answer));
      let received: unknown;
      const send = async (event: string) => {
        await costOf(members);
        [received] = await ask(agent, event, { agent: 'a', computer: 'pc', req_id: `${Math.random()}` });
        return costOf(members);
      };
      const tool = (index: number) => ({ name: `t${index}`, description: '', params_schema: {}, meta: { a: 1 } });
      answer = { tools: range(5_000, tool) };
      expect(await least(() => send('client:get_tools'), 100)).toBeLessThan(100);
      const { tools } = received as { tools: object[] };
      expect([tools.length, tools[4_999]]).toMatchObject([5_000, { bundle_id: 'pc', ...tool(4_999) }]);
      const refusals: readonly [string, object, string][] = [
        ['client:get_tools', { tools: range(30_000, tool) }, 'has more than 100000 values'],
        ['client:get_config', { servers: Object.fromEntries(range(501, (index) => [`s${index}`, {}])) }, '501 servers'],
      ];
      for (const [event, refused, message] of refusals) {
        answer = refused;
        expect(await least(() => send(event), 100), event).toBeLessThan(100);
        expect(received).toMatchObject({ message: expect.stringContaining(message) });
      }
    },
    { timeout: 120_000 },
  );

  verifies('COST-MEMBER-02', 'and unfinished attachments end the connection', async () => {
    const { url } = await serve({ limits: { messageBytes: MIB, attachmentsTimeoutMs: 500 } });
    const start = async (text: string) => {
      const socket = await rawTransport(url);
      socket.send('40/smcp,');
      await new Promise((resolve) => socket.once('message', resolve));
      socket.send(text);
      return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
    };
    const large = await start('4510-/smcp,["x",{"_placeholder":true,"num":0}]');
    for (let i = 0; i < 5; i++) large.socket.send(Buffer.alloc(MIB / 4));
    await large.closed;
    await (await start('451-/smcp,["x",{"_placeholder":true,"num":0}]')).closed;
    await (await start('4511-/smcp,["x",{"_placeholder":true,"num":0}]')).closed;
    const text = `451-/smcp,["x",${JSON.stringify('x'.repeat(MIB / 2))}]`;
    await (await start(text)).closed;
  });

  verifies('COST-STRANGER-04', 'and a flood of control frames ends the connection', async () => {
    const { url } = await serve();
    const floods: readonly ((socket: WebSocket) => void)[] = [
      (socket) => socket.send('3'),
      (socket) => socket.send('6'),
      (socket) => socket.ping(),
      (socket) => socket.pong(),
    ];
    for (const send of floods) {
      const socket = await rawTransport(url);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      for (let i = 0; i < 1_000; i++) send(socket);
      await closed;
    }
  });

  verifies('COST-STRANGER-05', 'and a refused connection attempt closes its socket', async () => {
    const { url } = await serve();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const attempt = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        get(`${url}/socket.io/?EIO=4&transport=polling`, { agent, headers }, (response) => {
          response.resume().on('end', () => resolve([response.statusCode, response.headers.connection]));
        }).on('error', reject);
      });
    expect(await attempt({})).toEqual([200, 'keep-alive']);
    expect(await attempt({ origin: 'https://evil.example' })).toEqual([403, 'close']);
  });

  verifies(
    'COST-STRANGER-06',
    'and a connection with requests that do not wait for the response is closed',
    async () => {
      const { url } = await serve();
      const { port, hostname, host } = new URL(url);
      for (const path of ['/healthz', '/missing', '/socket.io/?EIO=4&transport=polling']) {
        const socket = connect(Number(port), hostname).on('error', () => {});
        let text = '';
        socket.on('data', (chunk: Buffer) => {
          text += chunk;
        });
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(1_000));
        await new Promise((resolve) => socket.once('close', resolve));
        expect(text.split('HTTP/1.1 ').length, path).toBeLessThanOrEqual(2);
      }

      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const endings: number[] = [];
      for (let at = 1; at <= 501; at++) {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          get(`${url}/healthz`, { agent }, resolve).on('error', reject);
        });
        expect(response.statusCode).toBe(200);
        if (response.headers.connection === 'close') endings.push(at);
        await new Promise((resolve) => response.resume().on('end', resolve));
      }
      expect(endings).toEqual([500]);
    },
  );

  verifies(
    'COST-MEMBER-10',
    'and pending calls do not keep their content',
    async () => {
      const { agent, computer } = await join('pending');
      let received = 0;
      computer.on('client:tool_call', () => received++);
      const text = 'x'.repeat(3 * MIB);
      const before = await costOf(members, 'memory');
      for (const [i, content] of [{ params: { text } }, { params: {}, unknown: text }].entries())
        for (let at = 0; at < 10; at++)
          // One after the other: several would be refused while the first is sent.
          await new Promise<void>((resolve) => {
            computer.once('client:tool_call', () => resolve());
            agent.emit('client:tool_call', { ...newCall(), timeout: 600, ...content, at: i }, () => {});
          });
      expect(received).toBe(20);
      let after = await costOf(members, 'memory');
      for (let turn = 0; turn < 20 && after.bytes - before.bytes >= 12 * MIB; turn++)
        after = await costOf(members, 'memory');
      expect(after.bytes - before.bytes).toBeLessThan(12 * MIB);
    },
    { timeout: 120_000 },
  );

  verifies(
    'COST-MEMBER-11',
    'and the answers with the members of an office share one list',
    async () => {
      const { agent } = await join('lists');
      for (let i = 1; i < 60; i++)
        await ask(await dial(members), 'server:join_office', {
          role: 'computer',
          name: `${'n'.repeat(240)}${i}`,
          office_id: 'lists',
        });
      const asked = { agent: 'a', req_id: 'é\u2028"', office_id: 'lists' };
      const [listed] = (await ask(agent, 'server:list_room', asked)) as [{ sessions: object[]; req_id: string }];
      expect([listed.sessions.length, listed.req_id]).toEqual([61, asked.req_id]);
      const reader = await rawTransport(members);
      reader.send('40/smcp,');
      await new Promise((resolve) => reader.once('message', resolve));
      reader.send('42/smcp,0["server:join_office",{"role":"computer","name":"slow","office_id":"lists"}]');
      await new Promise((resolve) => reader.once('message', resolve));
      const before = await costOf(members, 'memory');
      reader.pause();
      for (let i = 1; i <= 900; i++) reader.send(`42/smcp,${i}["server:list_room",${JSON.stringify(asked)}]`);
      // About 20 MB, of which sockets take a few.
      await eventually(async () => {
        const [last] = (await ask(agent, 'server:list_room', asked)) as [{ sessions: object[] }];
        expect(last.sessions).toHaveLength(62);
      });
      const after = await costOf(members, 'memory');
      expect(after.bytes - before.bytes).toBeLessThan(6 * MIB);
      reader.resume();
      await new Promise((resolve) => {
        reader.on('message', (data) => String(data).startsWith('43/smcp,900[') && resolve(undefined));
      });
    },
    { timeout: 120_000 },
  );

  verifies(
    'COST-MEMBER-13',
    'also a call whose tool is looked up in a long list',
    async () => {
      const limited = { ...NEWER, auth: { limited: true } };
      const { agent, computer } = await join('limited', limited, limited);
      let count = 10_000;
      const tools = () => Array.from({ length: count }, (_, i) => ({ name: `a${i}` }));
      computer.on('client:get_tools', ({ req_id }, ack) => ack({ tools: tools(), req_id }));
      computer.on('client:get_config', (_request, ack) => ack({ servers: {}, inputs: [] }));
      computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
      const call = () => ask(agent, 'client:tool_call', { ...newCall(), tool_name: 'a9' });
      expect(await call()).toEqual([{ content: [], isError: false }]);
      const burst = async () => {
        await costOf(members);
        await Promise.all(Array.from({ length: 100 }, call));
        return costOf(members);
      };
      expect(await least(burst, 100)).toBeLessThan(100);
      count++;
      await ask(computer, 'server:update_tool_list', { computer: 'pc' });
      expect(await call()).toMatchObject([{ message: expect.stringContaining('no readable list of its tools') }]);
    },
    { timeout: 120_000 },
  );

  verifies(
    'COST-MEMBER-14',
    'also an answer with very long names, or many that are nearly equal, that is converted',
    async () => {
      const { agent, computer } = await join('names', NEWER, { query: { a2c_version: '0.1.2' } });
      let answer: object = {};
      computer.on('client:get_tools', ({ req_id }, ack) => ack({ ...answer, req_id }));
      computer.on('client:get_config', (_request, ack) => ack(answer));
      let received: unknown;
      const send = async (event: string) => {
        await costOf(members);
        [received] = await ask(agent, event, { agent: 'a', computer: 'pc', req_id: `${Math.random()}` });
        return costOf(members);
      };
      const tools = (server: string, count = 1) => ({
        tools: Array.from({ length: count }, (_, i) => ({
          ...{ name: `t${i}`, description: '', params_schema: {}, meta: { a2c_server: server } },
        })),
      });
      const config = (names: readonly string[], env: object = {}) => ({
        servers: Object.fromEntries(
          names.map((name) => [name, { type: 'stdio', name, server_parameters: { command: 'x', args: [], env } }]),
        ),
      });
      const many = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, i) => of(i));
      const variables = (count: number) =>
        Object.fromEntries(many(count, (i) => `${'v'.repeat(220)}${i}`).map((name) => [name, '']));
      const cases: readonly [what: string, event: string, answer: object, message: string][] = [
        ['a name of 7 MiB', 'client:get_config', config(['%'.repeat(7 * MIB)]), 'bytes, and'],
        ['a name of 1 MiB', 'client:get_config', config(['%'.repeat(MIB)]), 'characters, and'],
        [
          'names of 1 KiB',
          'client:get_config',
          config(many(500, (i) => `${'a%'.repeat(500)}${String.fromCodePoint(0x4e00 + i)}`)),
          '-500',
        ],
        ['equal ids', 'client:get_config', config(many(500, (i) => String.fromCodePoint(0x4e00 + i))), 'bundle_'],
        ['many variables', 'client:get_config', config(['%'], variables(4_900)), 'bundle_'],
        ['more variables', 'client:get_config', config(['%'], variables(9_000)), 'keys'],
        ['a server of 15 MiB', 'client:get_tools', tools('_%'.repeat(7 * MIB)), 'bytes, and'],
        ['a server of 1 MiB', 'client:get_tools', tools('汉a'.repeat(MIB / 4)), 'characters, and'],
        ['servers of 1 KiB', 'client:get_tools', tools(`a${'-'.repeat(1_000)}a`, 3_000), 't2999'],
      ];
      for (const [what, event, given, message] of cases) {
        answer = given;
        expect(await least(() => send(event), 100), what).toBeLessThan(100);
        expect(JSON.stringify(received), what).toContain(message);
      }
    },
    { timeout: 240_000 },
  );

  verifies('COST-MEMBER-02', 'and pings whose answers are not read end the connection', async () => {
    const { url } = await serve();
    const { port, hostname, host } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const headers = 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x';
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${host}\r\n${headers}AAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 500 }, () => ping));
    const send = () => {
      while (!socket.destroyed && socket.write(pings));
      socket.once('drain', send);
    };
    send();
    await closed;
  });
});
