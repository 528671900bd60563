import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { callId, OnceOnly } from '../src/calls/once-only.js';
import { boot, server, textOf, until } from './harness.js';

const result = (text: string) => ({ content: [{ type: 'text', text }], isError: false });
const ran = async (text: string) => ({ result: result(text), isRemembered: true });
const codeOf = (answer: object) => (answer as { error?: { code: number } }).error?.code;
const runOnce = (calls: OnceOnly, reqId: string, text: () => string, firstSentAt?: number, agent = 'a') =>
  calls.run({
    id: callId(reqId, agent, 'o'),
    fingerprint: 'call',
    mayBeNew: true,
    firstSentAt,
    run: () => ran(text()),
  });

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

verifies('COST-SHARE-02', 'slow calls of one Agent do not delay another Agent', async () => {
  const computer = await boot();
  const isOver = { evil: false };
  const sleep = (i: number) =>
    computer.executeTool(`r${i}`, 'sleep', { ms: 3_600_000 }, { agent: 'evil', office: 'o', timeout: 3_600 });
  for (let i = 0; i < 250; i++) void sleep(i).finally(() => Object.assign(isOver, { evil: true }));
  const answered = await computer.executeTool('e', 'echo', { message: 'hi' }, { agent: 'honest', office: 'o' });
  expect([textOf(answered), isOver.evil]).toEqual(['hi', false]);
});

describe('a call that was refused before it ran', () => {
  verifies('COMP-ONCE-04', 'by a busy server may be repeated', async () => {
    const computer = await boot({ limits: { callsInFlight: 1_000 } });
    const sleep = (i: number) => computer.executeTool(`r${i}`, 'sleep', { ms: 300 }, { agent: 'a' });
    const codes = (await Promise.all(Array.from({ length: 400 }, (_, i) => sleep(i)))).map(codeOf);
    const refused = codes.indexOf(429);
    expect(new Set(codes)).toEqual(new Set([undefined, 429]));
    expect(textOf(await sleep(refused))).toBe('slept');
    expect(textOf(await sleep(0))).toBe('slept'); // This one has run, and is not run again.
    const counts = JSON.parse(textOf(await computer.executeTool('c', 'counts', {}))) as Record<string, number>;
    expect(counts.sleeping).toBe(codes.filter((code) => code === undefined).length + 1);
  });

  verifies('COMP-ONCE-04', 'for a missing tool may be repeated when the tool exists', async () => {
    const computer = await boot();
    const early = () => computer.executeTool('r', 'later', {}, { agent: 'a' });
    expect(codeOf(await early())).toBe(404);
    const there = new Promise<void>((resolve) => computer.on('tools', resolve));
    await computer.executeTool('add', 'add_tool', { name: 'later' });
    await there;
    expect(textOf(await early())).toBe('I am later');
  });

  verifies('SEC-ONCE-05', 'as a repetition does not run when the first copy arrives late', async () => {
    const computer = await boot();
    const sentTo = { agent: 'a', computerEpoch: computer.epoch };
    const late = (repeated: object) => computer.executeTool('r', 'later', {}, { ...sentTo, ...repeated });
    const refused = await late({ repeatedAfterMs: 0 });
    expect(codeOf(refused)).toBe(404);
    const there = new Promise<void>((resolve) => computer.on('tools', resolve));
    await computer.executeTool('add', 'add_tool', { name: 'later' });
    await there;
    expect(await late({})).toEqual(refused);
  });

  verifies('COMP-ONCE-04', 'by a person is not asked for consent again', async () => {
    let asked = 0;
    const computer = await boot({
      mcpServers: [server('w', { default_tool_meta: null })],
      confirm: () => asked++ > 0,
    });
    const echo = () => computer.executeTool('r', 'echo', { message: 'hi' }, { agent: 'a' });
    expect(await echo()).toEqual(await echo());
    expect(asked).toBe(1);
  });
});

