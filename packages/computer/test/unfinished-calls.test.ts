import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { COMPUTER_LIMITS } from '../src/options.js';
import { ask, boot, office, type TestComputer, textOf } from './harness.js';

const MIB = 2 ** 20;
const NOT_RUN = {
  isError: true,
  error: { code: 429, details: { retry_after: 1 } },
  _meta: { a2c_execution: 'not-run' },
};

/** Starts a call that runs until it is cancelled. Its tool ignores further arguments. */
function start(computer: TestComputer, agent: string | undefined, reqId: string, more: object) {
  return computer.executeTool(reqId, 'sleep', { ms: 60_000, ...more }, { agent });
}

describe('the arguments of unfinished calls', () => {
  verifies('COST-CALL-02', 'are limited for each Agent and together, and leave room when the calls end', async () => {
    expect(COMPUTER_LIMITS).toMatchObject({ unfinishedBytes: 64 * MIB, unfinishedBytesPerAgent: 32 * MIB });
    const computer = await boot({ limits: { unfinishedBytes: 640_000, unfinishedBytesPerAgent: 320_000 } });
    const text = 'x'.repeat(100_000);
    const ids = ['1', '2', '3'] as const;
    const pending = ids.map((id) => start(computer, 'a', id, { text }));
    const refused = await start(computer, 'a', '4', { text });
    expect(refused).toMatchObject(NOT_RUN);
    expect(textOf(refused)).toMatch(/^too many bytes of arguments .* calls of one Agent may have 320000, and this one/);
    pending.push(...ids.map((id) => start(computer, 'b', id, { text })));
    const third = await start(computer, 'c', '1', { text });
    expect(third).toMatchObject(NOT_RUN);
    expect(textOf(third)).toContain('all calls may have 640000');
    expect(await start(computer, undefined, '1', { text })).toMatchObject(NOT_RUN);
    pending.push(start(computer, 'a', 'small', { text: 'small' }));
    computer.cancel('1', { agent: 'a' });
    await pending[0];
    pending.push(start(computer, 'a', '4', { text }));
    for (const agent of ['a', 'b']) for (const id of [...ids, '4', 'small']) computer.cancel(id, { agent });
    const ended = await Promise.all(pending);
    expect(ended.map(({ _meta }) => _meta?.a2c_cancelled)).toEqual(Array(8).fill(true));
  });

  verifies(
    'COST-CALL-02',
    'count with the memory of their values: an empty object is more than two bytes',
    async () => {
      const computer = await boot({ limits: { unfinishedBytesPerAgent: 8 * MIB } });
      const values = Array.from({ length: 90_000 }, () => ({}));
      const first = start(computer, 'a', '1', { values });
      expect(await start(computer, 'a', '2', { values })).toMatchObject(NOT_RUN);
      computer.cancel('1', { agent: 'a' });
      await first;
    },
  );

  verifies(
    'COST-CALL-02',
    'of repetitions count too; their refusal does not say that the call did not run',
    async () => {
      const computer = await boot({ limits: { unfinishedBytesPerAgent: 5_000 } });
      const text = 'x'.repeat(2_000);
      const pending = ['1', '1'].map((id) => start(computer, 'a', id, { text }));
      expect(await start(computer, 'a', '1', { text })).toMatchObject({
        ...{ isError: true, error: { code: 429, details: { retry_after: 1 } } },
        _meta: { a2c_execution: 'unknown' },
      });
      computer.cancel('1', { agent: 'a' });
      const [ended] = await Promise.all(pending);
      // A call that has ended needs no room.
      const other = ['2', '3'].map((id) => start(computer, 'a', id, { text }));
      expect(await start(computer, 'a', '1', { text })).toEqual(ended);
      for (const id of ['2', '3']) computer.cancel(id, { agent: 'a' });
      await Promise.all(other);
    },
  );

  verifies('COST-CALL-02', 'over the limit are refused on the wire, and the call can be sent again', async () => {
    const { agent, computer } = await office({ limits: { unfinishedBytesPerAgent: 3 * MIB } });
    const call = (req_id: string, tool_name: string, params: object) =>
      ask(agent, 'client:tool_call', { agent: 'a', computer: 'pc', timeout: 60, req_id, tool_name, params });
    const message = 'x'.repeat(2 * MIB);
    const first = call('1', 'sleep', { ms: 60_000, message });
    const [refused] = await call('2', 'echo', { message });
    expect(refused).toMatchObject({ code: 429, details: { retry_after: 1, a2c_execution: 'not-run' }, req_id: '2' });
    agent.emit('server:tool_call_cancel', { agent: 'a', req_id: '1' });
    await first;
    expect((await call('2', 'echo', { message }))[0]).toMatchObject({ content: [{ text: message }] });
    expect(computer.history().map(({ req_id }) => req_id)).toEqual(['1', '2']);
  });
});
