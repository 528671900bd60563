// The `prepack` script of every package: builds it and adds the license file.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(
  new URL('bin/tsc', new URL(`file://${createRequire(root).resolve('typescript/package.json')}`)),
);
const { status } = spawnSync(process.execPath, [tsc, '-b', process.cwd()], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// The page of the console and the bundle of the command.
for (const name of ['scripts/build-page.js', 'scripts/build-bundle.js'])
  if (existsSync(name)) await import(pathToFileURL(resolve(name)));
copyFileSync(new URL('LICENSE', root), 'LICENSE');
