import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

/** A configuration beyond this is an accident or an attack. */
export const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

export interface FileContent {
  /** Without a byte order mark. */
  readonly text: string;
  /** Of the bytes as they are, byte order mark included; `sha256sum` gives the same. */
  readonly sha256: string;
}

/** Why a file is not read. `missing` is its own kind, because discovery goes on only then. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly missing: boolean;
  constructor(message: string, options: { readonly missing?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.missing = options.missing ?? false;
  }
}

/**
 * Reads a regular file of UTF-8 text. The kind is judged before opening, so that a fifo never blocks us, and again on the
 * open handle, so that a file swapped in between gains nothing; a link is not followed either time.
 */
export async function readFileSafely(path: string, maxBytes = MAX_CONFIG_BYTES): Promise<FileContent> {
  judge(await lstat(path).catch(refuse), maxBytes);
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(
    refuse,
  );
  try {
    judge(await handle.stat(), maxBytes);
    return decode(await readAtMost(handle, maxBytes));
  } finally {
    await handle.close();
  }
}

function judge(stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new FileRefused(`is ${kindOf(stats)}, not a regular file`);
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

function tooLarge(maxBytes: number): FileRefused {
  return new FileRefused(`is larger than ${maxBytes / 1024 / 1024} MiB`);
}

/** The size was judged, but a file may grow while it is read. */
async function readAtMost(handle: FileHandle, limit: number): Promise<Buffer> {
  const buffer = Buffer.alloc(limit + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > limit) throw tooLarge(limit);
    if (bytesRead === 0) return buffer.subarray(0, length);
  }
}

function decode(bytes: Buffer): FileContent {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), sha256 };
  } catch (cause) {
    throw new FileRefused('is not UTF-8 text', { cause });
  }
}

function refuse(cause: NodeJS.ErrnoException): never {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') {
    throw new FileRefused('does not exist', { missing: true, cause });
  }
  if (cause.code === 'ELOOP') throw new FileRefused('is a symbolic link, not a regular file', { cause });
  throw new FileRefused(`cannot be read (${cause.code ?? 'unknown error'})`, { cause });
}
