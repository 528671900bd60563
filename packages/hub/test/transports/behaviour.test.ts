import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RequirementId, verifies } from '@a2c/requirements';
import { afterAll, describe } from 'vitest';
import { BaseMCPClient, customServer, SocketTransport } from '../../src/index.js';
import { type Generation, type Subject, transportBehaviours } from './behaviour.js';
import { http, script, sse, startShared, stdio } from './harness.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'a2c-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));
let sockets = 0;

/** The tests of a transport share a server; the last one kills it. */
function behaves(
  requirement: RequirementId,
  name: string,
  subject: () => Promise<Subject>,
  generations: readonly Generation[] = ['legacy', 'auto'],
): void {
  for (const generation of generations) {
    describe(`${name} (${generation})`, () => {
      let started: Promise<Subject> | undefined;
      const shared = () => {
        started ??= subject();
        return started;
      };
      afterAll(async () => (await started)?.kill?.());
      // The generations frame messages in the same way. Those over a socket differ in the connection only: `unix` and
      // the custom transport frame messages as stdio does.
      const largeMB = /socket|unix|custom/.test(name) ? 8 : 32;
      const options = { largeMB: generation === generations[0] ? largeMB : undefined };
      for (const { title, body } of transportBehaviours(shared, generation, options)) {
        verifies(requirement, title, body);
      }
    });
  }
}

behaves('HUB-STDIO-01', 'stdio', async () => ({
  transport: stdio([process.execPath, script('sdk.mjs')]),
}));

behaves('HUB-UNIX-01', 'unix', async () => {
  const { place, kill } = await startShared('sdk.mjs', 'unix', join(FOLDER, `${sockets++}`));
  return { transport: { type: 'unix', unix_path: place }, kill };
});

behaves('HUB-HTTP-01', 'streamable HTTP', async () => {
  const { place, kill } = await startShared('sdk.mjs', 'http');
  return { transport: http(place), kill };
});

behaves('HUB-UNIX-02', 'HTTP over a socket', async () => {
  const { place, kill } = await startShared('sdk.mjs', 'http-unix', join(FOLDER, `${sockets++}`));
  return { transport: http(place), kill };
});

behaves(
  'HUB-SSE-01',
  'SSE',
  async () => {
    const { place, kill } = await startShared('sse.mjs');
    return { transport: sse(place), kill };
  },
  ['legacy'],
);

behaves(
  'HUB-UNIX-02',
  'SSE over a socket',
  async () => {
    const { place, kill } = await startShared('sse.mjs', `unix=${join(FOLDER, `${sockets++}`)}`);
    return { transport: sse(place), kill };
  },
  ['legacy'],
);

/** A transport that the hub does not know, written against its public API. */
class TcpMCPClient extends BaseMCPClient {
  override async createTransport() {
    const { port } = this.server.transport as unknown as { readonly port: number };
    const endpoint = { name: `port ${port}`, connect: () => connectSocket(port, '127.0.0.1') };
    return new SocketTransport(endpoint, this.options.limits);
  }
}

behaves('HUB-EXT-01', 'a custom transport', async () => {
  const { place, kill } = await startShared('sdk.mjs', 'tcp');
  const { transport } = customServer({ name: 'test', transport: { type: 'tcp', port: Number(place) } });
  return { transport, kill, clients: { tcp: (server, options) => new TcpMCPClient(server, options) } };
});
