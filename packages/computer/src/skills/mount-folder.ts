import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isInsideFolder } from '@a2c/config';
import { ConfinedFileError, readConfined } from './confined-file.js';
import { MAX_DEPTH, STAGING_LIMITS, type StagedFolder } from './staging.js';

/**
 * Copies a folder that an MCP server names. It must be inside a folder that the owner allowed. Links inside it are left
 * out: their targets are not what the owner allowed.
 */
export async function copyMounted(source: unknown, allowed: readonly string[], staged: StagedFolder): Promise<void> {
  if (typeof source !== 'string' || !isAbsolute(source)) throw new Error('"mount_dir" is not an absolute path');
  const folder = await realpath(source).catch(() => {
    throw new Error(`there is no folder ${source}`);
  });
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => undefined)));
  if (!roots.some((root) => root !== undefined && (root === folder || isInsideFolder(root, folder))))
    throw new Error(`the owner has not allowed the folder ${source}; start the Computer with --skill-mount ${source}`);
  await copyBelow(folder, '', staged, 0);
}

async function copyBelow(root: string, below: string, staged: StagedFolder, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new Error(`it nests deeper than ${MAX_DEPTH} folders`);
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await copyBelow(root, path, staged, depth + 1);
    else if (entry.isFile()) await copyFile(root, path, staged);
  }
}

async function copyFile(root: string, path: string, staged: StagedFolder): Promise<void> {
  try {
    await staged.write(path, await readConfined(root, path, STAGING_LIMITS.bytes));
  } catch (error) {
    // A file with secrets is not copied at all; one that vanished meanwhile is not there.
    if (error instanceof ConfinedFileError && ['forbidden', 'not_found'].includes(error.reason)) return;
    throw error;
  }
}
