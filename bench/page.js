// Writes the tables of bench/results/ into docs/performance.md, between `<!-- bench: SUITE -->` and `<!-- end -->`.
// `node bench/page.js [FILE]` writes; with --check it fails if the page differs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { markdown } from './table.js';

const results = new URL('results/', import.meta.url);
const page = new URL('../docs/performance.md', import.meta.url);
const SECTION = /(<!-- bench: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;
/** The section that links to the suites without a section. */
const OTHERS = 'others';

/** Returns the text with the tables of the stored results. */
export function withTables(text) {
  const shown = [...text.matchAll(SECTION)].map(([, , suite]) => suite);
  return text.replace(SECTION, (_, begin, suite, end) => {
    const lines = suite === OTHERS ? links(shown) : tables(suite);
    return `${begin}\n${lines}\n\n${end}`;
  });
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

/** Writes the tables into the page. */
export function writePage(file = page) {
  writeFileSync(file, withTables(readFileSync(file, 'utf8')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file = fileURLToPath(page)] = process.argv.slice(2).filter((arg) => arg !== '--check');
  const text = readFileSync(file, 'utf8');
  if (!process.argv.includes('--check')) writePage(file);
  else if (text !== withTables(text)) {
    console.error(`${file} differs from bench/results: node bench/page.js writes it`);
    process.exitCode = 1;
  }
}
