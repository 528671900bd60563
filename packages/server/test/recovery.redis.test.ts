import { once } from 'node:events';
import { verifies } from '@a2c/requirements';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished } from 'vitest';
import { ClusterState } from '../src/cluster/cluster-state.js';
import { CLUSTER_LIMITS, echo, joinOn, slowLink } from './cluster.js';
import {
  ask,
  CALL,
  dial,
  eventually,
  newCall,
  next,
  pauseReading,
  type RawSocket,
  recordEvents,
  serve,
  settle,
  type TestServer,
  until,
} from './harness.js';
import { freePort, startNode, startRedis } from './processes.js';

const LEASE_MS = 1_500;

/** Starts a Redis. Returns functions to start nodes in this process and to look into Redis. */
async function shared() {
  const port = await freePort();
  const redis = await startRedis(port);
  const url = `redis://127.0.0.1:${port}`;
  const node = (over = url, limits: object = {}): Promise<TestServer> =>
    serve({ limits: { ...CLUSTER_LIMITS, ...limits }, cluster: { redis: over, leaseMs: LEASE_MS } });
  const inside = new Redis(url);
  inside.on('error', () => {}); // the tests kill and stop Redis
  onTestFinished(() => inside.disconnect());
  const seats = async (office: string) => (await inside.hkeys(`a2c:office:${office}`)).toSorted();
  return { port, redis, url, node, inside, seats };
}

const join = (name: string) => ({ role: 'agent', name, office_id: 'o' });
const inFlight = async ({ server }: TestServer) =>
  /^a2c_calls_in_flight (\d+)$/m.exec(await server.metrics.text())?.[1];

describe('a claim that Redis executes after it timed out', () => {
  verifies(['SRV-SCALE-04', 'SRV-SCALE-02'], 'is released when Redis is back', async () => {
    const { redis, node, seats } = await shared();
    const [here, there] = [await node(), await node()];
    const late = await here.connect();
    redis.kill('SIGSTOP');
    expect(await ask(late, 'server:join_office', join('late'))).toEqual([false, expect.stringMatching(/^503 .*Redis/)]);
    redis.kill('SIGCONT');
    await eventually(() => joinOn(there, 'agent', 'next', 'o'));
    expect(await seats('o')).toEqual(['agent']);
  });

  verifies(['SRV-SCALE-04', 'SRV-SCALE-02'], 'is kept if the member has joined again in the meantime', async () => {
    const { port, redis, node } = await shared();
    const far = await node((await slowLink(port, 150)).url);
    const late = await far.connect();
    redis.kill('SIGSTOP');
    expect(await ask(late, 'server:join_office', join('late'))).toEqual([false, expect.stringMatching(/^503 /)]);
    await until(() => !far.server.isReady);
    redis.kill('SIGCONT');
    // The first heartbeat, which releases unreleased seats, is pending now.
    await until(() => far.server.isReady);
    expect(await ask(late, 'server:join_office', join('late'))).toEqual([true, null]);
    await settle(1_000);
    await expect(joinOn(await node(), 'agent', 'thief', 'o')).rejects.toThrow(/^403/);
  });
});

describe('a node that announces the members of a lost one', () => {
  verifies('SRV-SCALE-03', 'renews its lease meanwhile, also if it is busy', async () => {
    const { node, inside } = await shared();
    await node();
    const [lease = ''] = await inside.keys('a2c:lease:*');
    const lost = inside.pipeline();
    for (let i = 0; i < 2_000; i++) {
      const member = { office: `o${i}`, role: 'computer', name: 'pc', seat: 'computer:pc', sid: `s${i}`, node: 'dead' };
      lost.hset(`a2c:office:o${i}`, member.seat, JSON.stringify(member));
      lost.sadd('a2c:seats:dead', JSON.stringify([member.office, member.seat]));
    }
    await lost.exec();
    let isBusy = true;
    const work = () => {
      const end = performance.now() + 25;
      while (performance.now() < end);
      if (isBusy) setImmediate(work);
    };
    work();
    await inside.sadd('a2c:nodes', 'dead');
    await eventually(async () => expect(await inside.exists('a2c:seats:dead')).toBe(0));
    const leases: number[] = [];
    while (leases.length < 60) {
      leases.push(await inside.exists(lease));
      await settle(20);
    }
    isBusy = false;
    expect(leases).not.toContain(0);
  });
});

