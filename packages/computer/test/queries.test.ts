import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from 'node:net';
import { verifies } from '@a2c/requirements';
import type { Socket } from 'socket.io-client';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { SharedReads } from '../src/shared-reads.js';
import { agentIn, ask, boot, call, joined, listenIn, serve, settle, textOf, until } from './harness.js';

/** More than sockets and the operating system take in, if 32 of them are sent. */
const LONG = 'x'.repeat(2_000_000);

/** A Computer whose list of skills has 2 MB, with Agents `a` and `b`. Its messages to the Server can be held up. */
async function longLists() {
  const [{ url }, computer] = await Promise.all([serve({ officePolicy: () => ({ agents: 'many' }) }), boot()]);
  const line = await stallable(url);
  await joined(computer, line.url, { transports: ['websocket'] });
  const skills = vi.spyOn(computer, 'skills');
  skills.mockImplementation(() => [{ name: 's', source: 'local', path: '', description: LONG }]);
  const [a, b] = await Promise.all([agentIn(url, 'o', 'a'), agentIn(url, 'o', 'b')]);
  return { url, computer, line, a, b, written: () => skills.mock.calls.length };
}

/** A TCP relay that stops reading from the Computer. */
async function stallable(url: string) {
  const open = new Map<TcpSocket, TcpSocket>();
  const relay = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    open.set(near, far);
    for (const end of [near, far]) end.on('error', () => {}).on('close', () => open.delete(near));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    relay.close();
    for (const [near, far] of open) for (const end of [near, far]) end.destroy();
  });
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    stall: () => {
      for (const [near, far] of open) near.unpipe(far).pause();
    },
    resume: () => {
      for (const [near, far] of open) near.pipe(far);
    },
  };
}

let queries = 0;

function query(agent: Socket, event: string, more: object = {}): Promise<unknown[]> {
  return ask(agent, event, { agent: 'x', computer: 'pc', req_id: `q${queries++}`, ...more });
}

function codeOf(answer: unknown): unknown[] {
  const { code, details } = answer as { code?: number; details?: { retry_after?: number } };
  return [code, details?.retry_after];
}

/** Waits until no more answers are written for some turns of the event loop, however long they take. */
async function whenHeldUp(written: () => number): Promise<void> {
  for (let before = 0, quietTurns = 0; quietTurns < 10; ) {
    await settle(20);
    quietTurns = written() > 0 && before === written() ? quietTurns + 1 : 0;
    before = written();
  }
}

describe('queries of Agents', () => {
  verifies('COST-QUERY-01', 'share one tool list until the tools change', async () => {
    const { url, computer, a, b } = await longLists();
    const built = vi.spyOn(computer, 'getAvailableTools');
    const lists = await Promise.all(
      [a, b].flatMap((agent) => Array.from({ length: 20 }, () => query(agent, 'client:get_tools'))),
    );
    expect(built).toHaveBeenCalledTimes(1);
    const [first] = lists.map(([answer]) => (answer as { tools: object[] }).tools);
    for (const [answer] of lists) expect((answer as { tools: object[] }).tools).toEqual(first);
    expect(new Set(lists.map(([answer]) => (answer as { req_id: string }).req_id)).size).toBe(40);
    expect(first?.length).toBeGreaterThan(0);
    await computer.removeServer('w');
    expect((await query(a, 'client:get_tools'))[0]).toMatchObject({ tools: [] });
    expect(built).toHaveBeenCalledTimes(2);
    // Another generation has another list.
    await query(await agentIn(url, 'o', 'c', { query: { a2c_version: '0.4.0' } }), 'client:get_tools');
    expect(built).toHaveBeenCalledTimes(3);
  });

  verifies('COST-QUERY-02', 'are not answered while much waits to be sent, and then each Agent in turn', async () => {
    const { computer, line, a, b, written } = await longLists();
    const order: string[] = [];
    const sent = async (agent: Socket, name: string, event = 'client:get_skills') => {
      const [answer] = await query(agent, event);
      order.push(name);
      return codeOf(answer);
    };
    line.stall();
    const own = Array.from({ length: 32 }, () => sent(a, 'a'));
    await whenHeldUp(written);
    const before = written();
    expect(before).toBeLessThan(12);
    own.push(...Array.from({ length: before }, () => sent(a, 'a')));
    const refused = sent(a, 'refused');
    const others = [sent(b, 'b'), sent(b, 'b', 'client:get_config')];
    // Calls do not wait: this one runs although its answer cannot be sent yet.
    const called = call(a, 'echo', { message: 'hello' });
    await until(() => computer.history().length === 1);
    expect(written()).toBe(before);
    line.resume();
    expect(await refused).toEqual([429, 1]);
    expect(textOf(await called)).toBe('hello');
    expect(new Set((await Promise.all([...own, ...others])).flat())).toEqual(new Set([undefined]));
    expect(order.lastIndexOf('b')).toBeLessThan(before + 8);
    // The queue is empty again.
    expect(await sent(a, 'a')).toEqual([undefined, undefined]);
  });

  verifies('COST-QUERY-03', 'of an Agent that has left are dropped', async () => {
    const { computer, line, a, b, written } = await longLists();
    const desktops = vi.spyOn(computer, 'getDesktop');
    const heard = listenIn(b);
    line.stall();
    for (let i = 0; i < 32; i++) a.emit('client:get_skills', { agent: 'a', computer: 'pc', req_id: `d${i}` }, () => {});
    await whenHeldUp(written);
    a.disconnect();
    await until(() => heard.some(([event]) => event === 'notify:leave_office'));
    const desktop = query(b, 'client:get_desktop');
    await until(() => desktops.mock.calls.length > 0);
    line.resume();
    expect((await desktop)[0]).toHaveProperty('desktops');
    await settle(200);
    expect(written()).toBeLessThan(12);
  });

  verifies('COST-QUERY-02', 'are small', async () => {
    const { a } = await longLists();
    const [answer] = await query(a, 'client:get_tools', { padding: 'x'.repeat(100_000) });
    // The Server refuses it too.
    expect(answer).toMatchObject({ code: 400, message: expect.stringMatching(/64 KiB|65536/) });
  });

  verifies('COST-QUERY-01', 'share what is read from MCP servers, unless it was read before they asked', async () => {
    const reads = new SharedReads<number>();
    const finish: (() => void)[] = [];
    let started = 0;
    const read = () => {
      const own = ++started;
      return new Promise<number>((resolve, reject) =>
        finish.push(() => (own === 2 ? reject(new Error('no')) : resolve(own))),
      );
    };
    const first = reads.read('k', read);
    const later = [reads.read('k', read), reads.read('k', read)];
    const other = reads.read('other', () => Promise.resolve(0));
    expect(started).toBe(1);
    finish.shift()?.();
    expect([await first, await other]).toEqual([1, 0]);
    await until(() => started === 2);
    const next = reads.read('k', read);
    finish.shift()?.();
    expect((await Promise.allSettled(later)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await until(() => started === 3);
    finish.shift()?.();
    expect(await next).toBe(3);
  });
});
