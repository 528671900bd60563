import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { ask, dial, eventually, newCall, open, type RawSocket, recordEvents, settle, until } from './harness.js';
import { freePort, type NodeProcess, run, startNode, startRedis } from './processes.js';

const OFFICES = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? `office-${i}` : `team ${i}/o'brien~(ü)`));

const shipped = (name: string) => readFileSync(new URL(`../../../docs/deploy/${name}`, import.meta.url), 'utf8');
const address = ({ url }: NodeProcess) => new URL(url).host;

function temporaryFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-balancer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

type Change = (text: string) => string;
const unchanged: Change = (text) => text;

/** The configurations of `docs/deploy`, with the addresses of this test. */
const BALANCERS = {
  haproxy: (nodes: readonly NodeProcess[], port: number, change: Change = unchanged) => {
    const values: Record<string, string> = { A2C_BIND: `127.0.0.1:${port}` };
    nodes.forEach((node, i) => {
      values[`A2C_NODE${i + 1}`] = address(node);
    });
    const text = change(shipped('haproxy.cfg')).replaceAll(
      /"\$\{(\w+)\}"/g,
      (_match, name: string) => values[name] as string,
    );
    run('haproxy', ['-db', '-f', temporaryFile('haproxy.cfg', text)]);
  },
  nginx: (nodes: readonly NodeProcess[], port: number, change: Change = unchanged) => {
    const filled = nodes.reduce(
      (text, node, i) => text.replace(`NODE${i + 1}`, address(node)),
      change(shipped('nginx.conf')),
    );
    const path = temporaryFile('site.conf', filled.replace('BIND', `127.0.0.1:${port}`));
    const main = `daemon off; pid ${path}.pid; error_log stderr crit; events {} http { access_log off; include ${path}; }`;
    run('nginx', ['-e', 'stderr', '-c', temporaryFile('nginx.conf', main)]);
  },
};

async function answers(url: string): Promise<boolean> {
  // Another program may have got the port: a request without an answer ends.
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return response?.status === 200;
}

