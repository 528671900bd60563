import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';

/** Fills the disk while it holds the lock. */
const SCRIPT = `
  import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
  import { whileLocked } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
  const fill = () => {
    const file = openSync('full', 'w');
    try {
      for (;;) writeSync(file, Buffer.alloc(4_096));
    } catch (error) {
      return error.code;
    } finally {
      closeSync(file);
    }
  };
  console.log(await whileLocked('file', async () => fill()));
  rmSync('full');
  console.log(await whileLocked('file', async () => 'locked again'));
`;

verifies('SEC-LOCK-30', 'a lock is released although the disk is full', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const disk = ['--dev-bind', '/', '/', '--size', String(2 ** 20), '--tmpfs', folder, '--chdir', folder];
  const node = [process.execPath, '--input-type=module', '--eval', SCRIPT];
  const { stdout } = await promisify(execFile)('bwrap', [...disk, ...node], {
    env: { ...process.env, A2C_HOME: folder },
  });
  expect(stdout).toBe('ENOSPC\nlocked again\n');
});
