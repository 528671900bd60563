import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { type Cell, inParallel, runCell, type Triple } from './sdk/cells.js';
import { DEFECTS, defectOf } from './sdk/defects.js';
import { guardedServer } from './sdk/guarded-server.js';
import { OWN } from './sdk/own-roles.js';
import { installSdks, SDK_VERSIONS, SdkProcess } from './sdk/peers.js';
import { sdkMaker } from './sdk/sdk-roles.js';

beforeAll(installSdks, 900_000);

const PAGE = fileURLToPath(new URL('../../../docs/interoperability.md', import.meta.url));
/** The page has parts of other tests too. */
const TABLE = /\| Agent \|.*(?=\n<!-- SDKs: end -->)/s;
/** They wait most of the time: for peers that do not answer. */
const CELLS_AT_ONCE = 8;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** All combinations: at our server every Agent with every Computer, at theirs with ours, and theirs alone. */
async function triples(): Promise<Triple[]> {
  const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet });
  onTestFinished(() => listening.close());
  const own = { version: 'a2c', url: listening.url };
  const processes = SDK_VERSIONS.map((version) => new SdkProcess(version));
  const makers = [OWN, ...processes.map(sdkMaker)];
  const atOurs = makers.flatMap((agent) => makers.map((computer) => ({ agent, server: own, computer })));
  const atTheirs = await Promise.all(
    processes.map(async (sdk) => {
      const server = { version: sdk.version, url: `http://127.0.0.1:${await sdk.ask<number>('server')}` };
      const pair = [OWN, sdkMaker(sdk)];
      return pair.flatMap((agent) => pair.map((computer) => ({ agent, server, computer })));
    }),
  );
  return [...atTheirs.flat(), ...atOurs];
}

/** The rows of the page: each combination, and the operations that fail in it. */
function table(cells: readonly Cell[]): string {
  const keyOf = ({ agent, server, computer }: Cell) => `${server} ${agent} ${computer}`;
  const rows = cells
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
    .map((cell) => {
      const names = [...cell.outcomes.keys()];
      const failed = names.filter((name) => cell.outcomes.get(name) !== true);
      const exceptions = failed.map((name) => `${name} (${defectOf(cell, name)?.id ?? 'unknown'})`);
      const works = `${names.length - failed.length} of ${names.length}`;
      return `| ${cell.agent} | ${cell.server} | ${cell.computer} | ${works} | ${exceptions.join(', ')} |`;
    });
  return [
    ...['| Agent | Server | Computer | works | exceptions |', '|---|---|---|---|---|', ...rows, ''],
    ...['### Defects of the published SDKs', '', ...DEFECTS.map(({ id, why }) => `- **${id}**: ${why}`), ''],
  ].join('\n');
}

verifies(
  'GEN-INTEROP-01',
  'every combination of our programs and the published SDKs works, except for known defects',
  async () => {
    const guardedUrl = await guardedServer();
    const tasks = (await triples()).map((triple) => () => runCell(triple, guardedUrl));
    const cells = await inParallel(tasks, CELLS_AT_ONCE);
    const unexpected = cells.flatMap((cell) =>
      [...cell.outcomes]
        .filter(([name, outcome]) => (outcome === true) === (defectOf(cell, name) !== undefined))
        .map(([name, outcome]) => `${cell.agent} → ${cell.server} → ${cell.computer}: ${name}: ${outcome}`),
    );
    expect(unexpected).toEqual([]);
    const page = readFileSync(PAGE, 'utf8');
    const written = page.replace(TABLE, () => table(cells));
    writeFileSync(PAGE, written);
    expect(written, 'docs/interoperability.md was out of date; it is written anew').toBe(page);
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
    const sdk = new SdkProcess('0.4.2');
    const theirs = `http://127.0.0.1:${await sdk.ask<number>('server')}`;
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
