import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The start of the name of an unfinished file. A killed process may leave one. */
export const TEMPORARY_FILE = '.tmp-';

/** Options of `replaceFile`. */
export interface ReplaceFileOptions {
  /** The mode of the file; by default only its owner may read it. */
  readonly mode?: number;
  /** Wait until the content is on the disk, so that it survives a power failure. */
  readonly isDurable?: boolean;
}

/**
 * Writes a file as a whole: a reader sees the old content or the new one, also after a crash. Creates its folder, which
 * only its owner may read, if it does not exist.
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<string>,
  { mode = 0o600, isDurable = false }: ReplaceFileOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${TEMPORARY_FILE}${randomUUID()}`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await writeFile(file, content);
      if (isDurable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (isDurable) await syncFolder(folder);
}

/** Makes a rename durable. Windows cannot open folders and needs no sync. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Puts a finished folder in the place of another one, which is removed at the end. If that fails, the old one is back
 * in its place. After a crash in between, the old one is beside it, as `.old-<name>`.
 */
export async function replaceFolder(finished: string, target: string): Promise<void> {
  const aside = join(dirname(target), `.old-${basename(target)}`);
  const hadOne = await moved(target, aside);
  try {
    await rename(finished, target);
  } catch (error) {
    if (hadOne) await rename(aside, target);
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

/** Returns false if there is nothing to move. What a crash left at the new place is removed only if there is. */
async function moved(from: string, to: string): Promise<boolean> {
  const move = () => rename(from, to);
  try {
    await move().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error;
      await rm(to, { recursive: true });
      await move();
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
