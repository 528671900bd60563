import { readFileSync, type Stats, statSync } from 'node:fs';
import { otherWriter } from '@a2c/protocol';

/**
 * Reads a file of keys or certificates.
 *
 * @throws Error if it is not a regular file, or if another user may write to it
 */
export function readKeyFile(path: string): Buffer {
  checkKeyFile(path, statSync(path));
  return readFileSync(path);
}

/** @throws Error as {@link readKeyFile} */
export function checkKeyFile(path: string, stats: Stats): void {
  // Reading a FIFO would wait for its writer.
  if (!stats.isFile()) throw new Error(`${path} is not a regular file; pass the path of a file`);
  const other = otherWriter(stats, { uid: process.geteuid?.(), gid: process.getegid?.() });
  if (other) throw new Error(`${path} can be changed by ${other.who}; run: ${other.remedy} ${path}`);
}
