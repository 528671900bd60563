import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { type Ack, FAST, linkTo, next, pause, scripted, serve, until } from './harness.js';

const FOREVER = { retryForMs: Number.POSITIVE_INFINITY };
const TAKEN = '403 a Computer named "a" already exists';

verifies('LINK-REQ-04', 'requests that are sent at the same time leave in few writes, in order', async () => {
  const asked: string[] = [];
  const server = await scripted((ack) => ack(true, null), {
    'server:list_room': (payload, ack) => {
      asked.push((payload as { req_id: string }).req_id);
      ack({ sessions: [] });
    },
  });
  let chunks = 0;
  server.http.on('connection', (socket) => socket.on('data', () => chunks++));
  const link = linkTo(server.url, { transports: ['websocket'] });
  await link.join('o');
  const before = chunks;
  const ids = Array.from({ length: 200 }, (_, i) => `r${i}`);
  const ask = (req_id: string) =>
    link.request('server:list_room', { agent: 'a', req_id, office_id: 'o' }, { timeoutMs: 10_000 }).catch(() => {});
  await Promise.all(ids.map(ask));
  expect(asked).toEqual(ids);
  expect(chunks - before).toBeLessThan(20);
});

describe('join with retryForMs', () => {
  verifies('LINK-JOIN-01', 'waits for a Server that is not running yet', async () => {
    const first = await serve();
    const port = Number(new URL(first.url).port);
    await first.close();
    const link = linkTo(first.url);
    const failed = next(link, 'attemptFailed');
    const joining = link.join('o', FOREVER);
    expect(await failed).toMatchObject({ code: 503, message: expect.stringContaining('ECONNREFUSED') });
    await serve({ port });
    await joining;
    expect([link.state, link.office]).toEqual(['joined', 'o']);
  });

  verifies('LINK-JOIN-01', 'is repeated after transient refusals and lost connections', async () => {
    const server = await scripted((ack, join, socket) => {
      if (join === 1) ack(false, '503 draining');
      else if (join === 2) socket.conn.close();
      else if (join === 3) ack(false, '429 wait and try again');
      else ack(true, null);
    });
    const link = linkTo(server.url);
    const failures: number[] = [];
    link.on('attemptFailed', ({ code }) => failures.push(code));
    await link.join('o', FOREVER);
    expect([failures, link.state, server.sockets.length]).toEqual([[503, 503, 429], 'joined', 2]);
  });

  verifies('LINK-JOIN-02', 'ends with a final refusal, and closes the connection', async () => {
    for (const refusal of ['401 unknown credentials', '400 no such name', '404 no such office', TAKEN]) {
      const server = await scripted((ack) => ack(false, refusal));
      const link = linkTo(server.url);
      await expect(link.join('o', FOREVER)).rejects.toMatchObject({ code: Number(refusal.slice(0, 3)) });
      await until(() => server.sockets.every(({ connected }) => !connected));
      expect([link.state, server.received]).toEqual(['disconnected', ['server:join_office']]);
    }
  });

  verifies('LINK-JOIN-02', 'rejects with the last failure when the time is over', async () => {
    // On a busy machine the first attempt may take all of a short time, and there is no failure before its end.
    for (let retryForMs = 200, attempts = 0; attempts < 2; retryForMs *= 2) {
      const server = await scripted((ack) => ack(false, '503 draining'));
      const link = linkTo(server.url);
      const failure: unknown = await link.join('o', { retryForMs }).catch((error: unknown) => error);
      expect(link.state).toBe('disconnected');
      attempts = server.received.length;
      const message = expect.stringMatching(`\\(tried for ${retryForMs / 1_000} s\\)$`);
      expect(failure).toMatchObject(attempts > 1 ? { code: 503, message } : { code: expect.any(Number) });
    }
    // Without it there is one attempt.
    const other = await scripted((ack) => ack(false, '503 draining'));
    await expect(linkTo(other.url).join('o')).rejects.toMatchObject({ code: 503, message: 'draining' });
    expect(other.received).toHaveLength(1);
  });

  verifies(
    'LINK-JOIN-02',
    'rejects with the reason of an aborted signal, also while a request is pending',
    async () => {
      const server = await scripted(() => {});
      for (const url of [server.url, 'http://127.0.0.1:1']) {
        const link = linkTo(url);
        const stop = new AbortController();
        const joining = link.join('o', { ...FOREVER, signal: stop.signal });
        await pause(100);
        stop.abort(new Error('enough'));
        await expect(joining).rejects.toThrow('enough');
        expect(link.state).toBe('disconnected');
      }
      await until(() => server.sockets.every(({ connected }) => !connected));
      await expect(linkTo(server.url).join('o', { signal: AbortSignal.abort('never') })).rejects.toBe('never');
    },
  );
});

