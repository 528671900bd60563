import { verifies } from '@a2c/requirements';
import { describe, expect, it } from 'vitest';
import { PendingNotifications } from '../src/rooms/pending-notifications.js';
import { ask, type RawSocket, recordEvents, serve, settle, type TestServer, until } from './harness.js';

/** A rate at which a few notifications use up what an office may send. */
const SLOW = { officeNotificationsPerSecond: 40, eventsPerSecond: 1e6 };

function join(server: TestServer, count: number, prefix = 'c'): Promise<RawSocket[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => server.member('computer', `${prefix}${i}`, 'o')));
}

/** The Computers that a member knows from the notifications it received. */
function known(received: readonly [event: string, payload: unknown][]): string[] {
  const names = new Set<string>();
  for (const [event, payload] of received) {
    const { computer = '' } = payload as { computer?: string };
    if (event === 'notify:enter_office') names.add(computer);
    if (event === 'notify:leave_office') names.delete(computer);
  }
  return [...names].toSorted();
}

describe('notifications over the limit of an office', () => {
  verifies('COST-MEMBER-12', 'are delivered later, equal ones once, and the last one always', async () => {
    const server = await serve({ limits: SLOW });
    const agent = recordEvents(await server.member('agent', 'a', 'o'));
    const computers = await join(server, 9);
    const [sender, receiver] = computers as [RawSocket, RawSocket];
    const received = recordEvents(receiver);
    for (let i = 0; i < 500; i++) sender.emit('server:update_tool_list', { computer: 'c0' });
    sender.emit('server:update_desktop', { computer: 'c0' });
    const isLast = ([event]: [string, unknown]) => event === 'notify:update_desktop';
    await until(() => received.some(isLast) && agent.some(isLast));
    for (const events of [received, agent]) {
      const updates = events.filter(([event]) => event === 'notify:update_tool_list');
      expect(updates.length).toBeGreaterThan(0);
      expect(updates.length).toBeLessThan(60);
    }
  });

  verifies('COST-MEMBER-12', 'do not delay those of other offices', async () => {
    const server = await serve({ limits: SLOW });
    const [sender] = (await join(server, 9)) as [RawSocket];
    const other = await server.member('computer', 'pc', 'other');
    const received = recordEvents(await server.member('agent', 'a', 'other'));
    const acknowledged = Promise.all(
      Array.from({ length: 200 }, () => ask(sender, 'server:update_tool_list', { computer: 'c0' })),
    );
    await ask(other, 'server:update_desktop', { computer: 'pc' });
    await acknowledged;
    await until(() => received.some(([event]) => event === 'notify:update_desktop'));
  });

  verifies('COST-MEMBER-12', 'show each member who is in the office in the end, Agents first', async () => {
    const server = await serve({ limits: SLOW });
    const agent = recordEvents(await server.member('agent', 'a', 'o'));
    const watcher = recordEvents(await server.member('computer', 'watcher', 'o'));
    const first = await join(server, 12);
    await Promise.all(first.slice(0, 6).map((socket) => ask(socket, 'server:leave_office', { office_id: 'o' })));
    const again = { role: 'computer', name: 'c0', office_id: 'o' };
    await ask(first[0] as RawSocket, 'server:join_office', again);
    for (let i = 0; i < 20; i++) {
      await ask(first[1] as RawSocket, 'server:join_office', { ...again, name: `guest${i}` });
      await ask(first[1] as RawSocket, 'server:leave_office', { office_id: 'o' });
    }
    const present = ['c0', 'c10', 'c11', 'c6', 'c7', 'c8', 'c9'];
    const isComplete = (received: [string, unknown][]) =>
      known(received)
        .filter((name) => name !== 'watcher')
        .join() === present.join();
    await until(() => isComplete(agent) && isComplete(watcher));
    await settle();
    expect([isComplete(agent), isComplete(watcher)]).toEqual([true, true]);
  });

  verifies('COST-MEMBER-12', 'are refused if they cancel very many calls that are not known', async () => {
    const server = await serve({ limits: { ...SLOW, officeNotificationsPerSecond: 1 } });
    await join(server, 3);
    const agent = await server.member('agent', 'a', 'o');
    for (let i = 0; i < 1_500; i++) agent.emit('server:tool_call_cancel', { agent: 'a', req_id: `r${i}` });
    await ask(agent, 'server:list_room', { agent: 'a', req_id: 'l', office_id: 'o' });
    const refused = server.audit.filter(({ event, code }) => event === 'server:tool_call_cancel' && code === 429);
    expect(refused.length).toBeGreaterThan(300);
    expect(refused.length).toBeLessThan(600);
  });
});

describe('notifications that wait', () => {
  const enter = (computer: string, isNew = true) =>
    ({ to: { office: 'o', isNew }, event: 'notify:enter_office', payload: { computer } }) as const;
  const leave = (computer: string) =>
    ({ to: { office: 'o' }, event: 'notify:leave_office', payload: { computer } }) as const;
  const update = (computer: string) =>
    ({ to: { office: 'o' }, event: 'notify:update_tool_list', payload: { computer } }) as const;

  function all(pending: PendingNotifications): string[] {
    const found: string[] = [];
    for (let next = pending.shift(); next; next = pending.shift()) found.push(`${next.event} ${next.payload.computer}`);
    return found;
  }

  it('are as few as there are members, whatever happens meanwhile', () => {
    const pending = new PendingNotifications();
    pending.add(leave('known'));
    for (let i = 0; i < 10_000; i++) {
      for (const name of [`guest${i}`, 'known']) {
        pending.add(enter(name));
        for (let j = 0; j < 3; j++) pending.add(update(name));
        if (name !== 'known' || i < 9_999) pending.add(leave(name));
      }
    }
    expect(all(pending)).toEqual([
      'notify:leave_office known',
      'notify:enter_office known',
      'notify:update_tool_list known',
    ]);
  });

  it('include the end of a member that the office knew before it was replaced', () => {
    const pending = new PendingNotifications();
    pending.add(update('a'));
    pending.add(enter('pc', false));
    pending.add(leave('pc'));
    expect(all(pending)).toEqual(['notify:update_tool_list a', 'notify:leave_office pc']);
  });
});
