import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { MCPProxy } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { atEnd, serving } from './doors.js';
import { proxyOver, start } from './hub-over.js';
import { MemoryToolbox } from './memory-toolbox.js';

const script = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));
const workshop = { name: 'w', entry: async () => ({ command: process.execPath, args: [script] }) };

async function connected(url: URL, mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  atEnd(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

describe.each([
  { generation: '2025-11-25', mode: 'legacy' },
  { generation: '2026-07-28', mode: 'auto' },
] as const)('over HTTP, slow calls of a client of MCP $generation', ({ mode }) => {
  verifies('COST-SHARE-02', 'do not delay the calls of another session', async () => {
    const url = await serving(await proxyOver(workshop));
    const [busy, honest] = [await connected(url, mode), await connected(url, 'legacy')];
    let isOver = false;
    const exec = (tool_name: string, args: object) => ({
      name: 'exec',
      arguments: { server_name: 'w', tool_name, arguments: args },
    });
    for (let i = 0; i < 100; i++) {
      const slow = busy.callTool(exec('sleep', { ms: 3_600_000 }), { timeout: 600_000 });
      slow
        .catch(() => {})
        .finally(() => {
          isOver = true;
        });
    }
    await honest.callTool(exec('echo', { message: 'hi' }));
    // Until now, not all of the others need to have arrived.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { content } = await honest.callTool(exec('echo', { message: 'hi' }));
    expect(content).toMatchObject([{ text: 'hi' }]);
    expect(isOver).toBe(false);
  });
});

/** Sends messages from this address. `onSession` receives the id of a new session. */
function sender(url: URL, localAddress: string, onSession = (_id: unknown) => {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 300 });
  atEnd(() => agent.destroy());
  return (message: object, more: Readonly<Record<string, string>> = {}) =>
    new Promise<string>((resolve, reject) => {
      const accept = 'application/json, text/event-stream';
      const headers = { accept, 'content-type': 'application/json', ...more };
      const sent = request(url, { method: 'POST', headers, agent, localAddress }, async (response) => {
        onSession(response.headers['mcp-session-id']);
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve(text);
      });
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
}

/** A session of MCP 2025 from this address. */
async function sessionFrom(url: URL, localAddress: string) {
  let id = '';
  const send = sender(url, localAddress, (given) => {
    id ||= String(given);
  });
  const post = (message: object) =>
    send(message, id === '' ? {} : { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await post({ id: 0, method: 'initialize', params });
  await post({ method: 'notifications/initialized' });
  const exec = (tool_name: string, args: object) => {
    const call = { server_name: 'w', tool_name, arguments: args };
    return post({ id: 1, method: 'tools/call', params: { name: 'exec', arguments: call } });
  };
  const run = (code: string) =>
    post({ id: 1, method: 'tools/call', params: { name: 'run', arguments: { code, timeout: 600 } } });
  return { exec, run };
}

interface StatelessCall {
  /** That the client declares. */
  readonly name?: string;
  readonly capabilities?: object;
  readonly requestState?: string;
  readonly inputResponses?: object;
}

/** A client of MCP 2026 from this address: it has no session. */
function statelessFrom(url: URL, localAddress: string) {
  const post = sender(url, localAddress);
  const version = '2026-07-28';
  return (tool_name: string, args: object, { name = 'test', capabilities = {}, ...more }: StatelessCall = {}) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const params = { name: 'exec', arguments: { server_name: 'w', tool_name, arguments: args }, ...more, _meta };
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'exec' };
    return post({ id: 1, method: 'tools/call', params }, headers);
  };
}

verifies(
  'COST-SHARE-02',
  'the calls of many sessions of one address do not delay those of another address',
  async () => {
    const url = await serving(await proxyOver(workshop));
    const honest = await sessionFrom(url, '127.0.0.2');
    const sessions = await Promise.all(Array.from({ length: 140 }, () => sessionFrom(url, '127.0.0.3')));
    for (const { exec } of sessions) exec('sleep', { ms: 3_600_000 }).catch(() => {});
    for (let turn = 0; turn < 3; turn++) {
      expect(await honest.exec('echo', { message: 'hi' })).toContain('hi');
      // Until now, not all of the others need to have arrived.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  },
);

verifies('COST-SHARE-31', 'the calls of stateless clients of one address do not delay those of another', async () => {
  const url = await serving(await proxyOver(workshop));
  const [honest, busy] = [statelessFrom(url, '127.0.0.2'), statelessFrom(url, '127.0.0.3')];
  expect(await honest('echo', { message: 'hi' })).toContain('hi');
  for (let i = 0; i < 140; i++) busy('sleep', { ms: 3_600_000 }).catch(() => {});
  for (let turn = 0; turn < 3; turn++) {
    expect(await honest('echo', { message: 'hi' })).toContain('hi');
    // The SDK handles the first request of a client.
    expect(await honest('echo', { message: 'hi' }, { name: `client ${turn}` })).toContain('hi');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
});

describe.each([
  { what: 'many', limits: { waitingCalls: 20 }, count: 50, size: 1 },
  { what: 'long', limits: { waitingCharacters: 20_000 }, count: 20, size: 3_000 },
  { what: 'a very long one', limits: { waitingCharacters: 2_000 }, count: 1, size: 3_000 },
])('calls that wait for input: $what', ({ limits, count, size }) => {
  verifies('COST-WAIT-30', 'of one address do not end those of another', async () => {
    const tool = { name: 'wipe', inputSchema: {}, autoApply: false };
    const toolbox = new MemoryToolbox([{ name: 'w', state: 'ready', tools: [tool] }]);
    toolbox.answer = () => ({ content: [{ type: 'text', text: 'wiped' }] }) as never;
    const proxy = new MCPProxy(toolbox, { limits });
    atEnd(() => proxy.close());
    const url = await serving(proxy);
    const [honest, busy] = [statelessFrom(url, '127.0.0.2'), statelessFrom(url, '127.0.0.3')];
    const capabilities = { elicitation: { form: {} } };
    const read = (answer: string) => JSON.parse(answer.replace(/^[\s\S]*data: /, ''));
    const ask = async (from: typeof honest, disk: string) => read(await from('wipe', { disk }, { capabilities }));
    const asked = (await ask(honest, 'a')).result;
    const first = await ask(busy, 'b');
    const others = [];
    for (let i = 0; i < count; i++) others.push(await ask(busy, 'b'.repeat(size)));
    const accept = async (from: typeof honest, disk: string, { requestState, inputRequests }: Asked) => {
      const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: { action: 'accept', content: {} } };
      return read(await from('wipe', { disk }, { capabilities, requestState, inputResponses }));
    };
    expect(await accept(honest, 'a', asked)).toMatchObject({ result: { content: [{ text: 'wiped' }] } });
    expect(await accept(busy, 'b', first.result)).toMatchObject({
      error: { message: expect.stringContaining('expired') },
    });
    const last = others.at(-1);
    if (count > 1) expect(await accept(busy, 'b'.repeat(size), last.result)).toHaveProperty('result');
    else expect(last).toMatchObject({ error: { message: 'Too many calls wait for input; try again later' } });
  });
});

interface Asked {
  readonly requestState: string;
  readonly inputRequests: object;
}

describe('runs of code that take long', () => {
  verifies('COST-SHARE-30', 'do not keep other clients out of code mode', async () => {
    const { proxy } = await start({}, { code: 'on' });
    const url = await serving(proxy);
    const busy = await Promise.all(Array.from({ length: 5 }, () => sessionFrom(url, '127.0.0.3')));
    const honest = [await sessionFrom(url, '127.0.0.3'), await sessionFrom(url, '127.0.0.2')];
    let ended = 0;
    const count = () => ended++;
    for (let i = 0; i < 20; i++) busy[0]?.run('await sleep(1e9)').then(count, () => {});
    for (let turn = 0; turn < 2; turn++) {
      for (const { run } of honest) expect(await run('return 20 + 2')).toContain('"22"');
    }
    for (const { run } of busy) for (let i = 0; i < 20; i++) run('await sleep(1e9)').then(count, () => {});
    for (let turn = 0; turn < 3; turn++) {
      expect(await honest[1]?.run('return 20 + 2')).toContain('"22"');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // Too many runs of one client are refused, and its others wait.
    expect(ended).toBeLessThan(100);
  });

  verifies('COST-SHARE-30', 'end at their time while they wait, and start in their turn', async () => {
    const { proxy } = await start({}, { code: 'on', sandboxLimits: { concurrentRuns: 1, waitingRuns: 8 } });
    const run = async (code: string, timeout: number) => {
      const { content, isError = false } = await proxy.codeRunner.run({ code, timeout });
      return { isError, text: (content[0] as { readonly text?: string }).text };
    };
    const first = run('await sleep(3_000); return "first"', 60);
    const late = run('return "late"', 1);
    const next = run('return "next"', 60);
    expect(await late).toMatchObject({ isError: true, text: expect.stringContaining('did not start within 1000 ms') });
    expect(await Promise.all([first, next])).toMatchObject([{ text: 'first' }, { text: 'next' }]);
    const ended = new AbortController();
    const busy = Array.from({ length: 4 }, () =>
      proxy.codeRunner.run({ code: 'await sleep(1e9)' }, { signal: ended.signal }),
    );
    const refused = await Promise.race(busy);
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: 'code mode is busy: 1 calls in flight, 2 waiting; try again later' }],
    });
    ended.abort();
    const cancelled = { isError: true, content: [{ text: expect.stringContaining('the run was cancelled') }] };
    expect((await Promise.all(busy)).filter((result) => result !== refused)).toMatchObject(Array(3).fill(cancelled));
    expect(await run('return "free"', 60)).toEqual({ isError: false, text: 'free' });
  });
});
