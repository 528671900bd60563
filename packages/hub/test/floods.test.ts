import { setTimeout as sleep } from 'node:timers/promises';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { hashOf } from '../src/pins/pinned-tool.js';
import { hub, jsonOf, run, server, textOf, until } from './hub.js';
import { json, type Message, serve, stream } from './transports/http-server.js';

const notification = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', method: `notifications/${method}`, params });

const FLOODS = {
  'blank lines': '',
  'lines of a log': 'junk',
  'changes of tools': notification('tools/list_changed'),
  'changes of resources': notification('resources/list_changed'),
  progress: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":TOKEN,"progress":1}}',
  pings: '{"jsonrpc":"2.0","id":"p","method":"ping"}',
  'log messages': notification('message', { level: 'error', data: 'x' }),
  batches: `[${Array.from({ length: 100 }, () => notification('tools/list_changed')).join()}]`,
};

const CALLS = 10;
/** Typically less than 0.5 s. It takes more than 10 s if all that can be read is handled in one turn. */
const CALLS_MS = 7_500;

describe('A server that floods its client', () => {
  for (const [what, line] of Object.entries(FLOODS)) {
    verifies('COST-FLOOD-01', `with ${what} does not delay the calls of another`, async () => {
      const bad = server('bad', { server_parameters: run('flood.mjs') });
      const manager = await hub([bad, server('good')]);
      const flooding = manager.executeTool('flood', { line }, { timeout: 600, onProgress: () => {} });
      flooding.catch(() => {}); // It ends with the hub.
      const started = performance.now();
      for (let call = 0; call < CALLS; call++) {
        expect(textOf(await manager.executeTool('echo', { message: 'x' }))).toBe('x');
      }
      expect(performance.now() - started).toBeLessThan(CALLS_MS);
    });
  }
});

describe('A server that floods an event stream', () => {
  for (const [what, event] of Object.entries({ comments: ':\n', events: 'data: x\n\n', lines: 'data: x\n' })) {
    verifies('COST-FLOOD-01', `with ${what} does not delay the calls of another`, async () => {
      const { url } = await serve({
        onCall: (response, message: Message) => {
          const tools = [{ name: 'flood', inputSchema: { type: 'object' } }];
          if (message.method !== 'tools/call') return json(response, message, { tools });
          const bytes = Buffer.from(event.repeat(100_000));
          const write = () => void (response.write(bytes) ? setImmediate(write) : response.once('drain', write));
          stream(response);
          write();
        },
      });
      const bad = server('bad', { type: 'streamable', server_parameters: { url } });
      const manager = await hub([bad, server('good')]);
      manager.executeTool('flood', {}, { timeout: 600 }).catch(() => {}); // It ends with the hub.
      const started = performance.now();
      for (let call = 0; call < CALLS; call++) {
        expect(textOf(await manager.executeTool('echo', { message: 'x' }))).toBe('x');
      }
      expect(performance.now() - started).toBeLessThan(CALLS_MS);
    });
  }
});

verifies('COST-LIST-01', 'a list whose pages have too much together is cut', async () => {
  const { manager, warnings } = await listed('15000');
  expect(warnings).toEqual([
    'tools/list has more than 4 MiB of text or 100,000 values in all its pages together; the rest is ignored',
  ]);
  expect(manager.availableTools()).toHaveLength(6);
});

verifies('COST-LIST-01', 'a tool that is too large is left out', async () => {
  const { manager, warnings } = await listed('30000');
  expect(warnings).toContain('tools/list has an item of more than 1 MiB of text or 20,000 values; it is left out');
  expect(manager.availableTools()).toHaveLength(0);
});

/** A hub with a server whose list has pages without end, of so many values each. */
async function listed(FLOOD_VALUES: string) {
  const warnings: string[] = [];
  const manager = await hub([]);
  manager.on('warning', ({ message }) => warnings.push(message));
  await manager.initialize([server('bad', { server_parameters: run('flood.mjs', { FLOOD_VALUES }) })]);
  expect(manager.status()[0]?.state).toBe('connected');
  return { manager, warnings };
}

