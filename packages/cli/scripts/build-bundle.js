// Bundles the built command and the demo server into dist/bundle, unless that is up to date. A command has several
// hundred modules, and loading them one by one takes two thirds of its start. CommonJS, because it loads faster than
// ES modules. `--remove` removes the bundle; then bin/a2c.js runs the modules, as `npm run dev` needs it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LATE, loadedWhenUsed, noImports, onlyAscii, START } from './bundle-plugins.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const FOLDER = join(DIST, 'bundle');
const STAMP = join(FOLDER, '.source');

async function buildBundle() {
  const source = hashOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === source) return;
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    plugins: [originalUrls, noImports, loadedWhenUsed, onlyAscii],
    // The keychain has a binary part for each platform.
    ssr: { noExternal: true, external: ['@napi-rs/keyring'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: FOLDER,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: { main: join(DIST, 'main.js'), 'demo-server': join(DIST, 'demo/demo-server.js') },
        output: {
          format: 'cjs',
          comments: false,
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: Object.entries({ ...LATE, start: START }).map(([name, test]) => ({ name, test })),
          },
        },
      },
    },
  });
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"commonjs"}\n');
  writeFileSync(join(FOLDER, 'LICENSES.txt'), licensesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)));
  writeFileSync(STAMP, source);
}

/** Modules of the packages find their files, such as workers and WebAssembly, in the folders of their packages. */
const originalUrls = {
  name: 'original-urls',
  enforce: 'pre',
  resolveId: (id) => (id === 'original-url' ? '\0original-url' : undefined),
  load: (id) => (id === '\0original-url' ? ORIGINAL_URL : undefined),
  transform(code, id) {
    if (!id.startsWith(join(ROOT, 'packages')) || !code.includes('import.meta.url')) return null;
    const [, name, file] = /^packages\/(\w+)\/dist\/(.*)$/.exec(relative(ROOT, id).replaceAll('\\', '/'));
    // The bundle is in the folder of the command's own modules, which needs no search.
    const original = name === 'cli' ? `new URL('../${file}', bundleUrl)` : `originalUrl('@a2c/${name}', '${file}')`;
    // The bundle has a demo server of its own, which `bin/demo-server.js` loads.
    const own = code.replace("'../demo/demo-server.js', import.meta.url", "'../../bin/demo-server.js', bundleUrl");
    const rest = withVersion(own, name).replaceAll('import.meta.url', original);
    return `import { originalUrl, bundleUrl } from 'original-url';\n${rest}`;
  },
};

/** A bundle belongs to one version: its start need not read the manifest of a package. */
function withVersion(code, name) {
  const read = /JSON\.parse\(readFileSync\(new URL\('\.\.\/package\.json', import\.meta\.url\), 'utf8'\)\)\s*\.version/;
  return code.replace(read, () => JSON.stringify(JSON.parse(readFileSync(manifestOf(name), 'utf8')).version));
}

const manifestOf = (name) => join(ROOT, 'packages', name, 'package.json');

const ORIGINAL_URL = `
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
export const bundleUrl = import.meta.url;
export const originalUrl = (entry, file) =>
  new URL(file, pathToFileURL(createRequire(bundleUrl).resolve(entry))).href;
`;

/** The licenses of the libraries in the bundle: it contains copies of them. */
function licensesOf(modules) {
  const packages = new Set(
    modules.map((id) => /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1]).filter(Boolean),
  );
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Of everything that the bundle is made of. Libraries change with the lock file only. */
function hashOfSources() {
  const hash = createHash('sha256');
  const add = (path) => hash.update(relative(ROOT, path)).update(readFileSync(path));
  add(fileURLToPath(import.meta.url));
  add(fileURLToPath(new URL('bundle-plugins.js', import.meta.url)));
  add(join(ROOT, 'package-lock.json'));
  for (const name of readdirSync(join(ROOT, 'packages')).sort()) {
    const folder = join(ROOT, 'packages', name, 'dist');
    if (!existsSync(folder)) continue;
    add(manifestOf(name));
    const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
    for (const file of files.sort()) if (!/^(bundle|page)[\\/]/.test(file)) add(join(folder, file));
  }
  return hash.digest('hex');
}

if (process.argv.includes('--remove')) rmSync(FOLDER, { recursive: true, force: true });
else await buildBundle();