verifies('COMP-ONCE-05', 'a used req_id with another tool or other arguments is refused', async () => {
  const computer = await boot();
  const run = (tool: string, params: object) => computer.executeTool('r', tool, { ...params }, { agent: 'a' });
  const slow = run('sleep', { ms: 200 });
  const other = await run('echo', { message: 'hi' });
  expect(other).toMatchObject({ isError: true, error: { code: 400 } });
  expect(textOf(other)).toContain('the req_id "r" belongs to another call');
  expect(codeOf(await run('sleep', { ms: 201 }))).toBe(400);
  await slow;
  expect(codeOf(await run('sleep', { ms: 201 }))).toBe(400);
  expect(textOf(await run('sleep', { ms: 200 }))).toBe('slept');
  expect(computer.history()).toHaveLength(1);
});

verifies('COMP-ONCE-03', 'an unknown call from before the start of the Computer is not run', async () => {
  const computer = await boot();
  const echo = (reqId: string, repeatedAfterMs: number, sentTo = {}) =>
    computer.executeTool(reqId, 'echo', { message: 'hi' }, { agent: 'a', repeatedAfterMs, ...sentTo });
  const here = { computerEpoch: computer.epoch };
  expect(textOf(await echo('lost on the way', 1, here))).toBe('hi');
  expect(await echo('of a former life', 3_600_000)).toMatchObject({ isError: true, error: { code: 404 } });
  // It may have been on its way since before the start.
  expect(await echo('slow', 1)).toMatchObject({ isError: true, _meta: { a2c_execution: 'unknown' } });
  // A known call is answered, however old it is.
  expect(textOf(await echo('lost on the way', 3_600_000))).toBe('hi');
  expect(computer.history()).toHaveLength(1);
});

