import { readFileSync, type Stats, statSync } from 'node:fs';

/**
 * Reads a file of keys or certificates.
 *
 * @throws Error if it is not a regular file, or if every user may write to it
 */
export function readKeyFile(path: string): Buffer {
  checkKeyFile(path, statSync(path));
  return readFileSync(path);
}

/** @throws Error as {@link readKeyFile} */
export function checkKeyFile(path: string, stats: Stats): void {
  // Reading a FIFO would wait for its writer.
  if (!stats.isFile()) throw new Error(`${path} is not a regular file; pass the path of a file`);
  if (process.platform !== 'win32' && (stats.mode & 0o002) !== 0) {
    throw new Error(`${path} can be changed by every user of this machine; run: chmod o-w ${path}`);
  }
}
