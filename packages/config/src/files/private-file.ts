import { chmod, mkdir, readFile } from 'node:fs/promises';

/** Creates a folder that only this user can read. */
export async function makePrivateFolder(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  // The umask cannot widen the mode, and an existing folder may be too open.
  if (created === undefined) await chmod(folder, 0o700);
}

/** Reads a file; undefined if it does not exist. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
