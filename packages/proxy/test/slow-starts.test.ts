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
