// npm run fuzz [-- --frames 300000 --seed N --only server]: sends mutated messages to the programs of a2c and checks
// them. docs/reliability.md describes it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../random.js';
import { filesWithCanary } from './canaries.js';
import { HttpDoor, McpAnswers, StdioDoor } from './proxies.js';
import { Signalling } from './signalling.js';
import type { Target, TargetOptions } from './target.js';

/** The shares of the messages. */
const TARGETS: readonly (readonly [string, number, { start(options: TargetOptions): Promise<Target> }])[] = [
  ['server', 0.62, Signalling],
  ['http', 0.2, HttpDoor],
  ['stdio', 0.17, StdioDoor],
  ['answers', 0.01, McpAnswers],
];
/** How many configuration files are read for each message, up to 10,000. */
const FILES_PER_MESSAGE = 0.1;
const MAX_FILES = 10_000;
/** How much the resident memory of a process may grow between the first tenth and the end. */
const MAX_GROWTH_MB = 60;

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '300000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'boolean' },
  },
});
const frames = Number(values.frames);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!Number.isInteger(frames) || frames < 1 || !Number.isInteger(seed)) {
  console.error('--frames and --seed need an integer');
  process.exit(2);
}
if (process.platform !== 'linux') {
  console.error('*** SKIPPED: npm run fuzz needs Linux, which counts the processor time of a thread. ***');
  process.exit(process.env.CI ? 1 : 0);
}

console.log(`seed ${seed}, ${frames} messages`);
const folder = mkdtempSync(join(tmpdir(), 'a2c-fuzz-'));
const failures: string[] = [];
console.log(
  '\n| program | messages | CPU of the costliest | slowest honest peer | memory | time |\n|---|---|---|---|---|---|',
);
for (const [name, share, { start }] of TARGETS) {
  if (values.only === undefined) await attack(start, Math.max(1, Math.round(frames * share)));
  else if (values.only === name) await attack(start, frames);
}
if (values.only === undefined) readFiles(Math.min(MAX_FILES, Math.max(1, Math.round(frames * FILES_PER_MESSAGE))));
const holders = ['http.json', 'stdio.json', 'answers.json'];
failures.push(...filesWithCanary(folder, new Set(holders)));

for (const failure of failures) console.log(`\nFAILURE: ${failure}`);
if (failures.length > 0) {
  console.log(`\nFiles: ${folder}\nagain: npm run fuzz -- --seed ${seed} --frames ${frames}`);
  process.exit(1);
}
if (!values.keep) rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function attack(start: (options: TargetOptions) => Promise<Target>, count: number): Promise<void> {
  const random = new Random(seed);
  const from = performance.now();
  const target = await start({ folder, seed });
  const { oracle, process: watched, batch } = target;
  let early: number | undefined;
  let sent = 0;
  while (sent < count && oracle.failures.length === 0) {
    const shots = Array.from({ length: Math.min(batch, count - sent) }, () => target.shot(random));
    await oracle.attack(shots);
    sent += shots.length;
    if (early === undefined && sent >= count / 10 && watched.failure === undefined) early = watched.megabytes;
  }
  const found = [...oracle.failures];
  if (watched.failure === undefined) {
    found.push(...target.failures());
    const grown = watched.megabytes - (early ?? 0);
    if (grown > MAX_GROWTH_MB) found.push(`the memory has grown by ${grown.toFixed(0)} MB`);
  }
  failures.push(...found.map((failure) => `${target.name}: ${failure}`));
  const memory = watched.failure === undefined ? `${watched.megabytes.toFixed(0)} MB` : '–';
  await target.end();
  const cells = [
    target.name,
    String(sent),
    oracle.costliestMs === 0 ? 'none measured alone' : `${oracle.costliestMs.toFixed(0)} ms`,
    `${oracle.slowestMs.toFixed(0)} ms`,
    memory,
    `${((performance.now() - from) / 1_000).toFixed(0)} s`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/** Reads mutated configuration files in a process of its own. */
function readFiles(count: number): void {
  const script = fileURLToPath(new URL('../../../packages/config/test/fuzz-files.mjs', import.meta.url));
  const from = performance.now();
  const args = ['--max-old-space-size=64', script, String(seed), String(count)];
  const found = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  failures.push(...found.failures.map((failure: unknown) => `configuration: ${JSON.stringify(failure)}`));
  const seconds = ((performance.now() - from) / 1_000).toFixed(0);
  console.log(`| Configuration files | ${count} | ${Math.round(found.slowest.ms)} ms | – | – | ${seconds} s |`);
}
