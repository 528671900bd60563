// npm run bench [name …] runs all *.bench.js files of this folder, or the named ones. Each measures its baseline in the
// same run. --quick measures less; --save writes the tables to bench/results/, as Markdown and JSON.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { markdown, printed } from './table.js';

const FLAGS = ['--quick', '--save'];
const wanted = process.argv.slice(2).filter((arg) => !FLAGS.includes(arg));
const results = new URL('results/', import.meta.url);

/** The machine in words, without its name. */
function machine() {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown CPU'}, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

function save(name) {
  mkdirSync(results, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const how = process.argv.includes('--quick') ? ', quick run' : '';
  const head = `# ${name}\n\n${machine()}; ${date}${how}. \`npm run bench ${name}\` prints these tables again.\n\n`;
  writeFileSync(new URL(`${name}.md`, results), `${head}${printed.map(markdown).join('\n\n')}\n`);
  writeFileSync(
    new URL(`${name}.json`, results),
    `${JSON.stringify({ suite: name, machine: machine(), date, tables: printed }, null, 2)}\n`,
  );
}

const all = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.bench.js'));
for (const file of all.toSorted()) {
  const name = file.slice(0, -'.bench.js'.length);
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n## ${name}\n`);
  const { default: bench } = await import(`./${file}`);
  await bench();
  if (process.argv.includes('--save')) save(name);
  printed.length = 0;
}
process.exit(0);
