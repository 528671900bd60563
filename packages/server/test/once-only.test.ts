import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { OnceOnly, type OnceOnlyLimits } from '../src/calls/once-only.js';
import { ask, CALL, serve, type TestServer } from './harness.js';

const MIB = 2 ** 20;
const MAY_HAVE_RUN = {
  code: 404,
  message: expect.stringContaining('may have run'),
  details: { a2c_execution: 'unknown' },
};

/** An Agent and a Computer of another maker, whose results have this size. */
async function office(server: TestServer, name: string, bytes: number) {
  const computer = await server.member('computer', 'pc', name);
  const runs: string[] = [];
  computer.on('client:tool_call', ({ req_id }, ack) => {
    runs.push(req_id);
    ack({ content: [{ type: 'text', text: 'x'.repeat(bytes) }], isError: false });
  });
  const agent = await server.member('agent', 'a', name);
  const call = async (req_id: string, more: object = {}) =>
    (await ask(agent, 'client:tool_call', { ...CALL, req_id, ...more }))[0] as Record<string, unknown>;
  return { runs, call };
}

verifies('SEC-ONCE-06', 'calls of another office do not make a call run again', async () => {
  const server = await serve();
  const [victim, other] = [await office(server, 'v', 10), await office(server, 'evil', 9 * MIB)];
  const first = await victim.call('pay');
  for (const id of ['1', '2', '3']) expect(await other.call(id)).toMatchObject({ isError: false });
  expect(await victim.call('pay')).toEqual(first);
  expect(await victim.call('pay', { repeated_after_ms: 2_000 })).toEqual(first);
  expect(victim.runs).toEqual(['pay']);
});

verifies('SEC-ONCE-06', 'a call whose answer was dropped is known, and not run again', async () => {
  const { runs, call } = await office(await serve(), 'o', 9 * MIB);
  for (const id of ['1', '2']) await call(id);
  expect(await call('1')).toMatchObject(MAY_HAVE_RUN);
  expect(await call('2')).toMatchObject({ isError: false });
  expect(runs).toEqual(['1', '2']);
});

verifies(['SEC-ONCE-06', 'SEC-ONCE-07'], 'a repeated call from before the start of the node is not run', async () => {
  const { runs, call } = await office(await serve(), 'o', 10);
  expect(await call('old', { repeated_after_ms: 3_600_000 })).toMatchObject(MAY_HAVE_RUN);
  // It may have been sent before the start, and be on its way for some seconds.
  expect(await call('slow', { repeated_after_ms: 0 })).toMatchObject(MAY_HAVE_RUN);
  expect(runs).toEqual([]);
});

verifies('SEC-ONCE-10', 'a repeated call is not run that the Computer may have received before it joined', async () => {
  const { now } = performance;
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
  onTestFinished(() => void vi.restoreAllMocks());
  for (const [sharded, joinedFor, isRun] of [
    [false, 5_000, false],
    [false, 60_000, true],
    [true, 60_000, false],
  ] as const) {
    const server = await serve({ sharded });
    ahead += 3_600_000;
    const query = { office: 'o' };
    const computer = await server.member('computer', 'pc', 'o', { query });
    let runs = 0;
    computer.on('client:tool_call', (_, ack) => ack({ content: [], isError: ++runs === 0 }));
    const agent = await server.member('agent', 'a', 'o', { query });
    ahead += joinedFor;
    const [answer] = await ask(agent, 'client:tool_call', { ...CALL, req_id: 'x', repeated_after_ms: 1_000 });
    expect(answer).toMatchObject(isRun ? { isError: false } : MAY_HAVE_RUN);
    expect(runs).toBe(isRun ? 1 : 0);
  }
});

describe('the memory of calls', () => {
  /** Runs calls with answers of one byte. Returns the ids of those that ran. */
  function memory(limits: Partial<OnceOnlyLimits>, isOnlyNode = true) {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const calls = new OnceOnly(isOnlyNode, limits);
    vi.advanceTimersByTime(60_000);
    const ran: string[] = [];
    const run = async (name: string, req_id: string, repeated_after_ms?: number, bytes = 1) => {
      const request = { ...CALL, req_id, ...(repeated_after_ms !== undefined && { repeated_after_ms }) };
      await calls.run(request, [], { office: name, name: 'pc', sid: 's' }, async () => {
        ran.push(`${name} ${req_id}`);
        return { args: [{}], bytes };
      });
    };
    return { run, ran };
  }

  verifies('SEC-ONCE-06', 'of an office is bounded by its own calls; a forgotten one is not repeated', async () => {
    const { run, ran } = memory({ calls: 2 });
    for (const id of ['1', '2', '3']) await run('o', id);
    await run('p', '1');
    await expect(run('o', '1', 0)).rejects.toMatchObject(MAY_HAVE_RUN);
    await run('o', '3', 0);
    await run('p', 'new', 0); // Nothing of this office is forgotten.
    expect(ran).toEqual(['o 1', 'o 2', 'o 3', 'p 1', 'p new']);
  });

  verifies('SEC-ONCE-06', 'of all offices is bounded: the one that was not used is forgotten', async () => {
    for (const limits of [{ totalCalls: 2 }, { totalBytes: 2 }]) {
      const { run, ran } = memory(limits);
      for (const name of ['o', 'p', 'q']) await run(name, '1');
      await expect(run('o', '1', 0)).rejects.toMatchObject(MAY_HAVE_RUN);
      for (const name of ['p', 'q']) await run(name, '1', 0);
      expect(ran).toEqual(['o 1', 'p 1', 'q 1']);
    }
  });

  verifies('SEC-ONCE-06', 'of one node among several does not know what the others have sent', async () => {
    const { run, ran } = memory({}, false);
    await expect(run('o', '1', 0)).rejects.toMatchObject(MAY_HAVE_RUN);
    await run('o', '1');
    await run('o', '1', 0);
    expect(ran).toEqual(['o 1']);
  });
});
