// Adds 1 to the number in a file, again and again, under the lock. Arguments: folder, turns.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// Not the whole package: it takes several times the CPU time of the test.
import { Vault } from '../dist/vault/vault.js';

const [, , folder, turns] = process.argv;
const lock = new Vault(folder, 'file').lock('counter');
const file = join(folder, 'number');
for (let turn = 0; turn < Number(turns); turn++) {
  await lock.run(async () => {
    const number = Number(await readFile(file, 'utf8'));
    await new Promise((resolve) => setImmediate(resolve));
    await writeFile(file, String(number + 1));
  });
}
// Ends while it holds the lock.
await lock.run(async () => {
  console.log('held');
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
});
