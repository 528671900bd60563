import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.js';

/** Tests run on the sources, so that a failing line is the line you edit; processes they spawn run the build. */
const packages = readdirSync(new URL('packages', import.meta.url));

/** Suites that need a program beyond Node are named in their files' endings and run alone (`scripts/extra.js`). */
const suite = process.env.A2C_SUITE;
const EXTRA = 'packages/*/test/**/*.{redis,interop,browser,pack,long,rust}.test.ts';

// Node reads the file of this variable at every start, which takes twice the CPU time of the rest of the start. Only
// npm, which some suites install packages with, needs it.
const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
delete process.env.NODE_EXTRA_CA_CERTS;
if (authorities !== undefined) process.env.npm_config_cafile ??= authorities;

export default defineConfig({
  resolve: {
    alias: packages.map((name) => ({
      find: new RegExp(`^@a2c/${name}$`),
      replacement: fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url)),
    })),
  },
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
    // Most tests wait for processes and sockets: two more workers than cores keep the cores busy. Each further one
    // would import the product again. Suites that start browsers and other large programs keep the cores busy anyway.
    maxWorkers: availableParallelism() + (suite ? 0 : 2),
    // The test files of a worker share the modules of the product: importing them again for every file takes longer
    // than many of the tests. A test restores the globals that it changes.
    isolate: false,
    unstubEnvs: true,
  },
});
