import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'packages/cli/bin');
const { resolve } = createRequire(import.meta.url);
/** A published MCP server. */
const published = (name: string) =>
  join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js');

const PROGRAMS = {
  a2c: join(BIN, 'a2c.js'),
  main: join(BIN, '../dist/main.js'),
  /** Started up to fifty times by one test. */
  'login-worker': join(ROOT, 'packages/hub/test/login-worker.mjs'),
  /** Started by many tests. */
  everything: published('everything'),
  filesystem: published('filesystem'),
  records: join(ROOT, 'packages/proxy/test/records.mjs'),
  sdk: join(ROOT, 'packages/hub/test/servers/sdk.mjs'),
};

/** Within reach of the packages that are not bundled. */
const PREFIX = 'node_modules/.a2c-commands-';

/** Removes the folders of processes that were killed. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    const pid = /^\.a2c-commands-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(ROOT, 'node_modules', name), { recursive: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Modules find their files, such as workers and WebAssembly, next to the original. */
const originalUrls: Plugin = {
  name: 'original-urls',
  enforce: 'pre',
  transform: (code, id) =>
    code.includes('import.meta.url')
      ? { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null }
      : null,
};

/**
 * Bundles the built commands and published MCP servers for the tests that start them as processes. The several hundred
 * modules of a program take most of the time of its start; a bundle has the same modules and starts two to three times
 * as fast.
 */
export default async function bundleCommands(project: TestProject): Promise<() => Promise<void>> {
  await removeOld();
  const folder = await mkdtemp(join(ROOT, `${PREFIX}${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}\n');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    plugins: [originalUrls],
    ssr: { noExternal: true, external: ['@napi-rs/keyring'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        input: PROGRAMS,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  project.provide('commands', folder);
  return remove;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundle: `a2c.js`, `main.js` with the function behind it, and the other programs. */
    readonly commands: string;
  }
}
