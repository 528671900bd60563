import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RequirementId, verifies } from '@a2c/requirements';
import { afterAll, describe, expect } from 'vitest';
import { BaseMCPClient, customServer, SocketTransport } from '../../src/index.js';
import { type Generation, pendingCall, type Subject, transportBehaviours } from './behaviour.js';
import { http, type Running, script, sse, startShared, stdio } from './harness.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'a2c-'));
const BOTH: readonly Generation[] = ['legacy', 'auto'];

interface Shared {
  /** The addresses of one server, by transport. */
  readonly places: Readonly<Record<'unix' | 'tcp' | 'http' | 'http-unix' | 'sse' | 'sse-unix', string>>;
  kill(): Promise<void>;
}

/** Two processes for all transports, because a start takes longer than the tests of a transport. */
async function startServers(): Promise<Shared> {
  const socket = join(FOLDER, 'sse');
  const servers: readonly Running[] = await Promise.all([
    startShared('sdk.mjs', 'all', FOLDER),
    startShared('sse.mjs', `unix=${socket}`),
  ]);
  const [sdk = '{}', older = ''] = servers.map(({ place }) => place);
  return {
    places: { ...JSON.parse(sdk), sse: older, 'sse-unix': `http+unix://${encodeURIComponent(socket)}/sse` },
    kill: async () => void (await Promise.all(servers.map(({ kill }) => kill()))),
  };
}

let started: Promise<Shared> | undefined;
const shared = () => {
  started ??= startServers();
  return started;
};
afterAll(async () => {
  await (await started)?.kill();
  rmSync(FOLDER, { recursive: true });
});

interface OnSharedServer {
  readonly name: string;
  readonly subject: () => Promise<Subject>;
  readonly generation: Generation;
}
const onSharedServers: OnSharedServer[] = [];

function behaves(
  requirement: RequirementId,
  name: string,
  subject: () => Promise<Subject>,
  generations: readonly Generation[] = BOTH,
): void {
  for (const generation of generations) {
    describe(`${name} (${generation})`, () => {
      // The generations frame messages in the same way. Those over a socket differ in the connection only: `unix` and
      // the custom transport frame messages as stdio does.
      const largeMB = /socket|unix|custom/.test(name) ? 8 : 32;
      const options = { largeMB: generation === generations[0] ? largeMB : undefined };
      for (const { title, body } of transportBehaviours(subject, generation, options)) {
        verifies(requirement, title, body);
      }
      if (name !== 'stdio') onSharedServers.push({ name, subject, generation });
      else
        verifies(requirement, 'fails a pending call at once when the server dies', async () => {
          const fails = await pendingCall(await subject(), generation);
          await fails();
        });
    });
  }
}

behaves('HUB-STDIO-01', 'stdio', async () => ({
  transport: stdio([process.execPath, script('sdk.mjs')]),
}));

behaves('HUB-UNIX-01', 'unix', async () => {
  const { places } = await shared();
  return { transport: { type: 'unix', unix_path: places.unix } };
});

behaves('HUB-HTTP-01', 'streamable HTTP', async () => ({ transport: http((await shared()).places.http) }));

behaves('HUB-UNIX-02', 'HTTP over a socket', async () => ({ transport: http((await shared()).places['http-unix']) }));

behaves('HUB-SSE-01', 'SSE', async () => ({ transport: sse((await shared()).places.sse) }), ['legacy']);

behaves('HUB-UNIX-02', 'SSE over a socket', async () => ({ transport: sse((await shared()).places['sse-unix']) }), [
  'legacy',
]);

/** A transport that the hub does not know, written against its public API. */
class TcpMCPClient extends BaseMCPClient {
  override async createTransport() {
    const { port } = this.server.transport as unknown as { readonly port: number };
    const endpoint = { name: `port ${port}`, connect: () => connectSocket(port, '127.0.0.1') };
    return new SocketTransport(endpoint, this.options.limits);
  }
}

behaves('HUB-EXT-01', 'a custom transport', async () => {
  const { places } = await shared();
  const { transport } = customServer({ name: 'test', transport: { type: 'tcp', port: Number(places.tcp) } });
  return { transport, clients: { tcp: (server, options) => new TcpMCPClient(server, options) } };
});

// The last test, because it kills the servers.
verifies(
  ['HUB-UNIX-01', 'HUB-HTTP-01', 'HUB-UNIX-02', 'HUB-SSE-01', 'HUB-EXT-01'],
  'a pending call fails at once when the server dies, on every transport',
  async () => {
    const pending = await Promise.all(
      onSharedServers.map(async ({ name, subject, generation }) => ({
        name: `${name} (${generation})`,
        fails: await pendingCall(await subject(), generation),
      })),
    );
    expect(pending).toHaveLength(10);
    const { kill } = await shared();
    const killed = kill();
    const failures = pending.map(async ({ name, fails }) => {
      await fails(() => killed).catch((cause) => {
        throw new Error(name, { cause });
      });
    });
    await Promise.all(failures);
  },
);
