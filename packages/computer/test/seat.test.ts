import { PROTOCOL_VERSION } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import type { Socket } from 'socket.io';
import { describe, expect } from 'vitest';
import { bareServer, boot, inputs, joined, linkOf, next, settle, until } from './harness.js';

type Ack = (ok: boolean, reason: string | null, server?: object) => void;

const FAST = { limits: { reconnectMinMs: 20, reconnectMaxMs: 50 } } as const;

/** A Server that answers joins with `onJoin` and accepts every leave. */
async function office(onJoin: (ack: Ack, joins: number, socket: Socket) => void) {
  const heard: string[] = [];
  const sockets: Socket[] = [];
  let joins = 0;
  const { url } = await bareServer((socket) => {
    sockets.push(socket);
    socket.onAny((name: string) => heard.push(name));
    socket.on('server:join_office', (_payload, ack: Ack) => onJoin(ack, ++joins, socket));
    socket.on('server:leave_office', (_payload, ack: Ack) => ack(true, null));
  });
  const timesHeard = (event: string) => heard.filter((name) => name === event).length;
  return { url, heard, timesHeard, present: () => sockets.at(-1) as Socket };
}

/** Closes the transport, as a network failure would. The Computer reconnects. */
const cut = (socket: Socket) => socket.conn.close();

describe('leaving while a join is pending', () => {
  verifies('COMP-LINK-06', 'takes effect, also during a re-join', async () => {
    let late: Ack | undefined;
    const server = await office((ack, joins) => {
      if (joins === 1) ack(true, null);
      else late = ack;
    });
    const link = await joined(await boot({ mcpServers: [] }), server.url, FAST);
    const seats: (string | null)[] = [];
    link.on('office', (seat) => seats.push(seat));
    cut(server.present());
    await until(() => late !== undefined);
    await link.leaveOffice();
    late?.(true, null);
    await until(() => server.timesHeard('server:leave_office') === 1);
    await settle(200);
    expect([link.office, seats, server.timesHeard('server:join_office')]).toEqual([undefined, [null], 2]);
  });

  verifies('COMP-LINK-06', 'makes the join fail and does not restore the former seat', async () => {
    let late: Ack | undefined;
    const server = await office((ack, joins) => {
      if (joins === 1) ack(true, null);
      else late = ack;
    });
    const link = await joined(await boot({ mcpServers: [] }), server.url, FAST);
    const joining = expect(link.joinOffice('p')).rejects.toThrow('left office "p" before the join was complete');
    await until(() => late !== undefined);
    await link.leaveOffice(); // of the first office, which it has not left yet
    late?.(true, null);
    await joining;
    await until(() => server.timesHeard('server:leave_office') === 2);
    await settle(200);
    expect([link.office, server.timesHeard('server:leave_office')]).toEqual([undefined, 2]);
  });
});

describe('a re-join that is refused', () => {
  for (const refusal of ['401 your key was revoked', '400 no such office name', '404 no such office'])
    verifies('COMP-LINK-04', `for good ends the link: ${refusal}`, async () => {
      const server = await office((ack, joins) => (joins === 1 ? ack(true, null) : ack(false, refusal)));
      const link = await joined(await boot({ mcpServers: [] }), server.url, FAST);
      const refused = next(link, 'refused');
      cut(server.present());
      expect(await refused).toMatchObject({ code: Number(refusal.slice(0, 3)), message: refusal.slice(4) });
      await settle(200);
      expect([link.state, server.timesHeard('server:join_office')]).toEqual(['disconnected', 2]);
    });

  verifies('COMP-LINK-04', 'transiently is repeated', async () => {
    const passing = ['503 draining', '403 a Computer named "pc" already exists', '429 slowly'];
    const server = await office((ack, joins) => {
      const reason = joins === 1 ? undefined : passing[joins - 2];
      ack(reason === undefined, reason ?? null);
    });
    const link = await joined(await boot({ mcpServers: [] }), server.url, FAST);
    cut(server.present());
    await until(() => server.timesHeard('server:join_office') === 5 && link.office === 'o');
  });
});

describe('a connection that the Server ends', () => {
  const departures = [
    ['of another Computer', { office_id: 'o', computer: 'other' }],
    ['of an Agent with our name', { office_id: 'o', agent: 'pc' }],
  ] as const;
  for (const [whose, departure] of departures)
    verifies('WIRE-CONN-04', `after the departure ${whose} is made again`, async () => {
      const server = await office((ack) => ack(true, null));
      const link = await joined(await boot({ mcpServers: [] }), server.url, FAST);
      server.present().emit('notify:leave_office', departure);
      server.present().disconnect(true);
      await until(() => server.timesHeard('server:join_office') === 2 && link.office === 'o');
    });

  verifies('WIRE-CONN-04', 'after our own departure is not reopened, unless another event followed', async () => {
    const server = await office((ack) => ack(true, null));
    const link = await joined(await boot({ mcpServers: [] }), server.url, FAST);
    server.present().emit('notify:leave_office', { office_id: 'o', computer: 'pc' });
    server.present().emit('notify:enter_office', { office_id: 'o', computer: 'other' });
    server.present().disconnect(true);
    await until(() => server.timesHeard('server:join_office') === 2 && link.office === 'o');
    const refused = next(link, 'refused');
    server.present().emit('notify:leave_office', { office_id: 'o', computer: 'pc' });
    server.present().disconnect(true);
    expect((await refused).message).toContain('newer connection of the same owner');
    await settle(200);
    expect([link.state, server.timesHeard('server:join_office')]).toEqual(['disconnected', 2]);
  });
});

verifies('COMP-LINK-02', 'changes during a join are reported after it', async () => {
  let admit: Ack | undefined;
  const server = await office((ack) => {
    admit = ack;
  });
  const computer = await boot({ mcpServers: [] });
  const link = linkOf(computer, server.url);
  await link.connect();
  const joining = link.joinOffice('o');
  await until(() => admit !== undefined);
  computer.defineInputs(inputs({ id: 'i', type: 'promptString', description: '' }));
  await settle(300); // longer than changes are collected for
  expect(server.heard).toEqual(['server:join_office']);
  admit?.(true, null, { a2c_version: PROTOCOL_VERSION });
  await joining;
  await until(() => server.heard.length === 2);
  await settle(300);
  expect(server.heard).toEqual(['server:join_office', 'server:update_config']);
});

verifies('COMP-LINK-01', 'an event whose name is a number is answered', async () => {
  const server = await office((ack) => ack(true, null));
  const link = await joined(await boot({ mcpServers: [] }), server.url);
  const socket = server.present();
  const answer = await socket.timeout(60_000).emitWithAck(7 as unknown as string, {});
  expect(answer).toMatchObject({ code: 404, details: { a2c_code: 400 } });
  expect([link.state, link.office]).toEqual(['connected', 'o']);
});
