import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { BINARY, pages, printed, type Step, stepsOf } from './shell-blocks.js';
import { ROOT } from './source-tree.js';

const run = promisify(execFile);

/** Generous, because other builds may share the machine; all pages together take a fraction. */
const TIMEOUT = 120_000;

/** A reader's desk: an empty folder with what `npm ci` has installed, a home, and `npx a2c` as the built binary. */
function desk() {
  const top = mkdtempSync(join(tmpdir(), 'a2c-docs-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
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

/** `a2c up`, which the pages ask their reader to leave running in another terminal. */
async function startUp({ folder, env }: ReturnType<typeof desk>): Promise<string> {
  const child = spawn(process.execPath, [BINARY, 'up', '--port', '0', '--name', 'pc'], { cwd: folder, env });
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGINT')) await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(30_000) })) as [Buffer];
  return String(line).trim().replace('ready ', '');
}

for (const page of pages()) {
  const steps = stepsOf(page);
  if (!steps.some(({ kind }) => kind === 'run')) continue;
  verifies(
    'HOUSE-DOCS-03',
    `${page.path}: every shell block runs and prints what is written beneath it`,
    async () => {
      const place = desk();
      const env = page.text.includes('a2c up') ? { ...place.env, A2C_URL: await startUp(place) } : place.env;
      for (const step of steps) await take(step, { ...place, env });
    },
    { timeout: TIMEOUT },
  );
}

async function take(step: Step, { folder, env }: ReturnType<typeof desk>): Promise<void> {
  if (step.kind === 'save') {
    writeFileSync(join(folder, step.file), step.content);
    return;
  }
  const { stdout } = await run('sh', ['-ec', step.script], { cwd: folder, env });
  if (step.prints !== undefined) expect(stdout.trimEnd()).toMatch(printed(step.prints));
}

verifies('HOUSE-DOCS-03', 'a wrong block is noticed', async () => {
  const page = (text: string) => ({ path: 'docs/x.md', text });
  expect(() => stepsOf(page('```sh\necho no prompt\n```\n'))).toThrow('every line begins with "$ "');
  const [wrong] = stepsOf(page('```sh\n$ echo one\n$ echo two\n```\n\n```text\n…\nthree\n```\n')) as [Step];
  await expect(take(wrong, desk())).rejects.toThrow('three');
  const [failing] = stepsOf(page('```sh\n$ npx a2c nonsense\n$ true\n```\n')) as [Step];
  await expect(take(failing, desk())).rejects.toThrow('nonsense');
});
