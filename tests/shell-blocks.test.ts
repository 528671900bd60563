import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { afterAll, expect, inject } from 'vitest';
import { createWorkspace, type End, startUp } from './docs-workspace.js';
import { pages, printed, type Step, stepsOf } from './shell-blocks.js';
import type { SourceFile } from './source-tree.js';

const run = promisify(execFile);

/** Long enough for a busy machine; all pages together take a fraction of it. */
const TIMEOUT = 300_000;
const USUAL_URL = 'http://127.0.0.1:7000';
/** The server of the examples, and the same bundled, which starts in a quarter of the time. */
const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const BUNDLED = join(inject('commands'), 'everything.js');

for (const page of pages()) {
  const steps = stepsOf(page);
  if (page.path === 'README.zh.md') continue; // Same commands as README.md, as checked below.
  if (!steps.some(({ kind }) => kind === 'run')) continue;
  verifies(
    'HOUSE-DOCS-03',
    `${page.path}: every shell block runs and prints the output shown below it`,
    async () => {
      const workspace = createWorkspace();
      const url = page.text.includes('a2c up') ? await urlFor(page, workspace) : undefined;
      const env = { ...workspace.env, ...(url !== undefined && { A2C_URL: url }) };
      for (const step of steps) await perform(step, { ...workspace, env }, url);
    },
    { timeout: TIMEOUT },
  );
}

const ends: End[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});
let shared: ReturnType<typeof startUp> | undefined;

/** The URL of `a2c up`. The pages share it, but one that shows the desktop would show the notes of others. */
async function urlFor({ text }: SourceFile, workspace: ReturnType<typeof createWorkspace>): Promise<string> {
  if (text.includes('a2c agent desktop')) return (await startUp(workspace)).url;
  const atEnd = (end: End) => void ends.push(end);
  shared ??= startUp(createWorkspace(atEnd), atEnd);
  return (await shared).url;
}

/** The pages use the default port; `startUp` uses a free one. */
async function perform(
  step: Step,
  { folder, env }: ReturnType<typeof createWorkspace>,
  url = USUAL_URL,
): Promise<void> {
  if (step.kind === 'save') {
    if (step.content.includes(EVERYTHING)) expect(existsSync(join(folder, EVERYTHING))).toBe(true);
    writeFileSync(join(folder, step.file), step.content.replaceAll(EVERYTHING, BUNDLED));
    return;
  }
  const { stdout } = await run('sh', ['-ec', step.script.replaceAll(USUAL_URL, url)], { cwd: folder, env });
  if (step.prints !== undefined) expect(stdout.trimEnd()).toMatch(printed(step.prints));
}

verifies('HOUSE-DOCS-03', 'both languages of the README have the same commands', () => {
  const [english, chinese] = ['README.md', 'README.zh.md'].map((path) =>
    stepsOf(pages().find((page) => page.path === path) as SourceFile),
  );
  expect(english?.length).toBeGreaterThan(0);
  expect(chinese).toEqual(english);
});

verifies('HOUSE-DOCS-03', 'a wrong block is reported', async () => {
  const page = (text: string) => ({ path: 'docs/x.md', text });
  expect(() => stepsOf(page('```\nnpx a2c up\n```\n'))).toThrow('a block needs a language');
  expect(() => stepsOf(page('```sh\necho no prompt\n```\n'))).toThrow('every line must start with "$ "');
  const [wrong] = stepsOf(page('```sh\n$ echo one\n$ echo two\n```\n\n```text\n…\nthree\n```\n')) as [Step];
  await expect(perform(wrong, createWorkspace())).rejects.toThrow('three');
  const [failing] = stepsOf(page('```sh\n$ npx a2c nonsense\n$ true\n```\n')) as [Step];
  await expect(perform(failing, createWorkspace())).rejects.toThrow('nonsense');
});
