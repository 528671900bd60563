import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { onlyPipes } from '../src/transports/process/inherited-descriptors.js';
import { temporaryFolder } from './hub.js';
import { descriptorsInSandbox } from './left-open.js';

/** Starts the program without a sandbox: what reaches it would reach bubblewrap and its program. */
const BWRAP = `#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
`;

if (process.platform === 'linux') {
  verifies('SEC-SANDBOX-04', 'a program in a sandbox gets the null device for every inherited descriptor', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'bwrap'), BWRAP);
    chmodSync(join(folder, 'bwrap'), 0o755);
    const given = await descriptorsInSandbox(folder, [7, 20, 63, 400], `${folder}:${process.env.PATH}`);
    expect(given).toEqual(expect.arrayContaining(['20 /dev/null', '63 /dev/null', '400 /dev/null']));
    // Descriptor 3 has the arguments of bubblewrap. The caller of the tests may have left more open.
    expect(given.filter((line) => !/ \/dev\/null$|^3 pipe:/.test(line))).toEqual([]);
  });
}

verifies('SEC-SANDBOX-04', 'a descriptor that cannot be replaced prevents the start', () => {
  expect(onlyPipes(4, [], [])).toEqual(['pipe', 'pipe', 'pipe', 'pipe']);
  expect(onlyPipes(4, [], [3])).toEqual(['pipe', 'pipe', 'pipe', 'pipe']);
  expect(() => onlyPipes(4, [], [20, 1_000_000])).toThrow('would inherit the open file descriptor 1000000');
});
