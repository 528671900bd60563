import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests run on the sources, so that a failing line is the line you edit; processes they spawn run the build. */
const packages = readdirSync(new URL('packages', import.meta.url));

export default defineConfig({
  resolve: {
    alias: packages.map((name) => ({
      find: new RegExp(`^@a2c/${name}$`),
      replacement: fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url)),
    })),
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    allowOnly: false,
  },
});
