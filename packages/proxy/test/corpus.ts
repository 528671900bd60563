import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ToolboxServer } from '@a2c/proxy';

/** Answers to `tools/list` of public servers, kept beside the repository because they are not ours to publish. */
const shared = process.env.A2C_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url));
const folder = `${shared}/corpus`;

/** Real catalogues, or none where the corpus is not at hand: then only the schemas written here are tested. */
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
