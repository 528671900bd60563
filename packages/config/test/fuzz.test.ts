import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

/** `npm run fuzz` reads more files, of a new seed. */
const FILES = 1_500;
const SEED = 1;

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
