// npm run bench [-- NAME …] runs the suites *.bench.js of this folder, or the named ones, one after another, each in a
// process of its own. A suite compares with a baseline in the same run, in turns. --quick measures less, and without
// names it leaves out the suites in LONG. --save writes the tables to bench/results/, as Markdown and JSON, and to the
// pages of docs/ that show them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { described, writePages } from './page.js';
import { isQuick, markdown, printed } from './table.js';

const SUFFIX = '.bench.js';
/** Suites that say nothing in a few seconds: one downloads packages, the other starts thousands of Computers. */
const LONG = ['peers', 'storm'];
// Node reads the file of this variable at every start, which takes longer than the rest of the start.
const { NODE_EXTRA_CA_CERTS: _authorities, ...env } = process.env;
const results = new URL('results/', import.meta.url);
const flags = process.argv.slice(2).filter((arg) => arg.startsWith('--'));
const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const suites = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .toSorted();

function runAll() {
  const unknown = [...names.filter((name) => !suites.includes(name)), ...flags.filter((flag) => !FLAGS.includes(flag))];
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(', ')}. Suites: ${suites.join(', ')}. Options: ${FLAGS.join(', ')}`);
    return 2;
  }
  const leftOut = isQuick && names.length === 0 ? LONG : [];
  const chosen = suites.filter((suite) => (names.length > 0 ? names.includes(suite) : !leftOut.includes(suite)));
  const times = [];
  for (const name of chosen) {
    console.log(`\n## ${name}\n`);
    const began = performance.now();
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name, ONE, ...flags], {
      stdio: 'inherit',
      env: name === 'peers' ? process.env : env, // Peers are downloaded.
    });
    times.push({ name, seconds: Math.round((performance.now() - began) / 1_000), failed: status !== 0 });
  }
  const shown = times.map(({ name, seconds, failed }) => `${name} ${seconds} s${failed ? ' (FAILED)' : ''}`);
  console.log(`\n${shown.join(', ')}; ${times.reduce((sum, { seconds }) => sum + seconds, 0)} s in total`);
  if (leftOut.length > 0) {
    console.log(`left out: ${leftOut.join(', ')}; npm run bench ${leftOut.join(' ')} -- --quick runs them`);
  }
  if (flags.includes(SAVE)) writePages();
  return times.some(({ failed }) => failed) ? 1 : 0;
}

/** Runs one suite in this process. */
async function runOne(name) {
  const { default: bench } = await import(`./${name}${SUFFIX}`);
  const load = Number(loadavg()[0].toFixed(1));
  await bench();
  if (flags.includes(SAVE) && printed.length > 0) save(name, load);
}

const SAVE = '--save';
const ONE = '--one';
const FLAGS = ['--quick', SAVE];

/** `load` is the load average before the run: what else the machine did. */
function save(suite, load) {
  mkdirSync(results, { recursive: true });
  const run = { suite, machine: machine(), load, date: new Date().toISOString().slice(0, 10), quick: isQuick };
  const head = `# ${suite}\n\n${described(run)}. \`npm run bench ${suite}\` prints these tables again.\n\n`;
  writeFileSync(new URL(`${suite}.md`, results), `${head}${printed.map(markdown).join('\n\n')}\n`);
  writeFileSync(new URL(`${suite}.json`, results), `${JSON.stringify({ ...run, tables: printed }, null, 2)}\n`);
}

/** The machine in words, without its name. */
function machine() {
  const memory = Math.round(totalmem() / 2 ** 30);
  const cpu = cpus()[0]?.model.trim() ?? 'an unknown CPU';
  return `${cpus().length} cores of ${cpu}, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

if (flags.includes(ONE)) await runOne(names[0]);
process.exit(flags.includes(ONE) ? 0 : runAll());