describe('a seat in Redis', () => {
  verifies('SEC-IDENTITY-01', 'belongs to a subject and a method, which older nodes do not store', async () => {
    const { url, inside } = await shared();
    const options = {
      limits: CLUSTER_LIMITS,
      cluster: { redis: url, leaseMs: LEASE_MS },
      authenticate: ({ auth }: { auth: Readonly<Record<string, unknown>> }) => ({
        subject: 's',
        method: String(auth.method),
      }),
    };
    const [here, there] = [await serve(options), await serve(options)];
    const joinAs = async (method: string, server: TestServer) => {
      const socket = await server.connect({ auth: { method } });
      return ask(socket, 'server:join_office', { role: 'computer', name: 'pc', office_id: 'o' });
    };
    expect(await joinAs('a', here)).toEqual([true, null]);
    expect(await joinAs('b', there)).toEqual([false, expect.stringMatching(/^403 .*already exists/)]);
    expect(await joinAs('a', there)).toEqual([true, null]);
    const { method, ...ofOlderNode } = JSON.parse((await inside.hget('a2c:office:o', 'computer:pc')) ?? '');
    expect(method).toBe('a');
    await inside.hset('a2c:office:o', 'computer:pc', JSON.stringify(ofOlderNode));
    expect(await joinAs('a', here)).toEqual([true, null]);
  });

  verifies('SEC-NAME-02', 'is not given to a Computer with the id of another one as its name', async () => {
    const { node } = await shared();
    const [here, there] = [await node(), await node()];
    const moving = await joinOn(here, 'computer', 'pc', 'o1');
    const { id = '' } = moving;
    await expect(joinOn(there, 'computer', id, 'o1')).rejects.toThrow(
      /^403 .*is the connection id of another Computer/,
    );
    await joinOn(there, 'computer', id, 'o2');
    const move = { role: 'computer', name: 'pc', office_id: 'o2' };
    const refused = [false, expect.stringMatching(/^503 .*connect again$/)];
    expect(await ask(moving, 'server:join_office', move)).toEqual(refused);
    await joinOn(here, 'computer', 'pc', 'o2');
    await joinOn(there, 'computer', 'x'.repeat(20), 'o2');
  });
});

describe('a text that Lua cannot read', () => {
  const UNREADABLE = '\ud800';
  const sharded = async () => {
    const redis = await shared();
    const options = {
      sharded: true,
      limits: CLUSTER_LIMITS,
      cluster: { redis: redis.url, leaseMs: LEASE_MS },
      authenticate: ({ auth }: { auth: Readonly<Record<string, unknown>> }) => ({ subject: String(auth.subject) }),
    };
    const member = async (server: TestServer, name: string, auth: object) => {
      const socket = await server.connect({ query: { office: 'o' }, auth: { subject: 's', ...auth } });
      return ask(socket, 'server:join_office', { role: 'computer', name, office_id: 'o' });
    };
    return { ...redis, nodes: [await serve(options), await serve(options)] as const, member };
  };

  verifies('REDIS-TEXT-01', 'takes no seat, and is no Redis that is away', async () => {
    const { nodes, inside, member, seats } = await sharded();
    expect(await member(nodes[0], 'box', {})).toEqual([true, null]);
    const refused = [false, expect.stringMatching(/^403/)];
    for (const auth of [{ instance: UNREADABLE }, { epoch: UNREADABLE }])
      expect(await member(nodes[1], 'box', { subject: 'bob', ...auth })).toEqual(refused);
    expect(await member(nodes[1], 'box', { subject: UNREADABLE })).toEqual([false, expect.stringMatching(/^500/)]);
    expect(await member(nodes[1], `box${UNREADABLE}`, {})).toEqual([false, expect.stringMatching(/^400/)]);
    expect(await seats('o')).toEqual(['computer:box']);
    await inside.sadd('a2c:nodes', 'dead'); // A node without a lease: heartbeats go on.
    await eventually(async () => expect(await inside.smembers('a2c:nodes')).not.toContain('dead'));
  });

  verifies('REDIS-TEXT-01', 'of a member that joined without Redis does not keep others from their seats', async () => {
    const { port, redis, nodes, member, seats } = await sharded();
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    expect(await member(nodes[0], 'bad', { subject: UNREADABLE })).toEqual([true, null]);
    expect(await member(nodes[0], 'good', {})).toEqual([true, null]);
    await startRedis(port);
    await eventually(async () => expect(await seats('o')).toEqual(['computer:good']));
  });
});

