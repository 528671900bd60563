import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { Host, stage } from './host.js';

async function startRedis(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
  onTestFinished(async () => {
    redis.kill();
    if (redis.exitCode === null) await once(redis, 'exit');
  });
  for await (const line of createInterface({ input: redis.stdout })) {
    if (line.includes('Ready to accept connections')) return `redis://127.0.0.1:${port}`;
  }
  throw new Error('redis-server ended');
}

async function start(args: readonly string[], files: Readonly<Record<string, unknown>> = {}): Promise<Host> {
  const host = await Host.start(args, files);
  onTestFinished(() => host.close());
  return host;
}

verifies('CON-HOST-02', 'the console of each node shows its connections and the calls of its Agents', async () => {
  const redis = await startRedis();
  const node = () => start(['server', '--port', '0', '--redis', redis, '--console', '--drain-seconds', '0']);
  const [near, far] = await Promise.all([node(), node()]);
  const seat = ['--url', far.url, '--office', 'o', '--name', 'pc'];
  await start(['computer', 'run', '--headless', ...seat, '--config', 'servers.json'], {
    'servers.json': [stage('stage', { default_tool_meta: { auto_apply: true } })],
  });
  const agent = await Agent.connect({ url: near.url, office: 'o', name: 'caller' });
  onTestFinished(() => agent.close());
  await agent.ready();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const followed = await Promise.all([near, far].map((each) => each.follow(controller.signal)));
  await expect.poll(() => agent.tools().map(({ tool }) => tool.name)).toContain('rows');
  expect(await agent.callTool('pc', 'rows', {})).toMatchObject({ isError: false });
  await followed[0]?.until(
    (name, value) => name === 'relayed' && value.set.some(({ verdict }: { verdict?: string }) => verdict === 'ok'),
  );
  const names = async (host: Host) => (await host.ask('offices')).members.map(({ name }: { name: string }) => name);
  expect([await names(near), await names(far)]).toEqual([['caller'], ['pc']]);
  const calls = followed.map(({ events }) =>
    events.filter(([name]) => name === 'relayed').flatMap(([, value]) => (value as { set: object[] }).set),
  );
  expect(calls[0]?.at(-1)).toMatchObject({ agent: 'caller', computer: 'pc', tool: 'rows', verdict: 'ok' });
  expect(calls[1]).toEqual([]);
});
