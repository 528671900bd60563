import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MCPProxy } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { expect, vi } from 'vitest';
import { FairTurns } from '../src/fair-turns.js';
import { atEnd, serving } from './doors.js';
import { MemoryToolbox } from './memory-toolbox.js';

const proxyWith = (limits: object) => new MCPProxy(new MemoryToolbox([]), { limits });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(url: URL, message: object, more: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body });
  await answer.text();
  return answer;
}

/** A request whose body stops before its end. */
function stalled(url: URL, bytes: number): { readonly request: ClientRequest; readonly status: Promise<number> } {
  const options = { method: 'POST', headers: { ...headers, 'content-length': bytes + 1 } };
  const sent = request(url, options);
  atEnd(() => sent.destroy());
  const status = new Promise<number>((resolve) => {
    sent.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', () => resolve(0));
  });
  sent.write(Buffer.alloc(bytes, 32));
  return { request: sent, status };
}

const ping = { id: 1, method: 'ping', params: {} };
const large = { ...ping, params: { x: 'x'.repeat(100_000) } };

verifies('COST-WAIT-02', 'bodies that stop do not keep other requests out', async () => {
  const url = await serving(proxyWith({ openBodyBytes: 400_000 }));
  const bodies = [stalled(url, 150_000), stalled(url, 150_000)];
  await expect.poll(() => bodies.every(({ request: { writableLength } }) => writableLength === 0)).toBe(true);
  expect(await Promise.all([1, 2, 3].map(async () => (await post(url, large)).status))).not.toContain(503);
  expect(await bodies[0]?.status).toBe(503);
});

verifies('COST-WAIT-02', 'a body that comes too slowly is refused', async () => {
  const url = await serving(proxyWith({ bodyStepMs: 300 }));
  const began = performance.now();
  expect(await stalled(url, 400_000).status).toBe(408);
  expect(performance.now() - began).toBeGreaterThan(500); // It has brought enough in the first step.
});

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

verifies('COST-SESSION-01', 'sessions that are opened and not used end no session that is used', async () => {
  const url = await serving(proxyWith({ sessions: 3 }));
  const open = async () => {
    const id = (await post(url, initialize)).headers.get('mcp-session-id') ?? '';
    const used = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    await post(url, { method: 'notifications/initialized' }, used);
    return used;
  };
  const session = await open();
  await post(url, ping, session);
  for (let count = 0; count < 5; count++) await open();
  expect((await post(url, ping, session)).status).toBe(200);
});

/** Posts from an address of this machine. Resolves with the headers and the status of the response. */
function postFrom(localAddress: string, url: URL, message: object, more: Record<string, string> = {}) {
  return new Promise<{ readonly session: Record<string, string>; readonly status: number }>((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, ...more }, localAddress, agent: false as const };
    const sent = request(url, options, (response) => {
      response.resume();
      const id = String(response.headers['mcp-session-id']);
      const session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
      response.on('close', () => resolve({ session, status: response.statusCode ?? 0 }));
    });
    sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}

verifies('COST-SESSION-01', 'the address with the most sessions loses one first', async () => {
  const url = await serving(proxyWith({ sessions: 3 }));
  const { session } = await postFrom('127.0.0.2', url, initialize);
  for (let count = 0; count < 5; count++) {
    const other = await postFrom('127.0.0.3', url, initialize);
    await post(url, ping, other.session); // It is used, and the first one is not.
  }
  expect((await post(url, ping, session)).status).toBe(200);
});

verifies('COST-SESSION-01', 'an address with busy sessions keeps no other address out', async () => {
  const toolbox = new MemoryToolbox([{ name: 's', state: 'ready', tools: [{ name: 'wait', inputSchema: {} }] }]);
  toolbox.answer = () => new Promise(() => {});
  const url = await serving(new MCPProxy(toolbox, { limits: { sessions: 4 } }));
  const first = await postFrom('127.0.0.2', url, initialize);
  const wait = {
    id: 1,
    method: 'tools/call',
    params: { name: 'exec', arguments: { server_name: 's', tool_name: 'wait' } },
  };
  const busy = async () => {
    const { session, status } = await postFrom('127.0.0.3', url, initialize);
    if (status !== 200) return status;
    const calls = toolbox.calls.length;
    postFrom('127.0.0.3', url, wait, session).catch(() => {});
    await expect.poll(() => toolbox.calls.length).toBe(calls + 1);
    return status;
  };
  // It is refused itself, and ends no idle session of another address.
  const opened = [await busy(), await busy(), await busy(), await busy(), await busy()];
  expect(opened).toEqual([200, 200, 200, 503, 503]);
  expect((await post(url, ping, first.session)).status).toBe(200);
  const second = await postFrom('127.0.0.4', url, initialize);
  expect(second.status).toBe(200);
  expect((await post(url, ping, second.session)).status).toBe(200);
  expect((await post(url, ping, first.session)).status).toBe(200);
});

const inspect = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'inspect', arguments: { server_name: '*' } },
});

verifies('COST-TURN-10', 'each answer of inspect has a turn of the event loop', async () => {
  const proxy = proxyWith({});
  const url = await serving(proxy);
  const params = { ...initialize.params, protocolVersion: '2025-03-26' }; // The last version with batches.
  const id = (await post(url, { ...initialize, params })).headers.get('mcp-session-id') ?? '';
  let turn = 0;
  const count = () => {
    turn++;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  atEnd(() => clearImmediate(immediate));
  const turns: number[] = [];
  const { inspector } = proxy;
  const run = inspector.run.bind(inspector);
  vi.spyOn(inspector, 'run').mockImplementation((given) => {
    turns.push(turn);
    return run(given);
  });
  const body = JSON.stringify(Array.from({ length: 20 }, (_, at) => inspect(at)));
  await (await fetch(url, { method: 'POST', headers: { ...headers, 'mcp-session-id': id }, body })).text();
  expect(turns).toHaveLength(20);
  expect(new Set(turns).size).toBe(20);
});

verifies('COST-TURN-10', 'addresses and their clients begin in rotation', async () => {
  const turns = new FairTurns();
  const begun: string[] = [];
  const take = async (group: string, id: string) => {
    await turns.take({ group, id });
    begun.push(id);
  };
  const all = ['a1', 'a1', 'a1', 'a2', 'a2', 'b1', 'b1'].map((id) => take(id.charAt(0), id));
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a1', 'b1', 'a2', 'b1', 'a1', 'a2']);
  await nextTurn();
  await nextTurn();
  expect(turns.take({ group: 'a', id: 'a1' })).toBeUndefined();
});

verifies('COST-TURN-10', 'a client that does not wait for a response is disconnected', async () => {
  const url = await serving(proxyWith({}));
  const socket = connect(Number(url.port), url.hostname);
  atEnd(() => socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve()).on('error', () => {});
  });
  const body = JSON.stringify({ jsonrpc: '2.0', ...initialize });
  const fields = Object.entries({ host: url.host, ...headers, 'content-length': String(body.length) });
  const lines = ['POST /mcp HTTP/1.1', ...fields.map(([name, value]) => `${name}: ${value}`), '', body];
  socket.write(lines.join('\r\n').repeat(100));
  await closed;
  expect(received.split('mcp-session-id').length).toBeLessThan(10);
});
