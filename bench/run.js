// npm run bench [name …] runs all *.bench.js files of this folder, or the named ones. Each measures its baseline in the
// same run.
import { readdirSync } from 'node:fs';

const wanted = process.argv.slice(2);
const all = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.bench.js'));
for (const file of all.toSorted()) {
  const name = file.slice(0, -'.bench.js'.length);
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n## ${name}\n`);
  const { default: bench } = await import(`./${file}`);
  await bench();
}
process.exit(0);
