// `npm start`: builds what has changed, then is `a2c up` itself. It ends with npm, whose shell passes no signals on.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const STEPS = [
  ['node_modules/typescript/bin/tsc', '-b', 'packages/cli', '--checkers', '1'],
  ['packages/console/scripts/build-page.js'],
  ['packages/cli/scripts/build-bundle.js'],
];

const parent = process.ppid;
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 500).unref();

console.error('building …');
for (const [program, ...args] of STEPS) {
  const { status } = spawnSync(process.execPath, [path(program), ...args], { cwd: path(''), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
const COMMAND = path('packages/cli/bin/a2c.js');
process.argv = [process.execPath, COMMAND, 'up', ...process.argv.slice(2)];
await import(COMMAND);