verifies('REDIS-FOREIGN-01', 'messages of other programs on the channels of the nodes end no node', async () => {
  const { node, inside } = await shared();
  const [here, there] = [await node(), await node()];
  echo(await joinOn(there, 'computer', 'pc', 'o'));
  const agent = await joinOn(here, 'agent', 'a', 'o');
  const emit = (...data: unknown[]) => JSON.stringify({ type: 6, uid: 'x', data });
  const names = ['a2c:gone', 'a2c:evict', 'a2c:tools', 'a2c:progress', 'a2c:rehome'];
  const events = names.flatMap((name) => [emit(name), emit(name, null, null), emit(name, {}, {})]);
  const channels = (await inside.pubsub('CHANNELS', 'a2c:*')) as string[];
  expect(channels.length).toBeGreaterThan(4);
  for (const channel of [...channels, 'a2c:socket.io#/smcp#', 'a2c:socket.io#/smcp#o#']) {
    for (const message of ['', 'x', 'null', '[]', '{}', '[null,null]', '{"type":6}', '['.repeat(10_000), ...events])
      await inside.publish(channel, message);
  }
  await until(() => here.logs.some(({ message }) => message.includes('a message that no node has sent')));
  await expectAnswer(agent);
  expect(here.logs.filter(({ message }) => message.includes('a message that no node has sent'))).toHaveLength(1);
});

verifies(
  'SRV-SCALE-03',
  'a node without Redis does not report that a Computer left that is on another node',
  async () => {
    const port = await freePort();
    await startRedis(port);
    const link = await slowLink(port, 0);
    const nodeOver = (redis: string) => serve({ cluster: { redis, leaseMs: 60_000 }, limits: CLUSTER_LIMITS });
    const [here, there] = [await nodeOver(link.url), await nodeOver(`redis://127.0.0.1:${port}`)];
    const agent = await joinOn(there, 'agent', 'a', 'o');
    const received = recordEvents(agent);
    const old = await joinOn(here, 'computer', 'pc', 'o', 'i-1');
    await until(() => received.length === 1);
    link.isBroken(true);
    await until(() => !here.server.isReady);
    echo(await joinOn(there, 'computer', 'pc', 'o', 'i-1'));
    old.disconnect();
    await until(() => here.server.sessions().length === 0);
    link.isBroken(false);
    // Of the join, of the takeover, and of the seat that could not be released before.
    await until(() => received.length >= 3);
    expect(received.map(([event]) => event)).toEqual(Array(3).fill('notify:enter_office'));
    await expectAnswer(agent);
  },
);

describe('a room list without Computers that are there', () => {
  verifies(
    'SRV-SCALE-03',
    'because the lease of a node had expired: they are announced with the new lease',
    async () => {
      const { node, inside } = await shared();
      const home = await node();
      await joinOn(home, 'computer', 'pc', 'o');
      const entered = next(await joinOn(home, 'agent', 'a', 'o'), 'notify:enter_office');
      await inside.del(await inside.keys('a2c:lease:*'));
      expect(await entered).toEqual({ office_id: 'o', computer: 'pc' });
    },
  );

  verifies('SRV-SCALE-04', 'because Redis was away: they are announced when it is back', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const cluster = { redis: `redis://127.0.0.1:${port}`, leaseMs: 60_000 };
    const [here, there] = [await serve({ cluster }), await serve({ cluster })];
    await joinOn(there, 'computer', 'pc', 'o');
    const agent = await joinOn(here, 'agent', 'a', 'o');
    const entered = next(agent, 'notify:enter_office');
    redis.kill('SIGSTOP');
    const list = await ask(agent, 'server:list_room', { agent: 'a', office_id: 'o', req_id: 'r' });
    expect(list).toEqual([{ sessions: [expect.objectContaining({ name: 'a' })], req_id: 'r' }]);
    redis.kill('SIGCONT');
    expect(await entered).toEqual({ office_id: 'o', computer: 'pc' });
  });
});

