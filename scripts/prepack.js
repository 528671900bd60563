// The `prepack` script of every package: builds it and adds the license file.
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(
  new URL('bin/tsc', new URL(`file://${createRequire(root).resolve('typescript/package.json')}`)),
);
const { status } = spawnSync(process.execPath, [tsc, '-b', process.cwd()], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
copyFileSync(new URL('LICENSE', root), 'LICENSE');
