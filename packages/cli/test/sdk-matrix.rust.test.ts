import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { inParallel, runCell } from './sdk/cells.js';
import { RUST_DEFECTS } from './sdk/defects.js';
import { guardedServer } from './sdk/guarded-server.js';
import { OWN } from './sdk/own-roles.js';
import { buildRustPeer, RUST, rustServer } from './sdk/rust-roles.js';
import { tableOf, unexpectedIn, writeTable } from './sdk/table.js';

beforeAll(buildRustPeer, 3_600_000);

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

verifies(
  'GEN-INTEROP-06',
  'Agent, Server and Computer of the Rust SDK work with each other and with ours',
  async () => {
    const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet });
    onTestFinished(() => listening.close());
    const servers = [
      { version: OWN.version, url: listening.url },
      { version: RUST.version, url: await rustServer() },
    ];
    const guarded = await guardedServer();
    const makers = [OWN, RUST];
    const triples = servers.flatMap((server) =>
      makers.flatMap((agent) => makers.map((computer) => ({ agent, server, computer }))),
    );
    const cells = await inParallel(
      triples.map((triple) => () => runCell(triple, guarded, RUST_DEFECTS)),
      2,
    );
    const isWritten = writeTable('Rust', tableOf(cells, RUST_DEFECTS));
    expect(unexpectedIn(cells, RUST_DEFECTS)).toEqual([]);
    expect(isWritten, 'docs/interoperability.md was out of date; it is written anew').toBe(false);
  },
  { timeout: 900_000 },
);
