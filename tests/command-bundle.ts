import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin, type Rollup } from 'vite';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHIPPED = join(ROOT, 'packages/cli/dist/bundle');
const { resolve } = createRequire(import.meta.url);
/** A published MCP server. */
const published = (name: string) => join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

const PROGRAMS = {
  /** Started up to fifty times by one test. */
  'login-worker': join(ROOT, 'packages/hub/test/login-worker.mjs'),
  'connect-worker': join(ROOT, 'packages/hub/test/connect-worker.mjs'),
  cycles: join(ROOT, 'packages/hub/test/cycles.mjs'),
  'lock-worker': join(ROOT, 'packages/login/test/lock-worker.mjs'),
  'archive-worker': join(ROOT, 'packages/computer/test/archive-worker.mjs'),
  /** The built packages, for scripts that import them. */
  server: join(ROOT, 'packages/server/dist/index.js'),
  hub: join(ROOT, 'packages/hub/dist/index.js'),
  /** Started by many tests. */
  everything: published('everything'),
  filesystem: published('filesystem'),
  memory: published('memory'),
  'sequential-thinking': published('sequential-thinking'),
  debug: published('debug'),
  records: join(ROOT, 'packages/proxy/test/records.mjs'),
  workshop: join(ROOT, 'packages/proxy/test/workshop.mjs'),
  'tasks-server': join(ROOT, 'packages/proxy/test/tasks-server.mjs'),
  'conformance-client': join(ROOT, 'packages/proxy/test/conformance-client.mjs'),
  'conformance-server': join(ROOT, 'packages/proxy/test/conformance-server.mjs'),
  stage: join(ROOT, 'packages/console/test/servers/stage.mjs'),
  sdk: join(ROOT, 'packages/hub/test/servers/sdk.mjs'),
  sse: join(ROOT, 'packages/hub/test/servers/sse.mjs'),
  modern: join(ROOT, 'packages/hub/test/servers/modern.mjs'),
  conformance: join(dirname(resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js'),
};

const WITH_AWAIT: readonly string[] = [
  PROGRAMS['login-worker'],
  PROGRAMS['connect-worker'],
  PROGRAMS['conformance-client'],
  PROGRAMS.cycles,
  PROGRAMS['lock-worker'],
  PROGRAMS['archive-worker'],
  PROGRAMS.everything,
  PROGRAMS.filesystem,
  PROGRAMS.records,
  PROGRAMS.workshop,
  PROGRAMS.stage,
  PROGRAMS.sdk,
];

/** Within reach of the packages that are not bundled. */
const PLACE = join(ROOT, 'node_modules');
const PREFIX = '.a2c-commands-';
/** No run of the tests takes longer. */
const KEPT_MS = 2 * 3_600_000;

/**
 * Of everything that the bundles are made of: `.source` is the hash of the built packages and of the lock file. And of
 * the root, whose path they contain: a copy of `node_modules` would start the programs of the original.
 */
function hashOfSources(): string {
  const hash = createHash('sha256').update(process.version).update(process.arch).update(ROOT);
  const add = (path: string) => hash.update(path).update(readFileSync(join(ROOT, path)));
  for (const path of [
    'packages/cli/dist/bundle/.source',
    'tests/command-bundle.ts',
    'packages/cli/bin/compiled-code.js',
  ])
    add(path);
  for (const name of readdirSync(join(ROOT, 'packages')).toSorted()) {
    const folder = `packages/${name}/test`;
    if (!existsSync(join(ROOT, folder))) continue;
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.toSorted()) if (file.endsWith('.mjs')) add(`${folder}/${file}`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Removes the bundles of other sources, unless another run may still use them. */
async function removeOld(used: string): Promise<void> {
  for (const name of await readdir(PLACE)) {
    if (!name.startsWith(PREFIX) || name === used) continue;
    const { mtimeMs } = await stat(join(PLACE, name));
    if (Date.now() - mtimeMs > KEPT_MS) await rm(join(PLACE, name), { recursive: true, force: true });
  }
}

/** Modules find their files next to the original. */
const originalUrls: Plugin = {
  name: 'original-urls',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null };
  },
};

/**
 * The conformance suite imports `globSync`, which Node 20 does not have, for a command that no test uses. And it gives
 * a server 500 to 1500 ms to answer on a stream, which a busy machine exceeds: it waits longer here. It runs one
 * scenario or all; here `A2C_SCENARIOS` names those of a suite to run, because a start takes longer than most of them.
 * What it checks is not changed.
 */
const conformanceSuite: Plugin = {
  name: 'conformance-suite',
  enforce: 'pre',
  transform(code, id) {
    if (id !== PROGRAMS.conformance) return null;
    const [whole, local] = /globSync as (\w+),?/.exec(code) ?? [];
    if (whole === undefined) throw new Error('the conformance suite has changed: it does not import globSync');
    const chosen = ' of process.env.A2C_SCENARIOS?.split(" ")??';
    const loop = /(?<=for\(let \w+) of (?=\w+\)\{console\.log\(`\\n=== Running scenario)/;
    if (!loop.test(code)) throw new Error('the conformance suite has changed: its loop was not found');
    const patient = code.replace(loop, chosen).replace(/(setTimeout\(\(\)=>\{\w+\.abort\(\)\},)(\w+)\)/, '$1$2*5)');
    return { code: patient.replace(whole, '').replace(/^(#!.*\n)?/, `$&const ${local} = () => [];`), map: null };
  },
};

/** CommonJS has no top-level await: what follows the imports of such a program becomes an async function. */
const asyncPrograms: Plugin = {
  name: 'async-programs',
  enforce: 'pre',
  transform(code, id) {
    if (!WITH_AWAIT.includes(id)) return null;
    const imports = code.match(/^import\b[^;]*;$/gm) ?? [];
    const rest = imports.reduce((text, line) => text.replace(line, ''), code.replace(/^#!.*|^export {};$/gm, ''));
    return { code: `${imports.join('\n')}\n(async () => {${rest}\n})();`, map: null };
  },
};

const COMMAND = join(ROOT, 'packages/cli/bin/a2c.js');
const LOADER = join(ROOT, 'packages/cli/bin/compiled-code.js');

/** A program that loads a file of a bundle. */
const starter = (path: string) => `#!/usr/bin/env node
module.exports = require(${JSON.stringify(LOADER)}).load(${path});
`;

/** The tests kill most servers: the compiled code of a program that does not end by itself is kept before its end. */
const keeper = `setTimeout(require(${JSON.stringify(LOADER)}).keep, 500).unref();\n`;

/** Code that is kept cannot import. */
const noImports: Plugin = {
  name: 'no-imports',
  renderChunk: (code) => code.replace(/\bimport\(("[\w@][^"]*")\)/g, 'Promise.resolve().then(() => require($1))'),
};

/** Compiled code is kept for files with a hash in their names. */
const FILES = 'modules/[name]-[hash].js';

/** Bundles the programs into a folder. */
async function bundleInto(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  const { output } = (await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    plugins: [originalUrls, conformanceSuite, asyncPrograms, noImports],
    ssr: { noExternal: true, external: ['@napi-rs/keyring'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        input: PROGRAMS,
        output: { format: 'cjs', entryFileNames: FILES, chunkFileNames: FILES },
      },
    },
  })) as Rollup.RollupOutput;
  for (const file of output)
    if (file.type === 'chunk' && file.isEntry)
      await writeFile(join(folder, `${file.name}.js`), starter(`\`\${__dirname}/${file.fileName}\``) + keeper);
  await writeFile(join(folder, 'a2c.js'), `#!/usr/bin/env node\nrequire(${JSON.stringify(COMMAND)});\n`);
  await writeFile(join(folder, 'main.js'), starter(JSON.stringify(join(SHIPPED, 'main.js'))));
}

/**
 * Bundles test programs and published MCP servers for the tests that start them as processes, and adds the command. The
 * several hundred modules of a program take most of the time of its start; a bundle has the same modules and starts two
 * to three times as fast, and again twice as fast with the compiled code of an earlier process. The folder is kept for
 * the next run.
 */
export default async function bundleCommands(project: TestProject): Promise<void> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', join(ROOT, 'packages/cli'), '--checkers', '1'], { stdio: 'inherit' });
  execFileSync(process.execPath, [join(ROOT, 'packages/cli/scripts/build-bundle.js')], { stdio: 'inherit' });
  const name = `${PREFIX}${hashOfSources()}`;
  const folder = join(PLACE, name);
  await removeOld(name);
  if (!existsSync(folder)) {
    const unfinished = await mkdtemp(`${folder}-`);
    await bundleInto(unfinished);
    await rename(unfinished, folder).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true });
      // Another run may have been faster.
      if (!existsSync(folder)) throw error;
    });
  }
  await utimes(folder, new Date(), new Date());
  project.provide('commands', folder);
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundle: `a2c.js`, `main.js` with the function behind it, and the other programs. */
    readonly commands: string;
  }
}
