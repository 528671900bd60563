import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { type OtherWriter, otherWriter } from '@a2c/protocol';
import { linkOnTheWay } from './inside-folder.js';

/** The largest configuration file that is read. */
export const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/** The text of a file and its digest. */
export interface FileContent {
  /** The text without a byte order mark. */
  readonly text: string;
  /** The digest of the bytes including a byte order mark, in hex, as `sha256sum` prints it. */
  readonly sha256: string;
  /** Who else may change the file. */
  readonly otherWriter: OtherWriter | undefined;
}

/** A file cannot be read. The message is a predicate such as `is a directory, not a regular file`. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** The file does not exist. */
  readonly missing: boolean;
  constructor(message: string, options: { readonly missing?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.missing = options.missing ?? false;
  }
}

/**
 * Reads a regular file of UTF-8 text. Symbolic links are not followed. The type of the file is checked before opening,
 * so that a fifo cannot block, and again on the open handle, in case the file was replaced in between.
 *
 * @throws FileError when the file is missing, too large, not a regular file or not UTF-8.
 */
export async function readFileSafely(path: string, maxBytes: number = MAX_CONFIG_BYTES): Promise<FileContent> {
  check(await lstat(path).catch(rethrow), maxBytes);
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(
    rethrow,
  );
  try {
    const stats = await handle.stat();
    check(stats, maxBytes);
    const other = otherWriter(stats, { uid: process.geteuid?.(), gid: process.getegid?.() });
    return { ...decode(await readAtMost(handle, stats.size, maxBytes)), otherWriter: other };
  } finally {
    await handle.close();
  }
}

/**
 * As `readFileSafely`, for a file that is found in a folder of somebody else: no folder on the way to it may be a link
 * either. A link may lead to files that the user approved for another project.
 *
 * @throws FileError also when there is such a link.
 */
export async function readFileOf(folder: string, path: string): Promise<FileContent> {
  const content = await readFileSafely(path);
  const link = linkOnTheWay(folder, path);
  if (link === undefined) return content;
  throw new FileError(
    `is below the symbolic link ${link}, which may lead to files of another folder; put a copy in place of the link`,
  );
}

/**
 * The file that a symbolic link leads to, or the path itself. The link and the file must have the same owner, so that
 * only that owner can choose the file.
 *
 * @throws FileError when the link leads nowhere, or to a file of another owner.
 */
export async function followOwnLink(path: string): Promise<string> {
  const link = await lstat(path).catch(rethrow);
  if (!link.isSymbolicLink()) return path;
  const target = await realpath(path).catch(rethrow);
  const { uid } = await lstat(target).catch(rethrow);
  if (uid !== link.uid) throw new FileError('is a symbolic link to a file of another owner');
  return target;
}

function check(stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new FileError(`is ${kindOf(stats)}, not a regular file`);
  if (stats.size > maxBytes) throw tooLarge(maxBytes);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a fifo';
  if (stats.isSocket()) return 'a socket';
  if (stats.isBlockDevice()) return 'a block device';
  if (stats.isCharacterDevice()) return 'a character device';
  return 'a special file';
}

function tooLarge(maxBytes: number): FileError {
  return new FileError(`is larger than ${maxBytes / 1024 / 1024} MiB`);
}

/** How much is read at once beyond the expected size. */
const CHUNK_BYTES = 4_096;

/** Limits the size again, because a file may grow while it is read. */
async function readAtMost(handle: FileHandle, expected: number, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(expected - length, CHUNK_BYTES));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    length += bytesRead;
    if (length > limit) throw tooLarge(limit);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function decode(bytes: Buffer): Pick<FileContent, 'text' | 'sha256'> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), sha256 };
  } catch (cause) {
    throw new FileError('is not UTF-8 text', { cause });
  }
}

function rethrow(cause: NodeJS.ErrnoException): never {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') {
    throw new FileError('does not exist', { missing: true, cause });
  }
  if (cause.code === 'ELOOP') throw new FileError('is a symbolic link, not a regular file', { cause });
  throw new FileError(`cannot be read (${cause.code ?? 'unknown error'})`, { cause });
}
