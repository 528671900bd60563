import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageNames, ROOT } from './source-tree.js';

/** The files of the repository. Others in the folder, such as those of an editor, need no row. */
const TRACKED = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');

/** Folders of tests need no row. */
const UNLISTED = new Set(['test/']);

const SECTION = /^## Inside `(packages\/\w+)`\n([\s\S]*?)(?=^## |(?![\s\S]))/gm;
const LOOKS_LIKE_PATH = /^[\w.-]+(\/[\w.-]+)*(\/|\.(ts|js|mjs|json|md|rs|yaml))$/;

/** One line per difference between ARCHITECTURE.md and the tree: `+` must be added to the page, `-` does not exist. */
export function differences(page: string): string[] {
  const inPackages = packageNames().flatMap((name) => {
    const folder = `packages/${name}`;
    const section = [...page.matchAll(SECTION)].find(([, path]) => path === folder)?.[2];
    return section === undefined ? [`+ section "## Inside \`${folder}\`"`] : inSection(folder, section);
  });
  const general = page.replaceAll(SECTION, '');
  const unnamed = namesIn('.')
    .filter((name) => name.endsWith('/') && !general.includes(`\`${name}\``))
    .map((name) => `+ ${name}`);
  return [...inPackages, ...unnamed, ...missing(general, [''])];
}

function inSection(folder: string, section: string): string[] {
  const cells = [...section.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell).join();
  const rows = new Set([...cells.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path));
  const unnamed = required(folder).filter((path) => !rows.has(path));
  return [
    ...unnamed.map((path) => `+ ${folder}: \`${path}\``),
    ...missing(section, [`${folder}/src/`, `${folder}/`, '']).map((line) => `${line} (${folder})`),
  ];
}

/** Paths relative to `src/`: its files, its folders at every depth; and the other folders of the package. */
function required(folder: string): string[] {
  const others = namesIn(folder).filter((name) => name.endsWith('/') && name !== 'src/');
  return [...below(`${folder}/src`, '').filter((path) => path !== 'index.ts'), ...others];
}

function below(folder: string, prefix: string): string[] {
  return namesIn(folder).flatMap((name) => {
    if (name.endsWith('/')) return [prefix + name, ...below(`${folder}/${name.slice(0, -1)}`, prefix + name)];
    return prefix === '' ? [name] : [];
  });
}

/** Folders end in a slash. */
function namesIn(folder: string): string[] {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const names = TRACKED.filter((path) => path.startsWith(prefix)).map((path) => {
    const [first = '', ...rest] = path.slice(prefix.length).split('/');
    return rest.length > 0 ? `${first}/` : first;
  });
  return [...new Set(names)].filter((name) => name !== '' && !UNLISTED.has(name));
}

/** Backticked words that look like a path and exist in none of the places it may be relative to. */
function missing(text: string, bases: readonly string[]): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\s]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => LOOKS_LIKE_PATH.test(path))
    .filter((path) => !bases.some((base) => existsSync(join(ROOT, base + path))))
    .map((path) => `- \`${path}\``);
}