verifies('SRV-SCALE-04', 'a join that a node missed without Redis is announced to its Agents', async () => {
  const port = await freePort();
  await startRedis(port);
  const link = await slowLink(port, 0);
  const nodeOver = (redis: string) => serve({ cluster: { redis, leaseMs: 60_000 }, limits: CLUSTER_LIMITS });
  const [here, there] = [await nodeOver(link.url), await nodeOver(`redis://127.0.0.1:${port}`)];
  const agent = await joinOn(here, 'agent', 'a', 'o');
  const entered = next(agent, 'notify:enter_office');
  link.isBroken(true);
  await until(() => !here.server.isReady);
  echo(await joinOn(there, 'computer', 'pc', 'o'));
  link.isBroken(false);
  expect(await entered).toEqual({ office_id: 'o', computer: 'pc' });
  await expectAnswer(agent);
});

describe('a node that was removed from Redis', () => {
  verifies('SRV-SCALE-03', 'notifies of its members again when it is resumed', async () => {
    const { node, url } = await shared();
    const agent = await joinOn(await node(), 'agent', 'a', 'o');
    const sleeper = await startNode({ limits: CLUSTER_LIMITS, cluster: { redis: url, leaseMs: LEASE_MS } });
    echo(await joinOn(sleeper, 'computer', 'pc', 'o'));
    await eventually(() => expectAnswer(agent));
    const left = next(agent, 'notify:leave_office');
    sleeper.child.kill('SIGSTOP');
    expect(await left).toEqual({ office_id: 'o', computer: 'pc' });
    const entered = next(agent, 'notify:enter_office');
    sleeper.child.kill('SIGCONT');
    expect(await entered).toEqual({ office_id: 'o', computer: 'pc' });
    await eventually(() => expectAnswer(agent));
  });

  const NAMES = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  const SEATS = NAMES.map((name) => `computer:${name}`);

  /** Six Computers on a node with a slow connection to a Redis that was flushed and has the first of them again. */
  async function partlyReclaimed() {
    const redis = await shared();
    const link = await slowLink(redis.port, 100);
    const far = await redis.node(link.url);
    const computers = await Promise.all(NAMES.map((name) => joinOn(far, 'computer', name, 'o')));
    await redis.inside.flushall();
    await eventually(async () => expect(await redis.seats('o')).toHaveLength(1));
    return { ...redis, link, last: computers.at(-1) };
  }

  verifies('SRV-SCALE-04', 'does not claim the seat of a member that leaves meanwhile', async () => {
    const { last, seats } = await partlyReclaimed();
    last?.emit('server:leave_office', { office_id: 'o' });
    await eventually(async () => expect(await seats('o')).toEqual(SEATS.slice(0, 5)));
    await settle(1_000);
    expect(await seats('o')).toEqual(SEATS.slice(0, 5));
  });

  verifies('SRV-SCALE-04', 'claims all its seats, also when it is interrupted', async () => {
    const { link, seats } = await partlyReclaimed();
    link.cut();
    await eventually(async () => expect(await seats('o')).toEqual(SEATS));
  });
});

async function expectAnswer(agent: Parameters<typeof ask>[0]): Promise<void> {
  expect(await ask(agent, 'client:tool_call', newCall())).toEqual([expect.objectContaining({ isError: false })]);
}

describe('a seat that Redis has lost', () => {
  verifies('REDIS-SEATS-01', 'is claimed again, although the lease of the node is there', async () => {
    const { node, inside, seats } = await shared();
    await joinOn(await node(), 'computer', 'pc', 'o');
    const [seatsOfNode = ''] = await inside.keys('a2c:seats:*');
    await inside.del('a2c:office:o', seatsOfNode);
    await eventually(async () => expect(await seats('o')).toEqual(['computer:pc']));
  });

  verifies('REDIS-SEATS-01', 'is none of a node that renewed its lease while another one removes it', async () => {
    const { url, inside, seats, node } = await shared();
    await joinOn(await node(), 'computer', 'pc', 'o');
    const [live = ''] = await inside.smembers('a2c:nodes');
    const other = new ClusterState(url, 'other', 'a2c:');
    onTestFinished(() => other.redis.disconnect());
    await other.redis.connect();
    expect(await other.removeNode(live)).toEqual([]);
    expect(await seats('o')).toEqual(['computer:pc']);
    expect(await inside.smembers('a2c:nodes')).toEqual([live]);
  });
});

