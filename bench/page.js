// Writes the tables of bench/results/ into the pages of docs/, between `<!-- bench: SUITE -->` and `<!-- end -->`.
// `node bench/page.js [FILE …]` writes; with --check it fails if a page differs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { capacityTable } from './capacity.js';
import { markdown } from './table.js';

const results = new URL('results/', import.meta.url);
const pages = ['performance.md', 'scaling.md'].map((name) =>
  fileURLToPath(new URL(`../docs/${name}`, import.meta.url)),
);
const SECTION = /(<!-- bench: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;
/** The section that links to the suites without a section. */
const OTHERS = 'others';
/** The section that is computed from the results of other suites. */
const CAPACITY = 'capacity';

/** Returns the text with the tables of the stored results. */
export function withTables(text) {
  const shown = [...text.matchAll(SECTION)].map(([, , suite]) => suite);
  return text.replace(SECTION, (_, begin, suite, end) => {
    return `${begin}\n${section(suite, shown)}\n\n${end}`;
  });
}

function section(suite, shown) {
  if (suite === OTHERS) return links(shown);
  if (suite !== CAPACITY) return tables(suite);
  const isMeasured = ['server', 'storm'].every((name) => existsSync(new URL(`${name}.json`, results)));
  return isMeasured ? capacityTable() : 'Not measured: `npm run bench -- server storm --save` measures it.';
}

function tables(suite) {
  const file = new URL(`${suite}.json`, results);
  if (!existsSync(file)) return `Not measured: \`npm run bench ${suite} -- --save\` measures it.`;
  const run = JSON.parse(readFileSync(file, 'utf8'));
  return [`\`npm run bench ${suite}\`: ${described(run)}.`, ...run.tables.map(markdown)].join('\n\n');
}

/** A stored run in words. */
export function described({ machine, load, date, quick }) {
  const busy = load === null ? 'load average not recorded' : `load average before the run ${load}`;
  return `${machine}; ${busy}; ${date}${quick ? ', quick run' : ''}`;
}

function links(shown) {
  const suites = readdirSync(results)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((suite) => !shown.includes(suite));
  return suites.map((suite) => `- [${suite}](../bench/results/${suite}.md)`).join('\n');
}

/** Writes the tables into the pages. */
export function writePages(files = pages) {
  for (const file of files) writeFileSync(file, withTables(readFileSync(file, 'utf8')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2).filter((arg) => arg !== '--check');
  const files = named.length > 0 ? named : pages;
  if (!process.argv.includes('--check')) writePages(files);
  else
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      if (text === withTables(text)) continue;
      console.error(`${file} differs from bench/results: node bench/page.js writes it`);
      process.exitCode = 1;
    }
}
