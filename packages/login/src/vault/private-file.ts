import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Creates a folder that only this user can read. */
export async function makePrivateFolder(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  // The umask cannot widen the mode, and an existing folder may be too open.
  if (created === undefined) await chmod(folder, 0o700);
}

/** Writes a file of mode 0600 atomically. When it resolves, the content is on the disk, also after a power failure. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `${TEMPORARY}${randomUUID()}`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** The start of the name of an unfinished file. A killed process may leave one. */
export const TEMPORARY = '.tmp-';

/** Reads a file; undefined if it does not exist. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
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