verifies('REDIS-SUBSCRIBE-01', 'a node whose subscription ended unnoticed subscribes again', async () => {
  const { port, node, inside } = await shared();
  const link = await slowLink(port, 0);
  const [here, there] = [await node(link.url), await node()];
  const agent = await joinOn(there, 'agent', 'a', 'o');
  echo(await joinOn(here, 'computer', 'pc', 'o'));
  expect(await ask(agent, 'client:tool_call', newCall())).toMatchObject([{ isError: false }]);
  link.endSubscriptions();
  await eventually(async () =>
    expect(await ask(agent, 'client:tool_call', newCall())).toMatchObject([{ isError: false }]),
  );
  expect((await inside.pubsub('CHANNELS', 'a2c:node:*')).length).toBe(2);
});

describe('a Redis that is away', () => {
  verifies('SRV-SCALE-06', 'fails requests at once, also when it is only frozen', async () => {
    const { redis, node } = await shared();
    const [here, there] = [await node(), await node()];
    const agent = await joinOn(here, 'agent', 'a', 'o');
    echo(await joinOn(there, 'computer', 'pc', 'o'));
    await expectAnswer(agent);
    redis.kill('SIGSTOP');
    const away = [expect.objectContaining({ code: 503, details: expect.objectContaining({ reason: 'redis' }) })];
    expect(await ask(agent, 'client:tool_call', newCall())).toEqual(away);
    await until(() => !here.server.isReady);
    const started = performance.now();
    for (let i = 0; i < 20; i++) expect(await ask(agent, 'client:tool_call', newCall())).toEqual(away);
    // With the timeout of the first request each, they would take forty seconds.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(await inFlight(here)).toBe('0');
    redis.kill('SIGCONT');
    await eventually(() => expectAnswer(agent));
  });

  verifies('SRV-SCALE-06', 'fails a call that would be queued, and does not keep it', async () => {
    const { node, inside } = await shared();
    const [here, there] = [await node(), await node()];
    const agent = await joinOn(here, 'agent', 'a', 'o');
    echo(await joinOn(there, 'computer', 'pc', 'o'));
    await expectAnswer(agent);
    const cutPublishers = async () => {
      const publishers = String(await inside.client('LIST')).matchAll(/^id=(\d+) .* cmd=publish /gm);
      for (const [, id = ''] of publishers) await inside.client('KILL', 'ID', id);
    };
    await eventually(async () => {
      await expectAnswer(agent);
      await cutPublishers();
      const [answer] = await ask(agent, 'client:tool_call', newCall());
      expect(answer).toMatchObject({ code: 503, details: { reason: 'redis' } });
    });
    expect(await inFlight(here)).toBe('0');
  });

  verifies('REDIS-AWAY-03', 'is logged once, and once when it is back, however many requests fail', async () => {
    const { port, redis, node } = await shared();
    const [here, there] = [await node(), await node()];
    const agent = await joinOn(here, 'agent', 'a', 'o');
    echo(await joinOn(there, 'computer', 'pc', 'o'));
    await expectAnswer(agent);
    const leaving = await Promise.all(['l1', 'l2', 'l3'].map((name) => joinOn(here, 'computer', name, 'o')));
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    await until(() => !here.server.isReady);
    for (let i = 0; i < 20; i++) {
      expect((await ask(agent, 'client:tool_call', newCall()))[0]).toMatchObject({ code: 503 });
      expect(await ask(await here.connect(), 'server:join_office', join('b'))).toContain(false);
    }
    for (const socket of leaving) expect(await ask(socket, 'server:leave_office', { office_id: 'o' })).toContain(true);
    const about = () => here.logs.filter(({ message }) => /Redis/.test(message));
    expect(about()).toEqual([expect.objectContaining({ level: 'warn', message: 'Redis does not answer' })]);
    await startRedis(port);
    await until(() => about().length > 1);
    // 20 calls, 20 joins and 3 releases. Other requests of the node may have failed too.
    expect(about()[1]).toMatchObject({
      level: 'info',
      message: 'Redis answers again',
      awayMs: expect.any(Number),
      failedRequests: expect.toSatisfy((failed: number) => failed >= 43),
    });
    await eventually(() => expectAnswer(agent));
    expect(about()).toHaveLength(2);
  });

  verifies('SRV-SCALE-06', 'limits the queue for it: further messages are dropped and reported', async () => {
    const { port, redis, node, inside } = await shared();
    const [here, there] = [await node(undefined, { queuedBytes: 100_000 }), await node()];
    const received = recordEvents(await joinOn(there, 'agent', 'a', 'o'));
    const computer = await joinOn(here, 'computer', 'pc', 'o');
    const notifications = () => received.filter(([event]) => event === 'notify:update_config').length;
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    await until(() => !here.server.isReady);
    for (let i = 0; i < 1_000; i++) await ask(computer, 'server:update_config', { computer: 'pc' });
    expect(here.logs.filter(({ message }) => message.startsWith('the queue for Redis is full'))).toHaveLength(1);
    const outsider = await here.connect();
    for (let i = 0; i < 200; i++) {
      const [ok] = await ask(outsider, 'server:join_office', { role: 'agent', name: 'x', office_id: `o${i}` });
      expect(ok).toBe(false);
    }
    await startRedis(port);
    await until(() => here.logs.some(({ message }) => message === 'messages to other nodes were dropped'));
    await settle(500);
    expect(notifications()).toBeLessThan(100);
    // Joins that were not sent to Redis need no release.
    const scripts = Number(/cmdstat_eval:calls=(\d+)/.exec(await inside.info('commandstats'))?.[1]);
    expect(scripts).toBeLessThan(50);
    const before = notifications();
    await eventually(async () => {
      await ask(computer, 'server:update_config', { computer: 'pc' });
      await settle();
      expect(notifications()).toBeGreaterThan(before);
    });
  });
});

