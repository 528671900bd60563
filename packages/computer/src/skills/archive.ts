import { createHash } from 'node:crypto';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { type FileContent, type StagedFolder, slices, tooLarge } from './staging.js';

/** What the MCP server says about the archive. */
export interface ArchiveDeclaration {
  readonly format: unknown;
  readonly sha256: unknown;
}

interface ArchiveFile {
  readonly path: string;
  /** To be read before the next file. */
  readonly content: FileContent;
}

/**
 * Unpacks the regular files of an archive. A link, a device or a path that leads out of it refuses all of it. A few
 * bytes may unpack to gigabytes: they are unpacked in another thread, chunk by chunk, and written as they come.
 */
export async function unpackArchive(
  archive: Buffer,
  { format, sha256 }: ArchiveDeclaration,
  staged: StagedFolder,
): Promise<void> {
  if (format !== 'tar.gz' && format !== 'zip') throw new Error('"archive_format" is neither "tar.gz" nor "zip"');
  if (sha256 !== undefined && sha256 !== (await sha256Of(archive)))
    throw new Error('the SHA-256 of the archive is not the declared one');
  const files =
    format === 'zip'
      ? zipFiles(archive)
      : tarFiles(new ByteStream(unpacked(createGunzip, archive), staged.limits.bytes, staged.bytes));
  for await (const { path, content } of files) await staged.write(path.replace(/^\.\//, ''), content);
}

export async function sha256Of(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for await (const slice of slices(bytes)) hash.update(slice);
  return hash.digest('hex');
}

/** Begins when it is read, and ends when its reader stops. */
async function* unpacked(create: typeof createGunzip, packed: Uint8Array): AsyncGenerator<Buffer> {
  const unpacker = create({ chunkSize: CHUNK_BYTES });
  unpacker.end(packed);
  yield* unpacker as AsyncIterable<Buffer>;
}

const CHUNK_BYTES = 64 * 1_024;

/** Reads a stream in parts of known sizes. */
class ByteStream {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #rest: Buffer = Buffer.alloc(0);
  #total: number;

  /** `before`: bytes that count too. */
  constructor(chunks: AsyncIterable<Buffer>, maxBytes: number, before: number) {
    this.#total = before;
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** The next bytes, in the chunks that come. @throws Error if the stream ends before. */
  async *take(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (!(await this.#fill())) throw new Error('the tar file is damaged');
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async read(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.take(size)) parts.push(part);
    return Buffer.concat(parts);
  }

  async skip(size: number): Promise<void> {
    for await (const _ of this.take(size));
  }

  async hasEnded(): Promise<boolean> {
    return !(await this.#fill());
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fill(): Promise<boolean> {
    if (this.#rest.length > 0) return true;
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#rest = value;
    this.#total += value.length;
    if (this.#total > this.#maxBytes) throw new Error(tooLarge(this.#maxBytes));
    return true;
  }
}

const BLOCK = 512;

/** Names in headers of their own are short. */
const MAX_NAME_BYTES = 64 * 1_024;

async function* tarFiles(tar: ByteStream): AsyncGenerator<ArchiveFile> {
  try {
    yield* tarEntries(tar);
  } finally {
    await tar.close();
  }
}

async function* tarEntries(tar: ByteStream): AsyncGenerator<ArchiveFile> {
  let longPath: string | undefined;
  while (!(await tar.hasEnded())) {
    const header = await tar.read(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const size = Number.parseInt(field(header, 124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new Error('the tar file is damaged');
    const type = String.fromCharCode(header[156] ?? 0);
    const prefix = field(header, 345, 155);
    const ownPath = prefix === '' ? field(header, 0, 100) : `${prefix}/${field(header, 0, 100)}`;
    const path = longPath ?? ownPath;
    longPath = undefined;
    if (type === 'x' || type === 'L') {
      if (size > MAX_NAME_BYTES) throw new Error('the tar file is damaged');
      const name = await tar.read(size);
      longPath = type === 'x' ? paxPath(name) : field(name, 0, size);
    } else if (type === '0' || type === '\0') yield { path, content: tar.take(size) };
    else if (type === '5' || type === 'g') await tar.skip(size);
    else throw new Error(`"${path}" is a link or a device`);
    await tar.skip(Math.ceil(size / BLOCK) * BLOCK - size);
  }
}

function field(header: Buffer, start: number, length: number): string {
  const bytes = header.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? length : end).toString();
}

/** The records of a pax header: `<length> <key>=<value>\n`. */
function paxPath(content: Buffer): string | undefined {
  return /^\d+ path=(.*)$/m.exec(content.toString())?.[1];
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const MAX_COMMENT = 65_535;
const END_BYTES = 22;

function* zipFiles(zip: Buffer): Generator<ArchiveFile> {
  const end = endOfDirectory(zip);
  let at = zip.readUInt32LE(end + 16);
  for (let index = zip.readUInt16LE(end + 10); index > 0; index--) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('the zip file is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const path = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const mode = (zip.readUInt32LE(at + 38) >>> 16) & FILE_TYPE;
    if (mode !== 0 && mode !== REGULAR_FILE && mode !== DIRECTORY) throw new Error(`"${path}" is a link or a device`);
    if (!path.endsWith('/')) yield { path, content: zipContent(zip, at) };
    at += 46 + nameLength + extraLength + commentLength;
  }
}

const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;
const DIRECTORY = 0o040000;

function endOfDirectory(zip: Buffer): number {
  for (let at = zip.length - END_BYTES; at >= Math.max(0, zip.length - END_BYTES - MAX_COMMENT); at--)
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  throw new Error('the archive is not a zip file');
}

function zipContent(zip: Buffer, entry: number): FileContent {
  const method = zip.readUInt16LE(entry + 10);
  const packed = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  if (local + 30 > zip.length) throw new Error('the zip file is damaged');
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const content = zip.subarray(start, start + packed);
  if (method === 0) return content;
  if (method !== 8) throw new Error('the zip file uses a compression other than deflate');
  return unpacked(createInflateRaw, content);
}
