import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { ROOT } from './source-tree.js';

const BINARY = join(inject('commands'), 'a2c.js');

/** What to do in the end. */
export type End = () => void | Promise<void>;
type AtEnd = (end: End) => void;

/**
 * A folder like the one a reader of the docs works in: installed dependencies, a home, and the built binary as
 * `npx a2c`.
 */
export function createWorkspace(atEnd: AtEnd = onTestFinished) {
  const top = mkdtempSync(join(tmpdir(), 'a2c-docs-'));
  atEnd(() => rmSync(top, { recursive: true, force: true }));
  const [folder, home, bin] = ['work', 'home', 'bin'].map((name) => join(top, name)) as [string, string, string];
  for (const path of [folder, home, bin]) mkdirSync(path);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/sh\n[ "$1" = a2c ] && shift && exec '${process.execPath}' '${BINARY}' "$@"\n`,
  );
  chmodSync(join(bin, 'npx'), 0o755);
  const { A2C_URL: _url, A2C_OFFICE: _office, A2C_API_KEY: _key, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${bin}${delimiter}${process.env.PATH}`, A2C_HOME: home, NO_COLOR: '1' };
  return { folder, env };
}

/** Starts `a2c up`, which the pages ask the reader to leave running in another terminal. */
export async function startUp({ folder, env }: ReturnType<typeof createWorkspace>, atEnd: AtEnd = onTestFinished) {
  const child = spawn(process.execPath, [BINARY, 'up', '--port', '0', '--name', 'pc'], { cwd: folder, env });
  atEnd(async () => {
    if (child.exitCode === null && child.kill('SIGINT')) await once(child, 'exit');
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const [line] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(100_000) })) as [Buffer];
  return { url: String(line).trim().replace('ready ', ''), stderr: () => stderr };
}