describe('a node that shuts down', () => {
  verifies('SRV-OPS-03', 'exits cleanly, whether Redis is available, frozen or gone', async () => {
    const { redis, url } = await shared();
    const ended: unknown[] = [];
    for (const signal of ['SIGCONT', 'SIGSTOP', 'SIGKILL'] as const) {
      const { child } = await startNode({ cluster: { redis: url, leaseMs: LEASE_MS } });
      redis.kill(signal);
      if (signal === 'SIGKILL') await once(redis, 'exit');
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      ended.push(await exit);
      if (signal === 'SIGSTOP') redis.kill('SIGCONT');
    }
    expect(ended).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
  });
});

describe('a node that freezes while it has a join', () => {
  for (const role of ['agent', 'computer'] as const) {
    verifies('SEAT-ATTEMPT-01', `does not evict the newer connection of the same ${role}`, async () => {
      const { url, inside } = await shared();
      const options = { limits: CLUSTER_LIMITS, cluster: { redis: url, leaseMs: LEASE_MS } };
      const [frozen, healthy] = [await startNode(options), await startNode(options)];
      const join = { role, name: 'm', office_id: 'o' };
      const older = await dial(frozen.url, { auth: { instance: 'i-1', attempt: 1 } });
      frozen.child.kill('SIGSTOP');
      const late = ask(older, 'server:join_office', join, 60_000);
      const newer = await dial(healthy.url, { auth: { instance: 'i-1', attempt: 2 } });
      await eventually(async () => expect(await ask(newer, 'server:join_office', join)).toEqual([true, null]));
      const evictions = recordEvents(newer);
      // The lease of the frozen node ends.
      await eventually(async () => expect(await inside.keys('a2c:lease:*')).toHaveLength(1));
      frozen.child.kill('SIGCONT');
      expect(await late).toEqual([false, expect.stringContaining('newer connection')]);
      await eventually(async () => expect(await inside.keys('a2c:lease:*')).toHaveLength(2));
      const [seat] = await inside.hvals('a2c:office:o');
      expect(JSON.parse(String(seat))).toMatchObject({ sid: newer.id });
      expect([newer.connected, evictions]).toEqual([true, []]);
    });
  }
});

