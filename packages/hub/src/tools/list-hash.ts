import { createHash } from 'node:crypto';
import { mapInTurns } from '../turn-budget.js';
import type { ListedTool } from './parse-tool.js';

/** Tool lists are large and change rarely, but the table is rebuilt on every change of any server. */
const hashes = new WeakMap<readonly ListedTool[], string>();

/**
 * Equal for lists with the same tools: the hash of their lines in a cache file. Tools are encoded one at a time: a list
 * may have 4 MiB.
 */
export function hashOfList(tools: readonly ListedTool[]): string {
  const known = hashes.get(tools);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for (const tool of tools) hash.update(`${JSON.stringify(tool)}\n`);
  return rememberHash(tools, hash.digest('base64'));
}

/** Computes the hash of a list in several turns of the event loop. */
export async function hashInTurns(tools: readonly ListedTool[]): Promise<string> {
  const known = hashes.get(tools);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  await mapInTurns(tools, (tool) => void hash.update(`${JSON.stringify(tool)}\n`));
  return rememberHash(tools, hash.digest('base64'));
}

/** Keeps the hash of a list that is known already. */
export function rememberHash(tools: readonly ListedTool[], hash: string): string {
  hashes.set(tools, hash);
  return hash;
}