describe('the memory of calls', () => {
  verifies('COMP-ONCE-02', 'is bounded in number', async () => {
    const calls = new OnceOnly({ rememberedCalls: 2 });
    const started = performance.now();
    let runs = 0;
    const run = (reqId: string) => runOnce(calls, reqId, () => `${reqId} ${++runs}`);
    for (const reqId of ['1', '2', '3']) await run(reqId);
    expect(await run('3')).toEqual(await ran('3 3'));
    expect(await run('2')).toEqual(await ran('2 2'));
    expect(await run('1')).toEqual(await ran('1 4'));
    // A repeated call that was sent before one of the forgotten calls finished may be that call.
    expect(runOnce(calls, '2', () => 'again', started)).toBe('displaced');
    expect(await runOnce(calls, 'new', () => 'ran', performance.now())).toEqual(await ran('ran'));
  });

  verifies('COMP-ONCE-02', 'is bounded in bytes, and a dropped call is still known to have run', async () => {
    const calls = new OnceOnly({ rememberedBytes: 300 });
    for (const reqId of ['1', '2', '3']) await runOnce(calls, reqId, () => 'x'.repeat(100));
    expect(runOnce(calls, '1', () => 'again')).toBe('forgotten');
    expect(await runOnce(calls, '3', () => 'again')).toEqual(await ran('x'.repeat(100)));
    await runOnce(calls, 'huge', () => 'x'.repeat(1_000));
    expect(runOnce(calls, 'huge', () => 'again')).toBe('forgotten');
    // It is larger than the limit, so nothing was dropped for it.
    expect(await runOnce(calls, '3', () => 'again')).toEqual(await ran('x'.repeat(100)));
  });

  verifies('COMP-ONCE-02', 'is that of the last calls and the last results, after any number of calls', async () => {
    const text = 'x'.repeat(1_000);
    const calls = new OnceOnly({ rememberedCalls: 8, rememberedBytes: 5_000 });
    for (let i = 0; i < 100; i++) await runOnce(calls, `r${i}`, () => text);
    const again = Array.from({ length: 100 }, (_, i) =>
      runOnce(calls, `r${i}`, () => 'again', performance.now() - 1e6),
    );
    const outcomes = await Promise.all(again);
    const of = (kind: 'forgotten' | 'result') =>
      outcomes.flatMap((each, i) => ((each === 'forgotten') === (kind === 'forgotten') ? [i] : []));
    expect(of('result').slice(-4)).toEqual([96, 97, 98, 99]);
    expect(of('forgotten').slice(-4)).toEqual([92, 93, 94, 95]);
  });

  verifies('COST-SHARE-01', 'is kept for an Agent while another one makes many calls', async () => {
    const calls = new OnceOnly({ rememberedCalls: 10, rememberedBytes: 1_000 });
    const started = performance.now();
    await runOnce(calls, '1', () => 'x'.repeat(100), undefined, 'honest');
    for (let i = 0; i < 50; i += 1) await runOnce(calls, `${i}`, () => 'x'.repeat(100));
    expect(await runOnce(calls, '1', () => 'again', started, 'honest')).toEqual(await ran('x'.repeat(100)));
    expect(await runOnce(calls, 'lost', () => 'ran', started, 'honest')).toEqual(await ran('ran'));
    expect(runOnce(calls, '1', () => 'again', started)).toBe('displaced');
  });

  verifies('SEC-ONCE-07', 'does not run a slow repetition of a call that others have displaced', async () => {
    const computer = await boot({ limits: { rememberedCalls: 2 } });
    const echo = (reqId: string, agent: string, repeated = {}) =>
      computer.executeTool(reqId, 'echo', { message: 'hi' }, { agent, computerEpoch: computer.epoch, ...repeated });
    await echo('pay', 'honest');
    for (const agent of ['b', 'c']) await echo('1', agent);
    // It was on its way for longer than the first call took, so it seems to be newer than that one.
    const repeated = await echo('pay', 'honest', { repeatedAfterMs: 0 });
    expect(repeated).toMatchObject({ isError: true, error: { code: 404 }, _meta: { a2c_execution: 'unknown' } });
    expect(computer.history()).toHaveLength(3);
  });

  verifies('COMP-ONCE-02', 'reports a dropped result instead of running the tool again', async () => {
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
    const other = await computer.executeTool('2', 'echo', { message: 'hi' }, { agent: 'b', office: 'o' });
    expect(textOf(other)).toBe('hi');
    expect(computer.cancel('1')).toBe(true);
    await slow;
    expect(textOf(await computer.executeTool('3', 'echo', { message: 'hi' }))).toBe('hi');
  });
});

describe('cancelling', () => {
  verifies('COMP-CANCEL-01', 'reaches the MCP server, and the call ends as cancelled', async () => {
    const computer = await boot();
    const slow = computer.executeTool('slow', 'sleep', { ms: 60_000 }, { agent: 'a', office: 'o' });
    await until(() => computer.status()[0]?.callsInFlight === 1);
    expect(computer.cancel('slow', { agent: 'b', office: 'o' })).toBe(false);
    expect(computer.cancel('slow', { agent: 'a', office: 'o' })).toBe(true);
    expect(await slow).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Tool call cancelled' }],
      _meta: { a2c_cancelled: true, a2c_cancel_reason: 'agent_requested' },
    });
    const cancelled = JSON.parse(textOf(await computer.executeTool('x', 'cancelled', {}))) as unknown[];
    expect(cancelled).toHaveLength(1);
    expect(computer.cancel('slow', { agent: 'a', office: 'o' })).toBe(false);
    expect(computer.history()[0]).toMatchObject({ success: false, error: 'the call was cancelled' });
  });

  verifies('COMP-CANCEL-01', 'works through a signal, also one that is aborted already', async () => {
    const computer = await boot();
    const controller = new AbortController();
    const slow = computer.executeTool('1', 'sleep', { ms: 60_000 }, { signal: controller.signal });
    controller.abort();
    expect((await slow)._meta).toMatchObject({ a2c_cancelled: true });
    const never = await computer.executeTool('2', 'echo', { message: 'x' }, { signal: AbortSignal.abort() });
    expect(never._meta).toMatchObject({ a2c_cancelled: true });
  });
});