describe('without Redis', () => {
  verifies(
    'REDIS-AWAY-01',
    'sharded offices go on, and new ones are opened; Redis receives their seats later',
    async () => {
      const { port, redis, url, seats } = await shared();
      const options = { sharded: true, limits: CLUSTER_LIMITS, cluster: { redis: url, leaseMs: LEASE_MS } };
      const [here, there] = [await serve(options), await serve(options)];
      const member = (server: TestServer, role: 'agent' | 'computer', office: string) =>
        server.member(role, role, office, { query: { office } });
      const call = async (agent: RawSocket) =>
        (await ask(agent, 'client:tool_call', { ...CALL, computer: 'computer' }))[0];
      const agent = await member(here, 'agent', 'o');
      echo(await member(here, 'computer', 'o'));
      redis.kill('SIGKILL');
      await once(redis, 'exit');
      expect(await call(agent)).toMatchObject({ isError: false });
      const fresh = await member(here, 'agent', 'new');
      echo(await member(here, 'computer', 'new'));
      expect(await call(fresh)).toMatchObject({ isError: false });
      expect((await fetch(`${here.url}/readyz`)).status).toBe(200);
      await startRedis(port);
      await eventually(async () => expect(await seats('new')).toEqual(['agent', 'computer:computer']));
      const thief = await there.connect({ query: { office: 'new' } });
      const join = { role: 'agent', name: 'thief', office_id: 'new' };
      expect(await ask(thief, 'server:join_office', join)).toEqual([false, expect.stringMatching(/^403/)]);
      expect(await call(agent)).toMatchObject({ isError: false });
      expect(await call(fresh)).toMatchObject({ isError: false });
    },
  );

  verifies('REDIS-AWAY-02', 'a node starts, waits for Redis, and then serves', async () => {
    const port = await freePort();
    const node = await serve({ cluster: { redis: `redis://127.0.0.1:${port}`, leaseMs: LEASE_MS } });
    expect(node.server.isReady).toBe(false);
    expect(node.logs.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^cannot reach Redis .*waiting/),
    );
    const early = await node.connect();
    expect(await ask(early, 'server:join_office', join('a'))).toEqual([false, expect.stringMatching(/^503 /)]);
    await startRedis(port);
    await until(() => node.server.isReady);
    await eventually(async () => expect(await ask(early, 'server:join_office', join('a'))).toEqual([true, null]));
    await until(() => node.logs.some(({ message }) => message === 'Redis answers again'));
    expect(node.logs.map(({ message }) => message)).not.toContain('Redis does not answer');
    const other = await serve({ cluster: { redis: `redis://127.0.0.1:${port}`, leaseMs: LEASE_MS } });
    echo(await joinOn(other, 'computer', 'pc', 'o'));
    expect((await ask(early, 'client:tool_call', CALL))[0]).toMatchObject({ isError: false });
  });

  verifies('REDIS-AWAY-02', 'a Redis that refuses the password is an error at once', async () => {
    const { inside, port } = await shared();
    await inside.config('SET', 'requirepass', 'secret');
    await expect(serve({ cluster: { redis: `redis://:wrong@127.0.0.1:${port}` } })).rejects.toThrow(
      `cannot reach Redis at redis://127.0.0.1:${port}: WRONGPASS`,
    );
  });
});

