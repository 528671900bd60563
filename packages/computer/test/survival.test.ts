import type { SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import type { Socket } from 'socket.io-client';
import { describe, expect } from 'vitest';
import {
  agentIn,
  boot,
  call,
  joined,
  listenIn,
  next,
  office,
  serve,
  server,
  settle,
  textOf,
  until,
  wireTo,
} from './harness.js';

/** Websocket only, because the Server notices the loss of one at once, and that of a poll only when the next is due. */
const FAST = { transports: ['websocket'], limits: { reconnectMinMs: 50, reconnectMaxMs: 200 } } as const;

describe('a lost connection', () => {
  verifies(
    ['COMP-LINK-03', 'SMCP-CALL-02'],
    'a restart of the Server during a call: the Computer re-joins and answers the repeated call with the result',
    async () => {
      const first = await serve();
      const port = Number(new URL(first.url).port);
      const computer = await boot();
      const link = await joined(computer, first.url, FAST);
      const agent = await agentIn(first.url, 'o', 'a', { reconnection: false });
      const request = {
        agent: 'a',
        req_id: 'long',
        computer: 'pc',
        tool_name: 'sleep',
        params: { ms: 700 },
        timeout: 10,
      };
      agent.emit('client:tool_call', request, () => {}); // its answer goes down with the Server
      await until(() => computer.status()[0]?.callsInFlight === 1);
      await first.close();
      await until(() => link.state === 'connecting');
      expect(link.office).toBeUndefined();

      const second = await serve({ port });
      const again = await agentIn(second.url);
      const heard = listenIn(again);
      await until(() => link.office === 'o');
      const repeated = await call(again, 'sleep', { ms: 700 }, { req_id: 'long' });
      expect(textOf(repeated)).toBe('slept');
      expect(computer.history()).toHaveLength(1);
      const announced = ['notify:update_config', 'notify:update_tool_list', 'notify:update_desktop'];
      await until(() => announced.every((event) => heard.some(([name]) => name === event)));
    },
  );

  verifies('COMP-LINK-03', 'a late answer is not taken for the answer to another request', async () => {
    const first = await serve();
    const port = Number(new URL(first.url).port);
    // Consent delays every call until the test resolves it.
    const held = new Map<string, () => void>();
    const computer = await boot({
      mcpServers: [server('w', { default_tool_meta: null })],
      confirm: ({ reqId }) => new Promise((resolve) => held.set(reqId, () => resolve(true))),
    });
    const link = await joined(computer, first.url, FAST);
    const echo = (from: Socket, reqId: string) => call(from, 'echo', { message: reqId }, { req_id: reqId });
    const before = await agentIn(first.url, 'o', 'a', { reconnection: false });
    void echo(before, 'old').catch(() => {}); // its answer goes down with the Server
    await until(() => held.has('old'));
    await first.close();
    // A restarted Agent numbers its requests from the start, so ids are repeated.
    const second = await serve({ port });
    const agent = await agentIn(second.url);
    await until(() => link.office === 'o');
    const ids = Array.from({ length: 5 }, (_, i) => `new${i}`);
    const answers = Promise.all(ids.map((id) => echo(agent, id)));
    await until(() => ids.every((id) => held.has(id)));
    held.get('old')?.();
    await until(() => computer.history().length === 1);
    for (const id of ids) held.get(id)?.();
    expect((await answers).map(textOf)).toEqual(ids);
    expect(textOf(await echo(agent, 'old'))).toBe('old');
    expect(computer.history()).toHaveLength(6);
  });

  verifies('COMP-LINK-03', 'a seat that another Computer holds meanwhile is taken when it is free', async () => {
    const { url, link, agent, wire } = await office({}, FAST);
    const rival = await boot({ mcpServers: [] });
    const left = new Promise((resolve) => agent.once('notify:leave_office', resolve));
    wire.cut(true);
    await left;
    const usurper = await joined(rival, url);
    wire.mend();
    await until(() => link.state === 'connected');
    expect(link.office).toBeUndefined();
    usurper.disconnect();
    await until(() => link.office === 'o');
    expect(textOf(await call(agent, 'echo', { message: 'back' }))).toBe('back');
  });

  verifies('COMP-LINK-04', 'a Computer whose seat was taken over by its owner does not take it back', async () => {
    let handshakes = 0;
    const authenticate = () => {
      handshakes += 1;
      return { subject: 'ann' };
    };
    const { url } = await serve({ authenticate });
    const [older, newer] = await Promise.all([boot({ mcpServers: [] }), boot({ mcpServers: [server('w')] })]);
    const link = await joined(older, url, FAST);
    const refusals: SMCPError[] = [];
    link.on('refused', (error) => refusals.push(error));
    const successor = await joined(newer, url, FAST);
    await until(() => refusals.length > 0);
    const after = handshakes;
    // Longer than the longest delay before a reconnect.
    await settle(3 * FAST.limits.reconnectMaxMs);
    expect(refusals.map(({ code, details }) => ({ code, details }))).toEqual([
      { code: 403, details: { reason: 'taken_over', computer: 'pc', office: 'o' } },
    ]);
    expect(refusals[0]?.message).toMatch(/newer connection of the same owner.*give one of them another name/);
    expect([link.state, successor.office, handshakes]).toEqual(['disconnected', 'o', after]);
    const agent = await agentIn(url);
    expect(textOf(await call(agent, 'echo', { message: 'from the newer' }))).toBe('from the newer');
  });

  verifies('COMP-LINK-04', 'a Computer that reconnects takes its seat back from a newer one, once', async () => {
    const { url } = await serve({ authenticate: () => ({ subject: 'ann' }) });
    const wire = await wireTo(url);
    const [away, deputy] = await Promise.all([boot({ mcpServers: [] }), boot({ mcpServers: [] })]);
    const link = await joined(away, wire.url, FAST);
    wire.cut(true);
    await until(() => link.state === 'connecting');
    const second = await joined(deputy, url, FAST);
    const refused = next(second, 'refused');
    wire.mend();
    expect((await refused).message).toContain('newer connection of the same owner');
    await settle(3 * FAST.limits.reconnectMaxMs);
    expect([link.office, second.state]).toEqual(['o', 'disconnected']);
  });

  verifies('COMP-LINK-04', 'a connection that the Server ended for another reason is reopened', async () => {
    let known = 2;
    const authenticate = () => (known-- > 0 ? { subject: 'ann', expires: new Date(Date.now() + 1_500) } : undefined);
    const { url } = await serve({ authenticate });
    const link = await joined(await boot({ mcpServers: [] }), url, FAST);
    const refused = next(link, 'refused');
    await until(() => link.state === 'connecting');
    await until(() => link.office === 'o');
    // The second credential expires as well, and there is no third: the refusal is final.
    expect(await refused).toMatchObject({ kind: 'Unauthorized', code: 401 });
    expect(link.state).toBe('disconnected');
  });
});
