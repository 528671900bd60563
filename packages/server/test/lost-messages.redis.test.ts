import { verifies } from '@a2c/requirements';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished } from 'vitest';
import { CLUSTER_LIMITS, echo, joinOn, slowLink } from './cluster.js';
import { ask, eventually, newCall, next, recordEvents, serve, type TestServer, until } from './harness.js';
import { freePort, startRedis } from './processes.js';

const AWAY = [expect.objectContaining({ code: 503, details: expect.objectContaining({ reason: 'redis' }) })];
const ANSWER = [expect.objectContaining({ isError: false })];

/** Starts a Redis. Returns a function that starts nodes, which send no heartbeats unless a lease is given. */
async function shared() {
  const port = await freePort();
  await startRedis(port);
  const url = `redis://127.0.0.1:${port}`;
  const inside = new Redis(url);
  onTestFinished(() => inside.disconnect());
  const node = (redis = url, leaseMs = 600_000): Promise<TestServer> =>
    serve({ cluster: { redis, leaseMs }, limits: CLUSTER_LIMITS });
  /** Interrupts the subscriptions of all nodes. They subscribe again only if it is allowed. */
  const interrupt = async (allow: boolean) => {
    const sign = allow ? '+' : '-';
    await inside.call('ACL', 'SETUSER', 'default', `${sign}subscribe`, `${sign}psubscribe`);
    // Also those that were refused: they would not subscribe again.
    const subscribers = String(await inside.client('LIST')).matchAll(/^id=(\d+) .* cmd=p?subscribe /gm);
    for (const [, id = ''] of subscribers) await inside.client('KILL', 'ID', id);
  };
  const published = async () => Number(/cmdstat_publish:calls=(\d+)/.exec(await inside.info('commandstats'))?.[1] ?? 0);
  return { port, node, inside, interrupt, published };
}

describe('a message between nodes that is lost', () => {
  verifies('SRV-SCALE-07', 'because the node of the Computer is not subscribed: the call fails at once', async () => {
    const { node, interrupt } = await shared();
    const [here, there] = [await node(), await node()];
    const agent = await joinOn(here, 'agent', 'a', 'o');
    echo(await joinOn(there, 'computer', 'pc', 'o'));
    await eventually(async () => expect(await ask(agent, 'client:tool_call', newCall())).toEqual(ANSWER));
    await interrupt(false);
    expect(await ask(agent, 'client:tool_call', newCall())).toEqual(AWAY);
    await interrupt(true);
    await eventually(async () => expect(await ask(agent, 'client:tool_call', newCall())).toEqual(ANSWER));
  });

  verifies('SRV-SCALE-07', 'because the node of the Agent was not subscribed: the call fails when it is', async () => {
    const { node, interrupt, published } = await shared();
    const [here, there] = [await node(), await node()];
    const agent = await joinOn(here, 'agent', 'a', 'o');
    const computer = await joinOn(there, 'computer', 'pc', 'o');
    const received = new Promise<(answer: object) => void>((resolve) => {
      computer.on('client:tool_call', (_call, ack) => resolve(ack));
    });
    const answer = ask(agent, 'client:tool_call', newCall());
    const ack = await received;
    await interrupt(false);
    const before = await published();
    ack({ content: [], isError: false });
    await eventually(async () => expect(await published()).toBeGreaterThan(before));
    await interrupt(true);
    expect(await answer).toEqual(AWAY);
  });

  verifies('SRV-SCALE-07', 'before it: a call that is still pending is not affected', async () => {
    const { node, interrupt } = await shared();
    const [here, there] = [await node(), await node()];
    const agent = await joinOn(here, 'agent', 'a', 'o');
    const computer = await joinOn(there, 'computer', 'pc', 'o');
    const received = new Promise<(answer: object) => void>((resolve) => {
      computer.on('client:tool_call', (_call, ack) => resolve(ack));
    });
    const answer = ask(agent, 'client:tool_call', newCall());
    const ack = await received;
    await interrupt(true);
    // Announced after both nodes have subscribed and have checked their calls.
    const entered = next(agent, 'notify:enter_office');
    await joinOn(there, 'computer', 'pc2', 'o');
    await entered;
    ack({ content: [], isError: false });
    expect(await answer).toEqual(ANSWER);
  });
});

verifies('SRV-SCALE-07', 'a late notification of a leave does not hide a Computer that has joined again', async () => {
  const { port, node, inside } = await shared();
  const link = await slowLink(port, 0);
  const [here, there] = [await node(), await node(link.url)];
  // It notices an expired node within two seconds. The notifications that follow take another second.
  await node((await slowLink(port, 400)).url, 6_000);
  const agent = await joinOn(here, 'agent', 'a', 'o');
  const received = recordEvents(agent);
  echo(await joinOn(there, 'computer', 'pc', 'o'));
  await until(() => received.length === 1);
  const seat = async () => inside.hget('a2c:office:o', 'computer:pc');
  const { node: id } = JSON.parse((await seat()) ?? '') as { node: string };
  await inside.del(`a2c:lease:${id}`);
  await eventually(async () => expect(await seat()).toBeNull());
  link.cut();
  await until(() => received.some(([event]) => event === 'notify:leave_office'));
  await until(() => received.at(-1)?.[0] === 'notify:enter_office');
  expect(await ask(agent, 'client:tool_call', newCall())).toEqual(ANSWER);
});

verifies('SEC-ONCE-15', 'a node that has missed that its Computer was replaced closes its connection', async () => {
  const { node, interrupt } = await shared();
  const [here, there] = [await node(), await node()];
  const former = await joinOn(here, 'computer', 'pc', 'o', 'instance');
  const agent = await joinOn(here, 'agent', 'a', 'o');
  const ended = next(former, 'disconnect');
  await interrupt(false);
  echo(await joinOn(there, 'computer', 'pc', 'o', 'instance'));
  await interrupt(true);
  await ended;
  await eventually(async () => expect(await ask(agent, 'client:tool_call', newCall())).toEqual(ANSWER));
});

verifies('COST-NODES-01', 'progress of a call that no other node has sent is not published', async () => {
  const { node, published } = await shared();
  const [here] = [await node(), await node()];
  const computer = await joinOn(here, 'computer', 'pc', 'o');
  const before = await published();
  for (let i = 0; i < 200; i += 1) {
    const progress = { computer: 'pc', agent: 'a', req_id: `r${i}`, progress: 1, junk: 'x'.repeat(1_000) };
    await ask(computer, 'server:tool_call_progress', progress);
  }
  expect((await published()) - before).toBeLessThan(100);
});
