import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { boot, folder, server, textOf, until, workshop } from './harness.js';

describe('history', () => {
  verifies('COMP-HIST-01', 'keeps the last ten calls in order', async () => {
    const computer = await boot();
    for (let i = 1; i <= 12; i++)
      await computer.executeTool(`r${i}`, 'echo', { message: `${i}` }, { agent: 'bot', timeout: 5 });
    const records = computer.history();
    expect(records.map(({ req_id }) => req_id)).toEqual(Array.from({ length: 10 }, (_, i) => `r${i + 3}`));
    expect(records.at(-1)).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      req_id: 'r12',
      agent: 'bot',
      server: 'w',
      bundle_id: 'w',
      tool: 'echo',
      parameters: { message: '12' },
      timeout: 5,
      success: true,
      error: null,
      duration_ms: expect.any(Number),
    });
  });

  verifies('COMP-HIST-02', 'removes secrets from the arguments of an Agent when it is read', async () => {
    const computer = await boot();
    await computer.executeTool('r1', 'echo', { message: 'm', api_key: 'k-123456' }, { agent: 'bot', office: 'o' });
    const [record] = computer.history();
    expect(record?.parameters).toEqual({ message: 'm', api_key: '[redacted]' });
    expect(computer.history()[0]).toBe(record);
  });

  verifies('COMP-HIST-03', 'is written to a file that only its owner can read, rotated by size', async () => {
    const path = join(folder(), 'deep', 'calls.jsonl');
    const computer = await boot({ historyFile: { path, maxBytes: 1_000, maxFiles: 3 } });
    for (let i = 1; i <= 20; i++) await computer.executeTool(`r${i}`, 'echo', { message: 'x', password: 'hunter22' });
    await computer.close();
    const files = readdirSync(join(path, '..')).toSorted();
    expect(files).toEqual(['calls.jsonl', 'calls.jsonl.1', 'calls.jsonl.2']);
    const lines = ['.2', '.1', ''].flatMap((end) => readFileSync(`${path}${end}`, 'utf8').trim().split('\n'));
    const ids = lines.map((line) => (JSON.parse(line) as { req_id: string }).req_id);
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => `r${20 - ids.length + 1 + i}`));
    expect(lines.join()).not.toContain('hunter22');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(path).size).toBeLessThanOrEqual(1_000);
  });

  verifies('COMP-HIST-03', 'keeps the configured number of files, also one or two', async () => {
    for (const [maxFiles, expected] of [
      [1, ['calls.jsonl']],
      [2, ['calls.jsonl', 'calls.jsonl.1']],
    ] as const) {
      const path = join(folder(), 'calls.jsonl');
      const computer = await boot({ historyFile: { path, maxBytes: 1_000, maxFiles } });
      for (let i = 1; i <= 20; i++) await computer.executeTool(`r${i}`, 'echo', { message: 'x' });
      await computer.close();
      expect(readdirSync(join(path, '..')).toSorted()).toEqual(expected);
      for (const name of expected) expect(statSync(join(path, '..', name)).size).toBeLessThanOrEqual(1_000);
      expect(readFileSync(path, 'utf8')).toContain('"req_id":"r20"');
    }
  });

  verifies('COMP-HIST-01', 'keeps nothing with a limit of zero', async () => {
    const computer = await boot({ limits: { historyRecords: 0 } });
    for (let i = 1; i <= 3; i++) await computer.executeTool(`r${i}`, 'echo', { message: 'x' });
    expect(computer.history()).toEqual([]);
  });

  verifies('COMP-HIST-04', 'includes refused calls', async () => {
    const computer = await boot({ mcpServers: [server('w', { forbidden_tools: ['fail'] })] });
    await computer.executeTool('1', 'nothing', { a: 1 }, { agent: 'bot' });
    await computer.executeTool('2', 'fail', {}, { agent: 'bot' });
    const refused = { agent: 'bot', success: false };
    const expected = [
      {
        ...refused,
        req_id: '1',
        server: '',
        tool: 'nothing',
        parameters: { a: 1 },
        error: expect.stringContaining('not found'),
      },
      {
        ...refused,
        req_id: '2',
        server: 'w',
        tool: 'fail',
        error: expect.stringContaining('disabled by configuration'),
      },
    ];
    expect(computer.history()).toMatchObject(expected);
    const logged = computer.log.filter(({ message }) => message === 'tool call').map(({ req_id }) => req_id);
    expect(logged).toEqual(['1', '2']);
  });

  verifies('COMP-EVENT-01', 'a throwing listener does not fail the call', async () => {
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    onTestFinished(() => {
      process.removeAllListeners('uncaughtException');
      for (const listener of others) process.on('uncaughtException', listener);
    });
    const uncaught: string[] = [];
    process.on('uncaughtException', ({ message }) => uncaught.push(message));
    const computer = await boot();
    computer.on('call', () => {
      throw new Error('mine');
    });
    expect(textOf(await computer.executeTool('1', 'echo', { message: 'hi' }))).toBe('hi');
    expect(computer.history()).toMatchObject([{ req_id: '1', success: true }]);
    await until(() => uncaught.length > 0);
    expect(uncaught).toEqual(['mine']);
  });

  verifies('COMP-HIST-03', 'a write error loses the record, not the call', async () => {
    const computer = await boot({ historyFile: { path: '/dev/null/calls.jsonl' } });
    expect(textOf(await computer.executeTool('1', 'echo', { message: 'hi' }))).toBe('hi');
    await computer.close();
    expect(computer.log).toContainEqual(expect.objectContaining({ message: 'cannot write the history' }));
  });
});

