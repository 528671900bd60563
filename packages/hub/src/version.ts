import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
}

/** The version of a2c, from the package manifest. All packages of a release have the same version. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest
).version;
