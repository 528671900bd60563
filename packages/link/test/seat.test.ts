import { SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ConnectionLost, EncodedAnswer, NoAnswer, randomId } from '../src/index.js';
import { type Ack, FAST, linkTo, next, pause, scripted, serve, until } from './harness.js';

const WAIT = { timeoutMs: 60_000 };
const listRoom = () => ({ agent: 'a', req_id: randomId(), office_id: 'o' });

describe('a lost connection', () => {
  verifies('LINK-BACK-01', 'is followed by a re-join; requests and queued notifications wait for it', async () => {
    let late: Ack | undefined;
    const server = await scripted(
      (ack, join) => {
        if (join === 1) ack(true, null);
        else late = ack;
      },
      { 'server:list_room': (payload, ack) => ack({ sessions: [], req_id: (payload as { req_id: string }).req_id }) },
    );
    const link = linkTo(server.url);
    const events: string[] = [];
    for (const event of ['joined', 'left', 'lost'] as const) link.on(event, () => events.push(event));
    await link.join('o');
    server.drop('network');
    await until(() => late !== undefined);
    expect([link.state, link.isRejoining, link.office]).toEqual(['connected', true, undefined]);
    const room = link.request('server:list_room', listRoom(), WAIT);
    expect(link.notify('server:tool_call_cancel', { agent: 'a', req_id: 'r' })).toBe(false);
    expect(link.notify('server:tool_call_cancel', { agent: 'a', req_id: 'r' }, { queue: true })).toBe(true);
    late?.(true, null);
    expect((await room).sessions).toEqual([]);
    expect(events).toEqual(['joined', 'left', 'lost', 'joined']);
    expect(server.received.slice(2)).toEqual(['server:tool_call_cancel', 'server:list_room']);
    expect(server.sockets[1]?.handshake.auth.instance).toBe(server.sockets[0]?.handshake.auth.instance);
  });

  verifies('LINK-BACK-02', 'and a final refusal end the link once', async () => {
    const server = await scripted((ack, join) => (join === 1 ? ack(true, null) : ack(false, '401 key revoked')));
    const link = linkTo(server.url);
    await link.join('o');
    const ends: SMCPError[] = [];
    link.on('ended', (error) => ends.push(error));
    server.drop('network');
    await until(() => ends.length > 0);
    await pause(200);
    expect(ends).toEqual([link.error]);
    expect([link.error?.code, link.state, server.received.length]).toEqual([401, 'disconnected', 2]);
    await expect(link.request('server:list_room', listRoom(), WAIT)).rejects.toBe(link.error);
  });

  for (const role of ['agent', 'computer'] as const)
    verifies('LINK-BACK-02', `after the departure of this ${role} means a takeover`, async () => {
      const server = await scripted((ack) => ack(true, null));
      const link = linkTo(server.url, { role });
      await link.join('o');
      const ended = next(link, 'ended');
      server.sockets[0]?.emit('notify:leave_office', { office_id: 'o', [role]: 'a' });
      server.drop('disconnect');
      expect(await ended).toMatchObject({ code: 403, details: { reason: 'taken_over', [role]: 'a', office: 'o' } });
      await pause(200);
      expect([link.state, server.sockets.length]).toEqual(['disconnected', 1]);
    });
});

describe('a link that was evicted by its own older connection', () => {
  verifies('SEAT-ATTEMPT-01', 'joins again, and numbers its connections', async () => {
    const server = await scripted((ack) => ack(true, null));
    const link = linkTo(server.url);
    await link.join('o');
    const { instance } = server.sockets[0]?.handshake.auth ?? {};
    const joined = next(link, 'joined');
    server.sockets[0]?.emit('notify:leave_office', { office_id: 'o', agent: 'a', instance });
    server.drop('disconnect');
    expect(await joined).toEqual({ office: 'o', isRejoin: true });
    expect(server.sockets.map(({ handshake }) => handshake.auth)).toMatchObject([
      { instance, attempt: 1 },
      { instance, attempt: 2 },
    ]);
  });
});

describe('leaving', () => {
  verifies('LINK-LEAVE-01', 'gracefully frees the seat; the link can join again', async () => {
    const { url } = await serve();
    const link = linkTo(url);
    await link.join('o');
    await link.disconnect({ graceful: true });
    const other = linkTo(url, { name: 'b' });
    await other.join('o');
    await expect(link.request('server:list_room', listRoom(), WAIT)).rejects.toMatchObject({ kind: 'NotInRoom' });
    await expect(link.leave()).rejects.toMatchObject({ kind: 'NotInRoom' });
    await link.join('p');
    expect([link.state, link.office]).toEqual(['joined', 'p']);
  });

  verifies('LINK-LEAVE-01', 'rejects pending requests, with the given reason', async () => {
    const server = await scripted((ack) => ack(true, null));
    const link = linkTo(server.url);
    await link.join('o');
    const reason = new SMCPError('NotInRoom', 'finished');
    const pending = [1, 2].map(() => expect(link.request('server:list_room', listRoom(), WAIT)).rejects.toBe(reason));
    await until(() => server.received.length === 3);
    await link.disconnect({ graceful: true, reason });
    await Promise.all(pending);
    expect(server.received.at(-1)).toBe('server:leave_office');
    await expect(link.whenJoined()).rejects.toBe(reason);
  });

  verifies('LINK-LEAVE-01', 'ends a join that is pending', async () => {
    const server = await scripted(() => {});
    const link = linkTo(server.url);
    await link.connect();
    const joining = expect(link.join('o')).rejects.toThrow('left office "o" before the join was complete');
    await until(() => server.received.length === 1);
    await link.leave();
    await joining;
    expect(link.state).toBe('connected');
  });
});

