import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { OnceOnly } from '../src/calls/once-only.js';
import { boot, settle, textOf } from './harness.js';

const result = (text: string) => ({ content: [{ type: 'text', text }], isError: false });
const id = (reqId: string, agent = 'a', office: string | null = 'o') => ({ office, agent, reqId });

describe('a repeated call', () => {
  verifies(['COMP-ONCE-01', 'SMCP-CALL-02'], 'waits for the first, or gets its result, and runs nothing', async () => {
    const computer = await boot();
    const add = () => computer.executeTool('r1', 'add_tool', { name: 'once' }, { agent: 'a' });
    const [first, second] = await Promise.all([add(), add()]);
    const third = await add();
    expect(textOf(first)).toBe('added');
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(computer.history()).toHaveLength(1);
    const counts = JSON.parse(textOf(await computer.executeTool('r2', 'counts', {}))) as Record<string, number>;
    expect(counts['tools/call']).toBe(2);
  });

  verifies('COMP-ONCE-01', 'is another call when another Agent or an Agent of another office makes it', async () => {
    const computer = await boot();
    const echo = (message: string, agent: string, office?: string) =>
      computer.executeTool('same', 'echo', { message }, { agent, ...(office !== undefined && { office }) });
    const results = await Promise.all([echo('1', 'a', 'o'), echo('2', 'b', 'o'), echo('3', 'a', 'p'), echo('4', 'a')]);
    expect(results.map(textOf)).toEqual(['1', '2', '3', '4']);
  });
});

verifies('COMP-ONCE-03', 'a call that is older than the Computer, and unknown to it, is not run', async () => {
  const computer = await boot();
  const echo = (reqId: string, repeatedAfterMs: number) =>
    computer.executeTool(reqId, 'echo', { message: 'hi' }, { agent: 'a', repeatedAfterMs });
  expect(textOf(await echo('lost on the way', 1))).toBe('hi');
  expect(await echo('of a former life', 3_600_000)).toMatchObject({ isError: true, error: { code: 404 } });
  // What it knows itself it answers, however old.
  expect(textOf(await echo('lost on the way', 3_600_000))).toBe('hi');
  expect(computer.history()).toHaveLength(1);
});

describe('the memory of calls', () => {
  verifies('COMP-ONCE-02', 'is bounded in number', async () => {
    const calls = new OnceOnly({ rememberedCalls: 2 });
    let runs = 0;
    const run = (reqId: string) => calls.run(id(reqId), async () => result(`${reqId} ${++runs}`));
    for (const reqId of ['1', '2', '3']) await run(reqId);
    expect(await run('3')).toEqual(result('3 3'));
    expect(await run('2')).toEqual(result('2 2'));
    expect(await run('1')).toEqual(result('1 4'));
  });

  verifies('COMP-ONCE-02', 'is bounded in bytes, and what made room is still known to have run', async () => {
    const calls = new OnceOnly({ rememberedBytes: 300 });
    for (const reqId of ['1', '2', '3']) await calls.run(id(reqId), async () => result('x'.repeat(100)));
    expect(calls.run(id('1'), async () => result('again'))).toBe('forgotten');
    expect(await calls.run(id('3'), async () => result('again'))).toEqual(result('x'.repeat(100)));
    await calls.run(id('huge'), async () => result('x'.repeat(1_000)));
    expect(calls.run(id('huge'), async () => result('again'))).toBe('forgotten');
  });

  verifies('COMP-ONCE-02', 'tells of a result that made room instead of running the tool again', async () => {
    const computer = await boot({ limits: { rememberedBytes: 10 } });
    await computer.executeTool('r', 'echo', { message: 'hello' });
    const again = await computer.executeTool('r', 'echo', { message: 'hello' });
    expect(again).toMatchObject({ isError: true, error: { code: 404 } });
    expect(textOf(again)).toContain('has run and is not run again');
    expect(computer.history()).toHaveLength(1);
  });

  verifies('SMCP-SEC-08', 'calls in flight are limited, with 429', async () => {
    const computer = await boot({ limits: { callsInFlight: 1 } });
    const slow = computer.executeTool('1', 'sleep', { ms: 10_000 });
    const refused = await computer.executeTool('2', 'echo', { message: 'hi' });
    expect(refused).toMatchObject({ isError: true, error: { code: 429, details: { retry_after: 1 } } });
    expect(computer.cancel('1')).toBe(true);
    await slow;
    expect(textOf(await computer.executeTool('3', 'echo', { message: 'hi' }))).toBe('hi');
  });
});

describe('cancelling', () => {
  verifies('COMP-CANCEL-01', 'reaches the MCP server, and the call ends as cancelled', async () => {
    const computer = await boot();
    const slow = computer.executeTool('slow', 'sleep', { ms: 60_000 }, { agent: 'a', office: 'o' });
    await settle(0);
    expect(computer.cancel('slow', { agent: 'b', office: 'o' })).toBe(false);
    expect(computer.cancel('slow', { agent: 'a', office: 'o' })).toBe(true);
    expect(await slow).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Tool call cancelled' }],
      meta: { a2c_cancelled: true, a2c_cancel_reason: 'agent_requested' },
    });
    const told = JSON.parse(textOf(await computer.executeTool('x', 'cancelled', {}))) as unknown[];
    expect(told).toHaveLength(1);
    expect(computer.cancel('slow', { agent: 'a', office: 'o' })).toBe(false);
    expect(computer.history()[0]).toMatchObject({ success: false, error: 'Tool call cancelled' });
  });

  verifies('COMP-CANCEL-01', 'works through a signal, also one that is aborted already', async () => {
    const computer = await boot();
    const controller = new AbortController();
    const slow = computer.executeTool('1', 'sleep', { ms: 60_000 }, { signal: controller.signal });
    controller.abort();
    expect((await slow).meta).toMatchObject({ a2c_cancelled: true });
    const never = await computer.executeTool('2', 'echo', { message: 'x' }, { signal: AbortSignal.abort() });
    expect(never.meta).toMatchObject({ a2c_cancelled: true });
  });
});
