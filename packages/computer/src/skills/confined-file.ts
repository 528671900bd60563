import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isInsideFolder } from '@a2c/config';

/** Why a file was not read: `details.reason` of error 4017. */
export type FileRefusal = 'traversal' | 'forbidden' | 'not_found' | 'too_large';

/** A file that must not be read, or cannot be. */
export class ConfinedFileError extends Error {
  override readonly name = 'ConfinedFileError';
  readonly reason: FileRefusal;
  /** The size of a file that is too large. */
  readonly size: number | undefined;

  constructor(reason: FileRefusal, message: string, size?: number) {
    super(message);
    this.reason = reason;
    this.size = size;
  }
}

/**
 * Settings of a skill with secrets, and the folder of git, whose configuration may contain a password. Never served,
 * whether they exist or not.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set(['.skillenv', '.git']);

/** Whether a text is a path below a folder by its letters alone: relative, with `/`, without `..` and drives. */
export function isPathBelow(path: string): boolean {
  if (path === '' || path.startsWith('/') || /[\\:\0]/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/**
 * Reads a regular file below a folder. No link, `..` or absolute path leads out of it, and neither does a folder that
 * is replaced by a link while the file is opened: the open file is compared with what the path names then.
 *
 * @throws ConfinedFileError
 */
export async function readConfined(folder: string, path: string, maxBytes: number): Promise<Buffer> {
  if (!isPathBelow(path)) throw new ConfinedFileError('traversal', `"${path}" is not a path inside the skill`);
  if (path.split('/').some(isSecret)) throw forbidden();
  const root = await realpath(folder).catch(notFound);
  const resolved = await resolveInside(root, path);
  // Not blocking: a fifo must not stop the Computer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(resolved, flags).catch(notFound);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notFound();
    const named = await lstat(await resolveInside(root, path)).catch(notFound);
    if (named.ino !== stats.ino || named.dev !== stats.dev)
      throw new ConfinedFileError('traversal', `"${path}" was replaced while it was read`);
    return await readAtMost(file, stats.size, maxBytes);
  } finally {
    await file.close();
  }
}

async function resolveInside(root: string, path: string): Promise<string> {
  const resolved = await realpath(join(root, path)).catch(notFound);
  if (!isInsideFolder(root, resolved)) throw new ConfinedFileError('traversal', `"${path}" leads out of the skill`);
  if (resolved.slice(root.length).split(sep).some(isSecret)) throw forbidden();
  return resolved;
}

/** The file may grow while it is read. */
async function readAtMost(file: FileHandle, size: number, maxBytes: number): Promise<Buffer> {
  if (size > maxBytes) throw tooLarge(size, maxBytes);
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes - total + 1));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > maxBytes) throw tooLarge(total, maxBytes);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

const CHUNK_BYTES = 256 * 1_024;

function tooLarge(size: number, maxBytes: number): ConfinedFileError {
  return new ConfinedFileError('too_large', `the file has more than ${maxBytes} bytes`, size);
}

/** Whether a name in a path belongs to files that are never served. */
export function isSecret(segment: string): boolean {
  return SECRET_NAMES.has(segment.toLowerCase());
}

function forbidden(): ConfinedFileError {
  return new ConfinedFileError('forbidden', `${[...SECRET_NAMES].join(' and ')} are never read`);
}

function notFound(): never {
  throw new ConfinedFileError('not_found', 'there is no such file in the skill');
}
