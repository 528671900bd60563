import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInsideFolder } from '@a2c/config';

/**
 * Creates the folder of a log. Throws if it is outside `root` or its path contains a symbolic link. The file itself is
 * opened without following links.
 */
export async function prepareLogFolder(path: string, root: string): Promise<void> {
  const base = resolve(root);
  const inside = relative(base, resolve(path));
  if (!isInsideFolder(base, resolve(path))) {
    throw new Error(`the stdout_log ${path} is outside of ${base}: choose a path below it`);
  }
  let folder = base;
  for (const name of dirname(inside).split(sep)) {
    if (name === '.') continue;
    folder = join(folder, name);
    const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (found?.isSymbolicLink()) {
      throw new Error(`the stdout_log ${path} goes through the symbolic link ${folder}: choose a path without links`);
    }
    if (!found) await mkdir(folder, { mode: 0o700, recursive: true });
  }
}
