import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

/** `npm run fuzz` sets the seed and reads more files. */
const { A2C_FUZZ_SEED } = process.env;
const FILES = A2C_FUZZ_SEED === undefined ? 1_500 : 10_000;
const SEED = Number(A2C_FUZZ_SEED ?? 1);

verifies(
  'FUZZ-CONFIG-01',
  `${FILES} mutated configuration files are read in a small heap, seed ${SEED}`,
  () => {
    const script = fileURLToPath(new URL('fuzz-files.mjs', import.meta.url));
    const args = ['--max-old-space-size=64', script, String(SEED), String(FILES)];
    const found = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(found.failures).toEqual([]);
    expect(found.accepted).toBeGreaterThan(FILES / 50);
    expect(found.slowest.ms, found.slowest.text).toBeLessThan(100);
  },
  { timeout: 300_000 },
);
