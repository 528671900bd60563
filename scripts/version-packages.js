// `npm run version-packages`: turns the files in .changeset/ into a version of all packages and a section of
// CHANGELOG.md.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

process.chdir(new URL('..', import.meta.url).pathname);

const texts = readdirSync('.changeset')
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) =>
    readFileSync(`.changeset/${name}`, 'utf8')
      .replace(/^---\n[\s\S]*?\n---\n/, '')
      .trim(),
  )
  .filter((text) => text !== '');
if (texts.length === 0) {
  console.error('no changesets with a text in .changeset/: add one with `npm run changeset`');
  process.exit(1);
}

const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });
run('npx', 'changeset', 'version');
// The lock file repeats the versions of the workspaces.
run('npm', 'install', '--package-lock-only', '--no-audit', '--no-fund');

const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
const date = new Date().toISOString().slice(0, 10);
const items = texts.map((text) => (text.startsWith('- ') ? text : `- ${text.replaceAll('\n', '\n  ')}`));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const latest = changelog.search(/^## \d/m);
writeFileSync(
  'CHANGELOG.md',
  `${changelog.slice(0, latest)}## ${version} (${date})\n\n${items.join('\n')}\n\n${changelog.slice(latest)}`,
);
