import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ask, boot, office, server } from './harness.js';

const LARGE = 'x'.repeat(2_000_000);

describe('a large call', () => {
  verifies('COST-CALL-01', 'is compared in one turn of the event loop and sent in another', async () => {
    let hasTurned = false;
    const seen: boolean[] = [];
    const confirm = () => {
      seen.push(hasTurned);
      return true;
    };
    const computer = await boot({ mcpServers: [server('w', { default_tool_meta: {} })], confirm });
    for (const message of ['small', LARGE]) {
      hasTurned = false;
      setImmediate(() => {
        hasTurned = true;
      });
      const result = await computer.executeTool(message.slice(0, 9), 'echo', { message });
      expect(result).toMatchObject({ content: [{ text: message }] });
    }
    expect(seen).toEqual([false, true]);
  });

  verifies('COST-CALL-01', 'is cancelled by a cancellation that follows it at once', async () => {
    const { agent } = await office();
    const params = { ms: 60_000, text: LARGE };
    const call = { agent: 'a', computer: 'pc', tool_name: 'sleep', timeout: 60, req_id: 'large', params };
    const pending = ask(agent, 'client:tool_call', call);
    agent.emit('server:tool_call_cancel', { agent: 'a', req_id: 'large' });
    expect((await pending)[0]).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
  });

  verifies('COST-CALL-01', 'is run once, and another one with its id is refused', async () => {
    const { agent, computer } = await office();
    const send = (message: string) => {
      const call = { agent: 'a', computer: 'pc', tool_name: 'echo', timeout: 60, req_id: 'same', params: { message } };
      return ask(agent, 'client:tool_call', call);
    };
    const [first, repeated] = await Promise.all([send(LARGE), send(LARGE)]);
    expect(repeated).toEqual(first);
    expect((await send(`${LARGE}y`))[0]).toMatchObject({ isError: true });
    expect(computer.history()).toHaveLength(1);
  });
});
