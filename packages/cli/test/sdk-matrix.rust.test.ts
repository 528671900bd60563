import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { type Cell, inParallel, runCell } from './sdk/cells.js';
import { guardedServer } from './sdk/guarded-server.js';
import { OWN } from './sdk/own-roles.js';
import { buildRustPeer, RUST, WITHOUT_RUST } from './sdk/rust-roles.js';

beforeAll(buildRustPeer, 3_600_000);

const PAGE = fileURLToPath(new URL('../../../docs/interoperability.md', import.meta.url));
const TABLE = /(?<=<!-- Rust: start -->\n\n).*(?=\n<!-- Rust: end -->)/s;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const failedIn = ({ outcomes }: Cell) => [...outcomes].filter(([, outcome]) => outcome !== true);

verifies(
  'GEN-INTEROP-06',
  'Agents and Computers of the Rust SDK work at our Server, with each other and with ours',
  async () => {
    const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet });
    onTestFinished(() => listening.close());
    const server = { version: 'a2c', url: listening.url };
    const guarded = await guardedServer();
    const triples = [OWN, RUST].flatMap((agent) => [OWN, RUST].map((computer) => ({ agent, server, computer })));
    const tasks = triples.map((triple) => () => runCell(triple, guarded, (name) => WITHOUT_RUST.has(name)));
    const cells = await inParallel(tasks, 2);
    const rows = cells.map((cell) => {
      const failed = failedIn(cell).map(([name]) => name);
      const works = `${cell.outcomes.size - failed.length} of ${cell.outcomes.size}`;
      return `| ${cell.agent} | ${cell.server} | ${cell.computer} | ${works} | ${failed.join(', ')} |`;
    });
    const table = ['| Agent | Server | Computer | works | exceptions |', '|---|---|---|---|---|', ...rows, ''].join(
      '\n',
    );
    const page = readFileSync(PAGE, 'utf8');
    writeFileSync(
      PAGE,
      page.replace(TABLE, () => table),
    );
    const ours = cells.flatMap((cell) =>
      failedIn(cell).map(([name, outcome]) => `${cell.agent} → ${cell.server} → ${cell.computer}: ${name}: ${outcome}`),
    );
    expect(ours).toEqual([]);
  },
  { timeout: 900_000 },
);
