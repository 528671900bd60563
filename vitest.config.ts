import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.js';

/**
 * `vitest run` imports the build instead of the sources: Node loads it in a third of the CPU time, and its source maps
 * lead to the line you edit. `tests/command-bundle.ts` updates it. Watch mode imports the sources, to see them change.
 */
const isWatching = process.argv[2] !== 'run';
const PACKAGES = fileURLToPath(new URL('packages', import.meta.url));

const importPackages: Plugin = {
  name: 'import-packages',
  enforce: 'pre',
  resolveId(id, importer = '') {
    const name = /^@a2c\/(\w+)$/.exec(id)?.[1];
    const source = name ? join(PACKAGES, name, 'src/index.js') : resolve(dirname(importer), id);
    const [, owner, path] = /^[\\/](\w+)[\\/]src[\\/](.*)$/.exec(source.slice(PACKAGES.length)) ?? [];
    if (owner === undefined || path === undefined || !source.startsWith(PACKAGES)) return null;
    if (isWatching) return name && existsSync(join(PACKAGES, name)) ? source.replace(/js$/, 'ts') : null;
    const built = join(PACKAGES, owner, 'dist', path);
    return existsSync(built) ? { id: built, external: true } : null;
  },
};

/** Suites that need a program beyond Node are named in their files' endings and run alone (`scripts/extra.js`). */
const suite = process.env.A2C_SUITE;
const EXTRA = 'packages/*/test/**/*.{redis,interop,browser,pack,long,rust}.test.ts';

// Node reads the file of this variable at every start, which takes twice the CPU time of the rest of the start. Only
// npm, which some suites install packages with, needs it.
const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
delete process.env.NODE_EXTRA_CA_CERTS;
if (authorities !== undefined) process.env.npm_config_cafile ??= authorities;

export default defineConfig({
  plugins: [importPackages],
  test: {
    include: suite ? [`packages/*/test/**/*.${suite}.test.ts`] : ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: suite ? [] : [EXTRA],
    globalSetup: ['tests/command-bundle.ts'],
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    // Only a test that hangs reaches this. Property tests and child processes take many times longer on a loaded
    // machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Most tests wait for processes and sockets: three more workers than cores keep the cores busy. Each further one
    // would import the product again. Suites that start browsers and other large programs keep the cores busy anyway.
    maxWorkers: availableParallelism() + (suite ? 0 : 3),
    // The test files of a worker share the modules of the product: importing them again for every file takes longer
    // than many of the tests. A test restores the globals that it changes.
    isolate: false,
    server: { deps: { external: [/packages[\\/]\w+[\\/]dist[\\/]/] } },
    execArgv: ['--enable-source-maps'],
    unstubEnvs: true,
  },
});