describe('between nodes', () => {
  verifies(
    'RELAY-NODES-01',
    'all arguments and attachments of an answer pass, and a missing Computer is an error',
    async () => {
      const { node } = await shared();
      const [here, there] = [await node(), await node()];
      const agent = await joinOn(here, 'agent', 'a', 'o');
      const computer = await joinOn(there, 'computer', 'pc', 'o');
      const answer = [{ content: [{ bytes: Buffer.from([0, 255]) }], isError: false }, 'second'];
      computer.on('client:tool_call', ({ params }, ack) => {
        expect(params).toEqual({ bytes: Buffer.from([1]), text: '你好' });
        ack(...answer);
      });
      const params = { bytes: Buffer.from([1]), text: '你好' };
      expect(await ask(agent, 'client:tool_call', { ...CALL, params })).toEqual(answer);
      computer.on('client:get_tools', (_request, ack) => ack());
      expect((await ask(agent, 'client:get_tools', CALL))[0]).toMatchObject({ code: 500 });
      computer.disconnect();
      await eventually(async () => {
        expect((await ask(agent, 'client:tool_call', CALL))[0]).toMatchObject({ code: 404 });
      });
    },
  );

  verifies(
    'COST-MEMBER-16',
    'requests to a Computer on another node are refused while too much is queued',
    async () => {
      const { node } = await shared();
      const [here, there] = [await node(), await node(undefined, { queuedBytes: 16 * 2 ** 20 })];
      const agent = await joinOn(here, 'agent', 'a', 'o');
      const computer = await joinOn(there, 'computer', 'pc', 'o');
      echo(computer);
      const resume = pauseReading(computer);
      const params = { text: 'x'.repeat(2 ** 20) };
      const answers = Array.from({ length: 30 }, () => ask(agent, 'client:tool_call', { ...newCall(), params }));
      let refused = 0;
      for (const answer of answers)
        void answer.then(([result]) => {
          if ((result as { code?: number }).code === 429) refused++;
        });
      await until(() => refused > 5);
      resume();
      const codes = (await Promise.all(answers)).map(([result]) => (result as { code?: number }).code);
      expect(new Set(codes)).toEqual(new Set([undefined, 429]));
      expect(computer.connected).toBe(true);
    },
  );

  verifies('SRV-OPS-03', 'a draining node waits for calls of other nodes to its Computers', async () => {
    const { node, url } = await shared();
    const agent = await joinOn(await node(), 'agent', 'a', 'o');
    const leaving = await startNode({ limits: CLUSTER_LIMITS, cluster: { redis: url, leaseMs: LEASE_MS } });
    const computer = await joinOn(leaving, 'computer', 'pc', 'o');
    const held = new Promise<(answer: unknown) => void>((resolve) =>
      computer.once('client:tool_call', (_request, ack) => resolve(ack)),
    );
    const call = ask(agent, 'client:tool_call', { ...CALL, timeout: 60 });
    const answer = await held;
    const ended = once(leaving.child, 'exit');
    leaving.child.kill('SIGTERM');
    await eventually(async () => expect((await fetch(`${leaving.url}/readyz`)).status).toBe(503));
    await settle(300);
    answer({ content: [], isError: false });
    expect(await call).toEqual([{ content: [], isError: false }]);
    expect(await ended).toEqual([0, null]);
  });

  verifies(
    'SRV-CALL-06',
    'calls of an Agent that reconnected to another node stay pending until it leaves, and are answered when repeated',
    async () => {
      const { node } = await shared();
      const [here, there] = [await node(), await node()];
      for (const [office, lose] of Object.entries({ lost: true, replaced: false })) {
        const computer = await joinOn(there, 'computer', 'pc', office);
        const received = recordEvents(computer);
        const agent = await joinOn(here, 'agent', 'a', office, 'i-1');
        agent.emit('client:tool_call', { ...CALL, timeout: 60 }, () => {});
        const calls = () => received.filter(([event]) => event === 'client:tool_call');
        await until(() => calls().length === 1);
        if (lose) agent.io.engine.close();
        const successor = await joinOn(there, 'agent', 'a', office, 'i-1');
        await settle(2_500); // longer than the grace
        expect(received.map(([event]) => event)).not.toContain('notify:tool_call_cancel');
        expect(await inFlight(here)).toBe('1');
        echo(computer);
        await expectAnswer(successor);
        expect(calls()).toHaveLength(2);
        const cancelled = next(computer, 'notify:tool_call_cancel');
        await ask(successor, 'server:leave_office', { office_id: office });
        expect(await cancelled).toEqual({ agent: 'a', req_id: 'r1' });
        expect(await inFlight(here)).toBe('0');
      }
    },
  );

  verifies(
    ['SRV-SCALE-01', 'SMCP-ISO-04'],
    'two clusters with different prefixes on one Redis are separate',
    async () => {
      const { url } = await shared();
      const [one, two] = await Promise.all(
        ['one:', 'two:'].map((prefix) => serve({ cluster: { redis: url, prefix, leaseMs: LEASE_MS } })),
      );
      const received = recordEvents(await (one as TestServer).member('agent', 'a', 'o'));
      const computer = await (two as TestServer).member('computer', 'pc', 'o');
      await ask(computer, 'server:update_config', { computer: 'pc' });
      await settle(300);
      expect(received).toEqual([]);
    },
  );
});
