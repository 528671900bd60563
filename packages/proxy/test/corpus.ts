import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ToolboxServer } from '@a2c/proxy';

/** Tool lists of public servers. They are outside of the repository because of their licences. */
const shared = process.env.A2C_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url));
const folder = `${shared}/corpus`;

/** Real catalogues; empty if the corpus is not available, and then only the schemas of this folder are tested. */
export function corpus(): readonly ToolboxServer[] {
  if (!existsSync(folder)) {
    console.warn(`no corpus at ${folder} (set A2C_SHARED): testing with the schemas of this folder only`);
    return [];
  }
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      state: 'ready',
      tools: (JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Pick<ToolboxServer, 'tools'>).tools,
    }));
}
