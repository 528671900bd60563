// Builds the page into dist/page with Vite, unless it is up to date. A build takes about a second.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../page', import.meta.url));
const stamp = fileURLToPath(new URL('../dist/page/.source', import.meta.url));

const hash = createHash('sha256').update(readFileSync(new URL('../package.json', import.meta.url)));
const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
  hash.update(path.slice(root.length)).update(readFileSync(path));
}
const source = hash.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== source) {
  const { build } = await import('vite');
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  writeFileSync(stamp, source);
}
