import { verifies } from '@a2c/requirements';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished } from 'vitest';
import { CLUSTER_LIMITS, echo, joinOn, slowLink } from './cluster.js';
import { ask, eventually, newCall, type RawSocket, serve, type TestServer } from './harness.js';
import { freePort, startRedis } from './processes.js';

const ANSWER = [expect.objectContaining({ isError: false })];
const MAY_HAVE_RUN = [
  expect.objectContaining({
    code: 503,
    details: expect.objectContaining({ reason: 'redis', a2c_execution: 'unknown' }),
  }),
];

/** Starts a Redis and two nodes. The first one is connected through a link. */
async function linked() {
  const port = await freePort();
  await startRedis(port);
  const url = `redis://127.0.0.1:${port}`;
  const link = await slowLink(port, 0);
  const node = (redis: string): Promise<TestServer> =>
    serve({ cluster: { redis, leaseMs: 6_000 }, limits: CLUSTER_LIMITS });
  const inside = new Redis(url);
  onTestFinished(() => inside.disconnect());
  return { link, here: await node(link.url), there: await node(url), inside };
}

/** A Computer of another maker, which runs a repeated call again. Returns how often it has run each call. */
function countRuns(computer: RawSocket): Map<string, number> {
  const runs = new Map<string, number>();
  computer.on('client:tool_call', ({ req_id, params }, ack) => {
    runs.set(req_id, (runs.get(req_id) ?? 0) + 1);
    setTimeout(() => ack({ content: [], isError: false }), params.ms ?? 0);
  });
  return runs;
}

const call = (agent: RawSocket, request = newCall()) => ask(agent, 'client:tool_call', request);

/** Calls until an answer arrives. Returns how long that took. */
async function msUntilAnswer(agent: RawSocket): Promise<number> {
  const started = performance.now();
  await eventually(async () => expect(await call(agent, { ...newCall(), timeout: 1 })).toEqual(ANSWER));
  return performance.now() - started;
}

describe('a connection to Redis that is dead without being closed', () => {
  verifies('REDIS-DEAD-01', 'is replaced: calls from its node work again', async () => {
    const { link, here, there } = await linked();
    const agent = await joinOn(here, 'agent', 'a', 'o');
    const runs = countRuns(await joinOn(there, 'computer', 'pc', 'o'));
    await eventually(async () => expect(await call(agent)).toEqual(ANSWER));
    link.lose('all');
    expect(await msUntilAnswer(agent)).toBeLessThan(15_000);
    expect(new Set(runs.values())).toEqual(new Set([1]));
  });

  verifies('REDIS-DEAD-01', 'is replaced also if only the one to publish is dead', async () => {
    const { link, here, there } = await linked();
    const agent = await joinOn(here, 'agent', 'a', 'o');
    const runs = countRuns(await joinOn(there, 'computer', 'pc', 'o'));
    await eventually(async () => expect(await call(agent)).toEqual(ANSWER));
    link.lose('all', { subscribed: false });
    expect(await call(agent)).toMatchObject([{ code: 503, details: { reason: 'redis' } }]);
    expect(await msUntilAnswer(agent)).toBeLessThan(10_000);
    expect(new Set(runs.values())).toEqual(new Set([1]));
  });

  verifies('REDIS-DEAD-02', 'fails a call that was not confirmed, and does not send it again', async () => {
    const { link, here, there } = await linked();
    const agent = await joinOn(here, 'agent', 'a', 'o');
    const runs = countRuns(await joinOn(there, 'computer', 'pc', 'o'));
    await eventually(async () => expect(await call(agent)).toEqual(ANSWER));
    link.lose('of Redis', { subscribed: false });
    const request = { ...newCall(), params: { x: 1, ms: 4_000 } };
    expect(await call(agent, request)).toEqual(MAY_HAVE_RUN);
    await eventually(async () => expect(await call(agent)).toEqual(ANSWER));
    expect(runs.get(request.req_id)).toBe(1);
    // The Server remembers how the call ended.
    expect(await call(agent, request)).toEqual(MAY_HAVE_RUN);
    expect(runs.get(request.req_id)).toBe(1);
  });

  verifies('REDIS-DEAD-02', 'does not lose the answer of a Computer', async () => {
    const { link, here, there } = await linked();
    const agent = await joinOn(there, 'agent', 'a', 'o');
    const computer = await joinOn(here, 'computer', 'pc', 'o');
    const runs = countRuns(computer);
    await eventually(async () => expect(await call(agent)).toEqual(ANSWER));
    link.lose('all', { subscribed: false });
    const request = newCall();
    expect(await call(agent, request)).toEqual(ANSWER);
    expect(runs.get(request.req_id)).toBe(1);
  });

  verifies('REDIS-DEAD-01', 'is replaced also if Redis keeps its subscriptions', async () => {
    const { link, here, there, inside } = await linked();
    const agent = await joinOn(there, 'agent', 'a', 'o');
    echo(await joinOn(here, 'computer', 'pc', 'o'));
    await eventually(async () => expect(await call(agent)).toEqual(ANSWER));
    link.lose('all', { subscribed: true });
    expect((await inside.pubsub('CHANNELS', 'a2c:node:*')).length).toBe(2);
    expect(await msUntilAnswer(agent)).toBeLessThan(15_000);
  });
});