verifies('COST-LIST-03', 'instructions that are too long are left out', async () => {
  const warnings: string[] = [];
  const manager = await hub([]);
  manager.on('warning', ({ message }) => warnings.push(message));
  const saying = (length: number) => run('flood.mjs', { FLOOD_INSTRUCTIONS: String(length) });
  await manager.initialize([
    server('bad', { server_parameters: saying(65_537) }),
    server('good', { server_parameters: saying(65_536) }),
  ]);
  expect(manager.status().map(({ instructions }) => instructions?.length)).toEqual([undefined, 65_536]);
  expect(warnings).toEqual(['sent instructions of more than 64 KiB; they are left out']);
});

verifies('COST-ERROR-01', 'the data of an error is kept up to a limit, without secrets', async () => {
  const data = { key: 'tok-4711-abcd', list: Array.from({ length: 200_000 }, () => 'ab'), last: 'x' };
  const { url } = await serve({
    onCall: (response, message: Message) => {
      const { id, method } = message;
      if (method !== 'tools/call') {
        return json(response, message, { tools: [{ name: 'fail', inputSchema: { type: 'object' } }] });
      }
      const error = { code: -32_000, message: 'no', data };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    },
  });
  const headers = { 'x-key': 'tok-4711-abcd', 'x-other': 'value-of-another-header' };
  const manager = await hub([server('bad', { type: 'streamable', server_parameters: { url, headers } })]);
  const before = process.cpuUsage();
  const error = await manager.executeTool('fail', {}).catch((error: unknown) => error);
  // Typically less than 0.1 s. It takes about 4 s if every text is redacted, and the secrets are determined for each.
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  expect(error).toMatchObject({ code: -32_000, data: { key: '[redacted]' } });
  expect((error as { data: typeof data }).data.list).toHaveLength(1_997);
  expect(error).not.toHaveProperty('data.last');
});

verifies('COST-ASK-01', 'a question that is too long gets an error, and so do too many that are long', async () => {
  let asked = 0;
  const onElicit = async () => {
    asked++;
    await until(() => asked === 32);
    return { action: 'decline' as const };
  };
  const manager = await hub([server('bad', { server_parameters: run('flood.mjs') })], {
    onElicit,
    limits: { callsInFlight: 40 },
  });
  const ask = async (length: number) => jsonOf(await manager.executeTool('ask', { length }));
  expect(await ask(270_000)).toMatchObject({
    message: expect.stringContaining('elicitation/create has more than 256 KiB'),
  });
  const all = await Promise.all(Array.from({ length: 34 }, () => ask(200_000)));
  expect(all.filter(({ action }) => action === 'decline')).toHaveLength(32);
  expect(all.filter(({ message }) => /32 requests of this server wait/.test(message))).toHaveLength(2);
});

verifies('HUB-TOOLS-09', 'a change right after the first list is read', async () => {
  const manager = await hub([server('quick', { server_parameters: run('flood.mjs', { FLOOD_CHANGE: '1' }) })]);
  await until(() => manager.availableTools()[0]?.tool.description === 'list 2');
});

verifies('COST-LIST-02', 'a list that changes without end is read less and less often', async () => {
  const manager = await hub([server('bad', { server_parameters: run('flood.mjs', { FLOOD_CHANGES: '1' }) })]);
  const lists = () => Number(manager.availableTools()[0]?.tool.description?.replace('list ', ''));
  await until(() => lists() > 8);
  const before = lists();
  await sleep(1_500);
  // 25 if it were read without a growing pause.
  expect(lists() - before).toBeLessThan(8);
});

verifies('COST-TOOLS-01', 'a large set in a schema is compared about as fast as a list', () => {
  const values = Array.from({ length: 1_000 }, (_, index) => `${'x'.repeat(5_000)}${(index * 7_919) % 1_000}`);
  const time = (schema: object) => {
    const started = performance.now();
    hashOf({ name: 't', inputSchema: { type: 'object', ...schema } });
    return performance.now() - started;
  };
  const best = (schema: object) => Math.min(...Array.from({ length: 3 }, () => time(schema)));
  // Typically twice as long; 25 times as long if the values are encoded for each comparison.
  expect(best({ enum: values })).toBeLessThan(8 * best({ examples: values }));
  const other = { name: 't', inputSchema: { type: 'object' as const, enum: values.toReversed() } };
  expect(hashOf(other)).toBe(hashOf({ name: 't', inputSchema: { type: 'object', enum: values } }));
});
