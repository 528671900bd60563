import { type IncomingMessage, request } from 'node:http';
import { Agent } from '@a2c/agent';
import { PROTOCOL_VERSION } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { expect, onTestFinished } from 'vitest';
import { inParallel, runCell, type Triple } from './sdk/cells.js';
import { DEFECTS } from './sdk/defects.js';
import { guardedServer } from './sdk/guarded-server.js';
import { OWN } from './sdk/own-roles.js';
import { PeerError, SDK_VERSIONS, sdkProcesses } from './sdk/peers.js';
import { sdkMaker } from './sdk/sdk-roles.js';
import { tableOf, unexpectedIn, writeTable } from './sdk/table.js';

const sdkOf = sdkProcesses();

/** They wait most of the time: for peers that do not answer. */
const CELLS_AT_ONCE = 12;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * All combinations: at our server every Agent with every Computer, at theirs with ours, and theirs alone; the clients
 * and servers of the SDK for threads with ours.
 */
async function triples(): Promise<Triple[]> {
  const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet });
  onTestFinished(() => listening.close());
  const own = { version: 'a2c', url: listening.url };
  const processes = SDK_VERSIONS.map(sdkOf);
  const makers = [OWN, ...processes.map((sdk) => sdkMaker(sdk))];
  const atOurs = makers.flatMap((agent) => makers.map((computer) => ({ agent, server: own, computer })));
  const atTheirs = await Promise.all(
    processes.map(async (sdk) => {
      const server = { version: sdk.version, url: `http://127.0.0.1:${await sdk.ask<number>('server')}` };
      const pair = [OWN, sdkMaker(sdk)];
      const cells = pair.flatMap((agent) => pair.map((computer) => ({ agent, server, computer })));
      const port = await sdk.ask<number>('sync server');
      const syncServer = { version: `${sdk.version} sync`, url: `http://127.0.0.1:${port}` };
      const syncAgent = sdkMaker(sdk, { sync: true });
      const sync = [
        { agent: syncAgent, server: own, computer: OWN },
        { agent: syncAgent, server: syncServer, computer: OWN },
        { agent: OWN, server: syncServer, computer: OWN },
      ];
      return [...cells, ...sync];
    }),
  );
  return [...atTheirs.flat(), ...atOurs];
}

verifies(
  'GEN-INTEROP-01',
  'every combination of our programs and the published SDKs works, except for known defects',
  async () => {
    const guardedUrl = await guardedServer();
    const tasks = (await triples()).map((triple) => () => runCell(triple, guardedUrl, DEFECTS));
    const cells = await inParallel(tasks, CELLS_AT_ONCE);
    expect(unexpectedIn(cells, DEFECTS)).toEqual([]);
    const isWritten = writeTable('SDKs', tableOf(cells, DEFECTS));
    expect(isWritten, 'docs/interoperability.md was out of date; it is written anew').toBe(false);
  },
  { timeout: 600_000 },
);

/** The answer to a handshake: status, the fields of the protocol, and the body of a refusal. */
async function handshake(url: string, version: string | undefined, transport: 'polling' | 'websocket') {
  const query = new URLSearchParams({ EIO: '4', transport, ...(version !== undefined && { a2c_version: version }) });
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const headers = transport === 'websocket' ? { ...upgrade, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' } : {};
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${url}/socket.io/?${query}`, { headers }, resolve).on('error', reject).end();
    sent.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer);
    });
  });
  const { statusCode, headers: received } = response;
  if (statusCode !== 400) {
    response.destroy();
    return { statusCode };
  }
  let body = '';
  for await (const part of response) body += part;
  const code = received['x-a2c-error-code'];
  return { statusCode, code, type: received['content-type'], body: JSON.parse(body) as unknown };
}

verifies(
  'GEN-INTEROP-02',
  'a strict Server refuses a version with the answer of the published server of 0.4',
  async () => {
    const theirs = `http://127.0.0.1:${await sdkOf('0.4.2').ask<number>('server')}`;
    const ours = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet, versionPolicy: 'strict' });
    onTestFinished(() => ours.close());
    for (const version of [undefined, '', '0.4', 'v0.4.0', '0.4.0-dev', '0.3.1', '0.5.0', '1.0.0', '0.4.0', '0.4.9']) {
      for (const transport of ['polling', 'websocket'] as const) {
        const answer = await handshake(ours.url, version, transport);
        expect(answer, `${version} ${transport}`).toEqual(await handshake(theirs, version, transport));
      }
    }
  },
  { timeout: 120_000 },
);

verifies(
  'GEN-INTEROP-07',
  'a published Agent that announces an unknown version reads the one of our Server; ours reads theirs',
  async () => {
    const ours = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet });
    onTestFinished(() => ours.close());
    for (const version of SDK_VERSIONS.filter((each) => each !== '0.1.6')) {
      const refused = sdkOf(version).ask('connect with version', { url: ours.url, version: '0.9.0' });
      const error = await refused.catch((reason: unknown) => reason);
      expect(error, version).toBeInstanceOf(PeerError);
      expect(error).toMatchObject({
        message: expect.stringMatching(/^ProtocolVersionError/),
        serverVersion: PROTOCOL_VERSION,
      });
      await sdkOf(version).ask('connect with version', { url: ours.url, version: '0.2.99' });
      const theirs = `http://127.0.0.1:${await sdkOf(version).ask<number>('server')}`;
      const pinned = Agent.connect({ url: theirs, office: 'o', name: 'a', dialect: '0.1' });
      await expect(pinned, version).rejects.toMatchObject({ a2cCode: 4008 });
    }
  },
  { timeout: 120_000 },
);
