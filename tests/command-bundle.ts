import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'packages/cli/bin');
/** Started up to fifty times by one test. */
const LOGIN_WORKER = join(ROOT, 'packages/hub/test/login-worker.mjs');

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
 * Bundles the built commands for the tests that start them as processes. The several hundred modules of a command take
 * most of the time of its start; a bundle has the same modules and starts three times as fast.
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
        input: [join(BIN, 'a2c.js'), join(BIN, '../dist/main.js'), LOGIN_WORKER],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  project.provide('commands', folder);
  return remove;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundle: `a2c.js`, `main.js` with the function behind it, and `login-worker.js`. */
    readonly commands: string;
  }
}
