import type { OperatorEvent, OperatorEvents } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { ask, CALL, office, serve, until } from './harness.js';

/** Follows what a Server offers to operators. */
function follow(server: Awaited<ReturnType<typeof serve>>) {
  const events: OperatorEvent[] = [];
  const operator = server.server.operator;
  onTestFinished(operator?.follow((...event) => events.push(event)) ?? (() => {}));
  const items = <E extends 'members' | 'movements' | 'refusals' | 'relayed'>(name: E): OperatorEvents[E]['set'] =>
    events
      .filter(([event]) => event === name)
      .flatMap(([, value]) => [...(value as OperatorEvents[E]).set]) as unknown as OperatorEvents[E]['set'];
  return { events, items, handlers: operator?.handlers ?? {} };
}

const CALLER = { subject: 'ops', send: () => {} };

verifies('CON-VIEW-01', 'members, joins, leaves and refusals are events', async () => {
  const server = await serve({ operatorInterface: true });
  const { events, items } = follow(server);
  const computer = await server.member('computer', 'pc', 'o');
  await until(() => items('movements').some(({ what }) => what === 'joined'));
  expect(items('members').at(-1)).toMatchObject({ sid: computer.id, office: 'o', role: 'computer', name: 'pc' });
  await ask(computer, 'server:join_office', { role: 'agent', name: 'pc', office_id: 'o' });
  await until(() => items('refusals').length > 0);
  expect(items('refusals')[0]).toMatchObject({ event: 'server:join_office', code: 403, office: 'o' });
  const { id } = computer;
  computer.disconnect();
  await until(() => items('movements').some(({ what }) => what === 'left'));
  await until(() =>
    events.some(
      ([name, value]) => name === 'members' && (value as OperatorEvents['members']).gone.includes(id as string),
    ),
  );
  expect(events.find(([name]) => name === 'node')?.[1]).toMatchObject({
    limits: { callsPerSecond: 200 },
    isReady: true,
  });
});

verifies(
  'CON-VIEW-02',
  'a call has the time of each step, its verdict and its audit record, and can be cancelled',
  async () => {
    const { server, agent, computer } = await office({ operatorInterface: true });
    const { items, handlers } = follow(server);
    const cancelled = new Promise((resolve) => computer.on('notify:tool_call_cancel', resolve));
    computer.on('client:tool_call', (_request: unknown, ack: (answer: object) => void) => {
      void cancelled.then(() => ack({ content: [], isError: true }));
    });
    await until(() => items('members').filter(({ roundTripMs }) => roundTripMs !== undefined).length >= 2);
    const answered = ask(agent, 'client:tool_call', CALL);
    await until(() => items('relayed').some(({ relayedAt }) => relayedAt !== undefined));
    const id = JSON.stringify(['o', 'a', 'r1']);
    expect(await handlers.cancel?.({ id }, CALLER)).toEqual({});
    await answered;
    await until(() => items('relayed').some(({ verdict }) => verdict === 'failed'));
    expect(await handlers.call?.({ id }, CALLER)).toMatchObject({
      relayed: {
        id,
        agent: 'a',
        computer: 'pc',
        tool: 'echo',
        verdict: 'failed',
        agentRoundTripMs: expect.any(Number),
      },
      audit: { event: 'client:tool_call', verdict: 'failed', office: 'o' },
    });
    expect(await handlers.cancel?.({ id: 'absent' }, CALLER)).toBeUndefined();
  },
);

verifies('CON-VIEW-01', 'nothing is recorded unless it is asked for', async () => {
  expect((await serve()).server.operator).toBeUndefined();
});