describe('a seat that another member holds', () => {
  verifies('LINK-JOIN-03', 'is waited for with "always"', async () => {
    const { url } = await serve();
    const holder = linkTo(url, { name: 'holder' });
    await holder.join('o');
    const link = linkTo(url);
    const failed = next(link, 'attemptFailed');
    const joining = link.join('o', { ...FOREVER, waitForSeat: 'always' });
    expect(await failed).toMatchObject({ kind: 'RoomFull' });
    await holder.disconnect({ graceful: true });
    await joining;
    expect(link.office).toBe('o');
  });

  verifies('LINK-JOIN-03', 'is waited for on a re-join only with "rejoin"', async () => {
    const server = await scripted((ack, join) => (join === 2 || join === 3 ? ack(false, TAKEN) : ack(true, null)));
    const link = linkTo(server.url, { limits: { ...FAST, staleSeatMs: 0 } });
    await link.join('o', { waitForSeat: 'rejoin' });
    const rejoined = next(link, 'joined');
    server.drop('network');
    expect(await rejoined).toEqual({ office: 'o', isRejoin: true });
    expect(server.received).toHaveLength(4);
    const taken = await scripted((ack) => ack(false, TAKEN));
    await expect(linkTo(taken.url).join('o', { ...FOREVER, waitForSeat: 'rejoin' })).rejects.toMatchObject({
      code: 403,
    });
  });

  verifies('LINK-JOIN-03', 'ends the link with "never", unless it may be our own lost connection', async () => {
    const server = await scripted((ack, join) => (join === 1 || join === 4 ? ack(true, null) : ack(false, TAKEN)));
    const link = linkTo(server.url, { limits: { ...FAST, staleSeatMs: 60_000 } });
    await link.join('o');
    const rejoined = next(link, 'joined');
    server.drop('network');
    await rejoined;
    const known = await scripted((ack, join) => (join === 1 ? ack(true, null) : ack(false, '403/4101 has an Agent')));
    const other = linkTo(known.url);
    await other.join('o');
    const otherEnded = next(other, 'ended');
    known.drop('network');
    expect(await otherEnded).toMatchObject({ kind: 'RoomFull' });
    expect([other.state, link.state]).toEqual(['disconnected', 'joined']);
  });
});

verifies('LINK-JOIN-04', 'a connection to the wrong node is replaced by one that names the office', async () => {
  const { url } = await serve({ sharded: true });
  const link = linkTo(url, { role: 'computer' });
  await link.connect();
  const { sid } = link;
  await link.join('o 1');
  expect([link.office, link.sid === sid]).toEqual(['o 1', false]);
  await link.join('o 2');
  expect(link.office).toBe('o 2');
  const astray = await scripted((ack) => ack(false, '503 wrong node: connect with ?office=o'));
  await expect(linkTo(astray.url).join('o')).rejects.toMatchObject({ code: 503 });
  expect(astray.sockets.map(({ handshake }) => handshake.query.office)).toEqual(['o', 'o', 'o', 'o']);
});

verifies('SEC-NAME-02', 'a Computer whose id is the name of another one joins with a new connection', async () => {
  const { url } = await serve();
  const link = linkTo(url, { role: 'computer' });
  await link.join('o1');
  const { sid } = link;
  await linkTo(url, { role: 'computer', name: sid as string }).join('o2');
  await link.join('o2');
  expect([link.office, link.sid === sid]).toEqual(['o2', false]);
});

verifies('LINK-MOVE-01', 'a request during a move is labelled with the office that it comes from', async () => {
  let join: Ack | undefined;
  const server = await scripted((ack, count) => {
    if (count === 1) ack(true, null);
    else join = ack;
  });
  const offices: [string, string][] = [];
  const link = linkTo(server.url, { role: 'computer' }, async ({ office, payload }) => {
    offices.push([(payload as { req_id: string }).req_id, office]);
    return [{}];
  });
  await link.join('A');
  const moved = link.join('B');
  await until(() => join !== undefined);
  const ask = (req_id: string, more: object = {}) =>
    server.sockets[0]?.emitWithAck('client:get_tools', { agent: 'a', computer: 'a', req_id, ...more });
  await ask('of A');
  await ask('of B', { office_id: 'B' });
  await ask('forged', { office_id: 'C' });
  join?.(true, null);
  await moved;
  await ask('after');
  expect(offices).toEqual([
    ['of A', 'A'],
    ['of B', 'B'],
    ['forged', 'A'],
    ['after', 'B'],
  ]);
});

verifies('LINK-MOVE-01', 'a request that arrives while a link leaves is one of the office it leaves', async () => {
  const server = await scripted((ack) => ack(true, null));
  const offices: string[] = [];
  const link = linkTo(server.url, { role: 'computer' }, async ({ office }) => {
    offices.push(office);
    return [{}];
  });
  await link.join('A');
  const left = link.leave();
  const asked = server.sockets[0]?.emitWithAck('client:get_tools', { agent: 'a', computer: 'a', req_id: 'r' });
  await Promise.all([left, asked]);
  expect(offices).toEqual(['A']);
});
