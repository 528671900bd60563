import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { DOORS, enter, STREAM_OPEN } from './doors.js';
import { fixture, text } from './fixture.js';
import { start } from './hub-over.js';
import { Moment } from './moment.js';

const passThrough = { serve: { passThrough: true } };
const echo = (name: string) => ({ [name]: { run: () => text(name) } });

describe.each(DOORS)('for a client of $generation on $door', (door) => {
  verifies('BRIDGE-START-02', 'lists wait a bounded time for a server that never starts', async () => {
    const never = new Promise(() => {});
    const [well, dead] = [fixture('well', echo('ping')), fixture('dead', echo('pong'), { hold: () => never })];
    const entries = { well: await well.entry(), dead: await dead.entry() };
    const { proxy, hub } = await start(entries, { limits: { startTimeoutMs: 200 } });
    await expect.poll(() => hub.status()[0]?.state).toBe('connected');
    const client = await enter(proxy, door, passThrough);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(['ping']);
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    expect(await names()).toEqual(['ping']);
  });
});

/** A server with one tool, resource and prompt, which starts when `hold` resolves. */
const full = (name: string, hold: () => Promise<unknown>) =>
  fixture(name, echo(`ping_${name}`), {
    hold,
    capabilities: { resources: {}, prompts: {} },
    more: (server) => {
      const uri = `demo://${name}`;
      server.setRequestHandler('resources/list', () => ({ resources: [{ uri, name }] }));
      server.setRequestHandler('resources/read', () => ({ contents: [{ uri, text: `text of ${name}` }] }));
      server.setRequestHandler('prompts/list', () => ({ prompts: [{ name: `ask_${name}` }] }));
      server.setRequestHandler('prompts/get', () => ({
        messages: [{ role: 'user', content: { type: 'text', text: `prompt of ${name}` } }],
      }));
    },
  });

const QUESTIONS = [
  { list: 'resources' },
  { list: 'prompts' },
  { uri: 'demo://late' },
  { prompt_name: 'ask_late' },
  { query: 'ping_late' },
  { tool_name: 'ping_late' },
];

verifies('BRIDGE-START-02', 'inspect over all servers waits for those that are starting', async () => {
  const held = new Moment();
  const { proxy } = await start({ late: await full('late', () => held.promise).entry() });
  const client = await enter(proxy, DOORS[0]);
  const ask = async (question: object) =>
    JSON.stringify((await client.callTool({ name: 'inspect', arguments: { server_name: '*', ...question } })).content);
  const answers = Promise.all(QUESTIONS.map(ask));
  // Answered in order of arrival: all questions have arrived.
  await client.ping();
  held.happen();
  const expected = ['demo://late', 'ask_late', 'text of late', 'prompt of late', 'ping_late', 'ping_late'];
  for (const [index, answer] of (await answers).entries()) {
    expect(answer).toContain(expected[index]);
    expect(answer).not.toMatch(/starting|No tool|Unknown/);
  }
});

verifies('BRIDGE-START-02', 'inspect over all servers names those that have not started in time', async () => {
  const never = full('never', () => new Promise(() => {}));
  const { proxy } = await start({ never: await never.entry() }, { limits: { startTimeoutMs: 100 } });
  const client = await enter(proxy, DOORS[0]);
  for (const question of QUESTIONS) {
    const { content } = await client.callTool({ name: 'inspect', arguments: question });
    expect(JSON.stringify(content)).toContain('Still starting, not included: never.');
  }
});

verifies('BRIDGE-START-02', 'lists do not wait for a slow second connection; a difference is announced', async () => {
  const [held, open, changed] = [new Moment(), new Moment(), new Moment()];
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
  const made = fixture(
    'chooser',
    {},
    {
      hold: async (connection) => (connection > 1 ? held.promise : undefined),
      more: (server) =>
        server.setRequestHandler('tools/list', () => ({
          tools: [tool(server.getClientCapabilities()?.elicitation ? 'ask' : 'guess')],
        })),
    },
  );
  const { proxy, started } = await start({ chooser: await made.entry() }, { limits: { clientListMs: 200 } });
  await started;
  const client = await enter(proxy, DOORS[2], {
    ...passThrough,
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.happen() } },
    onWire: (sent) => sent === STREAM_OPEN && open.happen(),
  });
  await open.promise;
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual(['ask']);
  held.happen();
  await changed.promise;
  expect(await names()).toEqual(['guess']);
  expect(made.connections).toBe(2);
});
