import { createHash } from 'node:crypto';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { STAGING_LIMITS, type StagedFolder } from './staging.js';

/** What the MCP server says about the archive. */
export interface ArchiveDeclaration {
  readonly format: unknown;
  readonly sha256: unknown;
}

interface ArchiveFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Unpacks the regular files of an archive. A link, a device or a path that leads out of it refuses all of it. */
export async function unpackArchive(
  archive: Buffer,
  { format, sha256 }: ArchiveDeclaration,
  staged: StagedFolder,
): Promise<void> {
  if (format !== 'tar.gz' && format !== 'zip') throw new Error('"archive_format" is neither "tar.gz" nor "zip"');
  if (sha256 !== undefined && sha256 !== createHash('sha256').update(archive).digest('hex'))
    throw new Error('the SHA-256 of the archive is not the declared one');
  const files = format === 'zip' ? zipFiles(archive) : tarFiles(gunzipSync(archive, { maxOutputLength: MAX_BYTES }));
  for (const { path, bytes } of files) await staged.write(path.replace(/^\.\//, ''), bytes);
}

const MAX_BYTES = STAGING_LIMITS.bytes;
const BLOCK = 512;

function* tarFiles(tar: Buffer): Generator<ArchiveFile> {
  let longPath: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const size = Number.parseInt(field(header, 124, 12).trim() || '0', 8);
    const end = at + BLOCK + size;
    if (!Number.isSafeInteger(size) || size < 0 || end > tar.length) throw new Error('the tar file is damaged');
    const content = tar.subarray(at + BLOCK, end);
    const type = String.fromCharCode(header[156] ?? 0);
    const prefix = field(header, 345, 155);
    const ownPath = prefix === '' ? field(header, 0, 100) : `${prefix}/${field(header, 0, 100)}`;
    const path = longPath ?? ownPath;
    longPath = undefined;
    if (type === 'x') longPath = paxPath(content);
    else if (type === 'L') longPath = content.toString().replace(/\0[\s\S]*$/, '');
    else if (type === '0' || type === '\0') yield { path, bytes: content };
    else if (type !== '5' && type !== 'g') throw new Error(`"${path}" is a link or a device`);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
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
  let left = MAX_BYTES;
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
    if (!path.endsWith('/')) {
      const bytes = zipContent(zip, at, left);
      left -= bytes.length;
      yield { path, bytes };
    }
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

function zipContent(zip: Buffer, entry: number, maxBytes: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const packed = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  if (local + 30 > zip.length) throw new Error('the zip file is damaged');
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const content = zip.subarray(start, start + packed);
  if (method === 0) return content;
  if (method !== 8) throw new Error('the zip file uses a compression other than deflate');
  return inflateRawSync(content, { maxOutputLength: Math.max(1, maxBytes) });
}