describe('requests', () => {
  verifies(
    'LINK-REQ-01',
    'resolve with the answer, or reject with its error, a timeout or a lost connection',
    async () => {
      let answer: (ack: Ack, req_id: string) => void = () => {};
      const server = await scripted((ack) => ack(true, null), {
        'server:list_room': (payload, ack) => answer(ack, (payload as { req_id: string }).req_id),
      });
      const link = linkTo(server.url);
      await link.join('o');
      const ask = (timeoutMs = 10_000) => link.request('server:list_room', listRoom(), { timeoutMs });
      await expect(ask(100)).rejects.toThrow(NoAnswer);
      answer = (ack) => ack({ error: { code: 403, message: 'no' } });
      await expect(ask()).rejects.toMatchObject({ code: 403, message: 'no' });
      answer = (ack, req_id) => ack([{ sessions: [], req_id }]);
      expect((await ask()).sessions).toEqual([]);
      answer = () => server.drop('network');
      await expect(ask()).rejects.toThrow(ConnectionLost);
      await link.whenJoined();
      const stop = new AbortController();
      answer = () => stop.abort('changed');
      const aborted = link.request('server:list_room', listRoom(), { ...WAIT, signal: stop.signal });
      await expect(aborted).rejects.toBe('changed');
    },
  );

  for (const transport of ['polling', 'websocket'] as const)
    verifies(
      'LINK-REQ-03',
      `are answered with encoded answers over ${transport}, and unsent bytes are known`,
      async () => {
        const server = await scripted((ack) => ack(true, null));
        const list = ['é\u2028"', 'x'.repeat(500_000)];
        const unsent: number[] = [];
        const link = linkTo(server.url, { role: 'computer', transports: [transport] }, async () => {
          setImmediate(() => unsent.push(link.unsentBytes));
          return [new EncodedAnswer(JSON.stringify({ list }))];
        });
        await link.join('o');
        const ask = () => new Promise<unknown>((resolve) => server.sockets[0]?.emit('client:any', {}, resolve));
        expect(await Promise.all([ask(), ask()])).toEqual([{ list }, { list }]);
        // Over a websocket the operating system may have taken it all.
        if (transport === 'polling') expect(Math.max(...unsent)).toBeGreaterThan(500_000);
        await until(() => link.unsentBytes === 0);
        await link.disconnect();
        expect(link.unsentBytes).toBe(0);
      },
    );

  verifies('LINK-REQ-02', 'that arrive are answered on their own connection only', async () => {
    const server = await scripted((ack) => ack(true, null));
    const held: (() => void)[] = [];
    const link = linkTo(server.url, { role: 'computer' }, async ({ name, office, sid }) => {
      if (name === 'client:slow') await new Promise<void>((resolve) => held.push(resolve));
      return [{ name, office, sid }, 'second'];
    });
    await link.join('o');
    const [first] = server.sockets;
    const ask = (event: string) =>
      new Promise<unknown[]>((resolve) => server.sockets.at(-1)?.emit(event, {}, (...ack: unknown[]) => resolve(ack)));
    expect(await ask('client:any')).toEqual([{ name: 'client:any', office: 'o', sid: first?.id }, 'second']);
    const answers: unknown[] = [];
    void ask('client:slow').then((ack) => answers.push(ack));
    await until(() => held.length === 1);
    const rejoined = next(link, 'joined');
    server.drop('network');
    await rejoined;
    // The new connection counts its acknowledgements from the beginning.
    void ask('client:slow').then((ack) => answers.push(ack));
    await until(() => held.length === 2);
    held[0]?.();
    await pause(100);
    expect(answers).toEqual([]);
    held[1]?.();
    await until(() => answers.length === 1);
    expect(answers).toEqual([[{ name: 'client:slow', office: 'o', sid: link.sid }, 'second']]);
  });
});

verifies('LINK-BACK-01', 'a failed join keeps the former seat and name', async () => {
  const server = await scripted((ack, join) => (join === 1 ? ack(true, null) : ack(false, '403 not allowed')));
  const link = linkTo(server.url, { role: 'computer', limits: FAST });
  const names: string[] = [];
  link.on('name', (name) => names.push(name));
  await link.join('o');
  await expect(link.join('p', { name: 'b' })).rejects.toMatchObject({ code: 403 });
  expect([link.state, link.office, link.name, names]).toEqual(['joined', 'o', 'a', ['b', 'a']]);
  await expect(link.connect()).rejects.toThrow('already connected');
});