describe('the desktop', () => {
  verifies('COMP-DESK-01', 'is ordered by use: the server that was called last comes first', async () => {
    const computer = await boot({
      mcpServers: [server('A'), second('B', 'b_')],
    });
    const open = (tool: string, uri: string, body: string) => computer.executeTool(uri, tool, { uri, body });
    await open('open_window', 'window://a/main?priority=60', 'A main');
    await open('open_window', 'window://a/dashboard?priority=90&fullscreen=true', 'A dashboard');
    await open('b_open_window', 'window://b/main?priority=50', 'B main');
    await open('b_open_window', 'window://b/board?priority=85', 'B board');
    const order = async (more = {}) => (await computer.getDesktop(more)).map((text) => text.split('\n\n')[1]);
    expect(await order()).toEqual(['B board', 'B main', 'A dashboard']);
    await computer.executeTool('x', 'echo', { message: 'hi' });
    expect(await order()).toEqual(['A dashboard', 'B board', 'B main']);
    await computer.executeTool('y', 'b_fail', {});
    expect(await order({ size: 2 })).toEqual(['B board', 'B main']);
    expect(await order({ size: 0 })).toEqual([]);
    expect(await order({ window: 'window://a/main?priority=60' })).toEqual(['A main']);
    expect(await order({ window: 'window://nowhere' })).toEqual([]);
  });

  verifies('COMP-DESK-01', 'a change of a window is emitted', async () => {
    const computer = await boot();
    const next = () => new Promise<void>((resolve) => computer.on('desktop', resolve));
    const opened = next();
    await computer.executeTool('1', 'open_window', { uri: 'window://w/one', body: 'one' });
    await opened;
    expect(await computer.getDesktop()).toEqual(['window://w/one\n\none']);
    const changed = next();
    await computer.executeTool('2', 'open_window', { uri: 'window://w/one', body: 'two' });
    await changed;
    expect(await computer.getDesktop()).toEqual(['window://w/one\n\ntwo']);
    const closed = next();
    await computer.executeTool('3', 'close_window', { uri: 'window://w/one' });
    await closed;
    expect(await computer.getDesktop()).toEqual([]);
  });
});

/** A second workshop with few tools, each with an alias. */
function second(name: string, prefix: string) {
  const names = ['open_window', 'fail'];
  const tools = names.map((tool) => ({ name: tool, inputSchema: { type: 'object' } }));
  return server(name, {
    server_parameters: workshop({ WORKSHOP_TOOLS: JSON.stringify(tools) }),
    tool_meta: Object.fromEntries(names.map((tool) => [tool, { alias: `${prefix}${tool}` }])),
  });
}
