import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, inject } from 'vitest';
import { Vault } from '../src/index.js';

const WORKER = join(inject('commands'), 'lock-worker.js');

verifies('LOGIN-VAULT-02', 'one process at a time holds the lock, also when holders are killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-lock-'));
  await writeFile(join(folder, 'number'), '0');
  // Each process is killed while it holds the lock.
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const worker = spawn(process.execPath, [WORKER, folder, '10'], { stdio: 'inherit' });
      expect(await once(worker, 'exit')).toEqual([null, 'SIGKILL']);
    }),
  );
  expect(await readFile(join(folder, 'number'), 'utf8')).toBe('50');
  const lock = new Vault(folder, 'file').lock('counter');
  expect(await lock.run(async () => 'free')).toBe('free');
  await rm(folder, { recursive: true });
});