describe('offices sharded by a load balancer', () => {
  for (const [name, start] of Object.entries(BALANCERS)) {
    verifies(
      'SRV-SCALE-05',
      `${name}: no office is split, and the offices of a failed node are moved together`,
      async () => {
        const nodes = await Promise.all(
          Array.from({ length: 3 }, () =>
            startNode({ sharded: true, publicMetrics: true, trustedProxies: ['127.0.0.1'] }),
          ),
        );
        const port = await freePort();
        const url = `http://127.0.0.1:${port}`;
        start(nodes, port);
        const deadline = Date.now() + 30_000;
        while (!(await answers(url))) {
          if (Date.now() > deadline) throw new Error(`${name} did not start`);
          await settle(50);
        }

        const rejoining = (role: 'agent' | 'computer', office: string): RawSocket => {
          const socket = open(url, {
            query: { office },
            reconnection: true,
            reconnectionDelay: 100,
            reconnectionDelayMax: 500,
          });
          socket.on('connect', () => {
            socket.emit('server:join_office', { role, name: role, office_id: office }, (ok: boolean) => {
              if (!ok) setTimeout(() => socket.disconnect().connect(), 200);
            });
          });
          return socket;
        };
        const agents = OFFICES.map((office) => rejoining('agent', office));
        OFFICES.map((office) => rejoining('computer', office));
        const isComplete = async (socket: RawSocket, office: string): Promise<boolean> => {
          if (!socket.connected) return false;
          // A request has no answer after a disconnect.
          const lost = new Promise<unknown[]>((resolve) => void socket.once('disconnect', () => resolve([])));
          const asked = { agent: 'agent', req_id: 'r', office_id: office };
          const answer = ask(socket, 'server:list_room', asked, 2_000).catch(() => []);
          const [room] = await Promise.race([answer, lost]);
          return (room as { sessions?: unknown[] } | undefined)?.sessions?.length === 2;
        };
        const allComplete = async () =>
          (await Promise.all(agents.map((agent, i) => isComplete(agent, OFFICES[i] as string)))).every(Boolean);
        const complete = async () => {
          const end = Date.now() + 30_000;
          while (!(await allComplete())) {
            if (Date.now() > end) throw new Error('some office is split');
            await settle(100);
          }
        };
        await complete();
        const used = await Promise.all(
          nodes.map(
            async ({ url: node }) => /^a2c_offices (\d+)/m.exec(await (await fetch(`${node}/metrics`)).text())?.[1],
          ),
        );
        expect(used.filter((count) => Number(count) > 0).length).toBeGreaterThan(1);
        const victim = nodes[used.findIndex((count) => Number(count) > 0)] as NodeProcess;
        // An event: an Agent may be connected again before the next look at its state.
        const lost = new Promise((resolve) => agents.forEach((agent) => void agent.once('disconnect', resolve)));
        victim.child.kill('SIGKILL');
        await lost;
        await complete();
      },
    );
  }

  verifies('COST-STRANGER-08', 'haproxy: unfinished requests end, and an address has a limited number', async () => {
    const node = await startNode({ sharded: true, trustedProxies: ['127.0.0.1'] });
    const port = await freePort();
    BALANCERS.haproxy([node, node, node], port, (text) =>
      text.replace('timeout http-request 10s', 'timeout http-request 3s').replace('gt 1000', 'gt 20'),
    );
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => expect(await answers(url)).toBe(true));
    const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ');
    await until(() => sockets.filter((socket) => socket.closed).length >= 18);
    expect(sockets.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(22);
    await until(() => sockets.every((socket) => socket.closed));
    expect(await answers(url)).toBe(true);
  });

  verifies('COST-STRANGER-08', 'nginx: unfinished requests end', async () => {
    const node = await startNode({ sharded: true, trustedProxies: ['127.0.0.1'] });
    const port = await freePort();
    BALANCERS.nginx([node, node, node], port, (text) =>
      text.replace('client_header_timeout 10s', 'client_header_timeout 1s'),
    );
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => expect(await answers(url)).toBe(true));
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ');
    await until(() => socket.closed);
  });

  verifies('REDIS-AWAY-01', 'haproxy: with Redis down, offices go on and new ones are opened', async () => {
    const redisPort = await freePort();
    const redis = await startRedis(redisPort);
    const cluster = { redis: `redis://127.0.0.1:${redisPort}`, leaseMs: 1_500 };
    const nodes = await Promise.all(
      Array.from({ length: 3 }, () => startNode({ sharded: true, trustedProxies: ['127.0.0.1'], cluster })),
    );
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    BALANCERS.haproxy(nodes, port);
    await eventually(async () => expect(await answers(url)).toBe(true), 30_000);
    const enter = async (role: 'agent' | 'computer', office: string) => {
      const socket = await dial(url, { query: { office } });
      expect(await ask(socket, 'server:join_office', { role, name: role, office_id: office })).toEqual([true, null]);
      return socket;
    };
    const members = async (office: string) => {
      const computer = await enter('computer', office);
      computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
      return { computer, agent: await enter('agent', office) };
    };
    const call = async ({ agent }: { agent: RawSocket }) =>
      (await ask(agent, 'client:tool_call', { ...newCall(), agent: 'agent', computer: 'computer' }))[0];
    const old = await Promise.all(OFFICES.slice(0, 5).map(members));
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    // Longer than two failed health checks of HAProxy, and than the lease.
    await settle(4_000);
    for (const office of old) expect(await call(office)).toMatchObject({ isError: false });
    for (const office of OFFICES.slice(5, 10))
      expect(await call(await members(office))).toMatchObject({ isError: false });
    for (const { agent, computer } of old) expect([agent.connected, computer.connected]).toEqual([true, true]);
  });

  verifies('SRV-SCALE-05', 'a connection without its office in the query is refused with the remedy', async () => {
    const node = await startNode({ sharded: true });
    const join = { role: 'agent', name: 'a', office_id: 'o 1' };
    for (const query of [{}, { office: 'other' }]) {
      const socket = await dial(node.url, { query });
      const received = recordEvents(socket);
      expect(await ask(socket, 'server:join_office', join)).toEqual([
        false,
        '503 wrong node: connect with ?office=o%201',
      ]);
      expect(received).toEqual([]);
    }
    expect(await ask(await dial(node.url, { query: { office: 'o 1' } }), 'server:join_office', join)).toEqual([
      true,
      null,
    ]);
  });
});
