import { createHash, type Hash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type PutBlobReq, type PutBlobRet, Shares, SMCPError, timerMs } from '@a2c/protocol';
import { SHARES } from '../shares.js';
import { landingName } from './landing-name.js';

/** The limits of uploads. */
export interface LandingLimits {
  /** The largest file, in bytes. */
  readonly uploadBytes: number;
  /**
   * Uploads of one Agent that are received at the same time. Four times as many are received of all Agents: over this,
   * uploads of Agents that have left make room for another Agent, or else those of the Agent with most.
   */
  readonly uploads: number;
  /** An upload without a chunk for this long is removed. Milliseconds. */
  readonly uploadIdleMs: number;
}

export const LANDING_LIMITS: LandingLimits = { uploadBytes: 100 * 2 ** 20, uploads: 4, uploadIdleMs: 120_000 };

/** Why an upload was refused: `details.reason` of error 4019. */
export type UploadRefusal =
  | 'invalid_upload'
  | 'invalid_declaration'
  | 'range'
  | 'too_large'
  | 'busy'
  | 'forbidden'
  | 'integrity'
  | 'io_error';

interface Upload {
  readonly id: string;
  readonly owner: string;
  readonly totalSize: number;
  readonly sha256: string;
  readonly finalPath: string;
  readonly partPath: string;
  readonly file: FileHandle;
  readonly hash: Hash;
  received: number;
  /** Chunks are written one after the other. */
  turn: Promise<unknown>;
  /** The last chunk that was accepted: a repeated request gets the same answer. */
  last: { readonly reqId: string; readonly answer: PutBlobRet } | undefined;
  state: 'open' | 'landed' | 'removed';
  /** When the last chunk arrived. */
  since: number;
  /** Its Agent has left, and sent no chunk afterwards. */
  isAbandoned: boolean;
  idle?: NodeJS.Timeout | undefined;
}

/** The folder of incomplete files within the landing root. */
const PART_FOLDER = '.a2c-upload';

/**
 * Receives files of Agents in chunks, below one folder that the owner chose. A file appears there only when it is
 * complete and its SHA-256 is right; whatever else happens, no part of it remains. An upload belongs to the Agent that
 * started it.
 */
export class LandingStore {
  readonly #root: string | undefined;
  readonly #limits: LandingLimits;
  readonly #uploads = new Map<string, Upload>();

  /** Without a root every upload is refused. */
  constructor(root: string | undefined, limits: LandingLimits) {
    if (root !== undefined && !isAbsolute(root))
      throw new TypeError(`the landing root "${root}" is not an absolute path`);
    this.#root = root;
    this.#limits = limits;
  }

  /** @throws SMCPError `BlobWriteFailed` with the reason. */
  async put(request: PutBlobReq, owner: string): Promise<PutBlobRet> {
    const upload = request.upload_id === undefined ? await this.#first(request, owner) : this.#known(request, owner);
    const turn = upload.turn.then(() => this.#accept(upload, request));
    upload.turn = turn.catch(() => {}); // The next chunk does not depend on this one.
    return turn;
  }

  /** An Agent has left. If it comes back it can continue, unless others needed the room. */
  agentLeft(owner: string): void {
    for (const upload of this.#uploads.values()) if (upload.owner === owner) upload.isAbandoned = true;
  }

  /** Removes all incomplete files. */
  async close(): Promise<void> {
    await Promise.all([...this.#uploads.values()].map((upload) => this.#remove(upload)));
  }

  async #first(request: PutBlobReq, owner: string): Promise<Upload> {
    const repeated = [...this.#uploads.values()].find(
      (upload) => upload.owner === owner && upload.last?.reqId === request.req_id,
    );
    if (repeated) return repeated;
    const { totalSize, sha256 } = this.#declaration(request);
    const { uploads } = this.#limits;
    const open = [...this.#uploads.values()].filter(({ state }) => state === 'open');
    const used = new Shares();
    for (const upload of open) used.add(upload.owner, 1);
    const replaced = open.length < uploads * SHARES ? undefined : leastEntitled(open, used, owner);
    if (used.of(owner) >= uploads || (open.length >= uploads * SHARES && !replaced))
      throw refused('busy', `this Computer receives ${uploads} files of an Agent at a time; try again later`);
    if (replaced) void this.#remove(replaced);
    return this.#create(request, owner, totalSize, sha256);
  }

  /** In the order of the protocol: root, declaration, size. */
  #declaration(request: PutBlobReq): { totalSize: number; sha256: string } {
    if (this.#root === undefined)
      throw refused('forbidden', 'this Computer accepts no files; its owner has to set a landing root');
    const { total_size: totalSize = 0, sha256 = '' } = request;
    if (!Number.isSafeInteger(totalSize) || totalSize < 1 || !/^[0-9a-f]{64}$/i.test(sha256))
      throw refused('invalid_declaration', 'the first chunk needs total_size (1 or more) and sha256 (64 hex digits)');
    const { uploadBytes } = this.#limits;
    if (totalSize > uploadBytes)
      throw refused('too_large', `the file has ${totalSize} bytes, the limit is ${uploadBytes}`, {
        total_size: totalSize,
      });
    return { totalSize, sha256: sha256.toLowerCase() };
  }

  async #create(request: PutBlobReq, owner: string, totalSize: number, sha256: string): Promise<Upload> {
    const id = randomBytes(16).toString('hex');
    const placeholder = { id, owner, state: 'open', last: undefined, isAbandoned: false } as Upload;
    this.#uploads.set(id, placeholder); // Before the first await: it counts against the limit.
    try {
      const { root, parts } = await this.#folders();
      await this.#removeOrphans(parts);
      const partPath = join(parts, `${id}.part`);
      const upload: Upload = {
        ...{ id, owner, totalSize, sha256, partPath, received: 0, last: undefined, state: 'open' },
        finalPath: join(root, landingName(id, request.name_hint)),
        file: await open(partPath, 'wx', 0o600),
        hash: createHash('sha256'),
        turn: Promise.resolve(),
        since: performance.now(),
        isAbandoned: placeholder.isAbandoned,
      };
      this.#uploads.set(id, upload);
      this.#restartIdle(upload);
      return upload;
    } catch (error) {
      this.#uploads.delete(id);
      if (error instanceof SMCPError) throw error;
      throw refused('forbidden', 'the landing root cannot be written', {}, error);
    }
  }

  /** The folders as they are now: links are resolved once, and the folder for parts must not be one. */
  async #folders(): Promise<{ root: string; parts: string }> {
    await mkdir(this.#root as string, { recursive: true });
    const root = await realpath(this.#root as string);
    await access(root, constants.W_OK);
    const parts = join(root, PART_FOLDER);
    await mkdir(parts, { recursive: true, mode: 0o700 });
    if (!(await lstat(parts)).isDirectory()) throw refused('forbidden', `${PART_FOLDER} is no folder`);
    return { root, parts };
  }

  /** What a killed process left behind. */
  async #removeOrphans(parts: string): Promise<void> {
    for (const name of await readdir(parts)) {
      const path = join(parts, name);
      if (!/^[0-9a-f]{32}\.part$/.test(name) || this.#uploads.has(name.slice(0, 32))) continue;
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > this.#limits.uploadIdleMs) await rm(path, { force: true });
    }
  }

  #known(request: PutBlobReq, owner: string): Upload {
    const upload = this.#uploads.get(request.upload_id as string);
    if (!upload?.file || upload.owner !== owner || upload.state === 'removed') throw unknownUpload(request);
    const { total_size, sha256, name_hint } = request;
    if (total_size !== undefined || sha256 !== undefined || name_hint !== undefined)
      throw refused(
        'invalid_declaration',
        'total_size, sha256 and name_hint belong to the first chunk',
        detailsOf(upload),
      );
    upload.isAbandoned = false;
    return upload;
  }

  async #accept(upload: Upload, request: PutBlobReq): Promise<PutBlobRet> {
    if (upload.last?.reqId === request.req_id) return upload.last.answer;
    if (upload.state !== 'open') throw unknownUpload(request);
    try {
      const bytes = this.#checked(upload, request);
      await this.#write(upload, bytes);
      const answer = { upload_id: upload.id, chunk_offset: request.chunk_offset, req_id: request.req_id };
      const whole = request.eof ? { ...answer, ...(await this.#land(upload)) } : answer;
      upload.last = { reqId: request.req_id, answer: whole };
      return whole;
    } catch (error) {
      // A chunk at a wrong place can be sent again; after anything else, and at the start, nothing is left to continue.
      const mayContinue = error instanceof WrongPlace && upload.received > 0;
      if (mayContinue) this.#restartIdle(upload);
      else await this.#remove(upload);
      throw error;
    }
  }

  #checked(upload: Upload, { blob, chunk_offset, eof }: PutBlobReq): Buffer {
    const details = detailsOf(upload);
    if (blob.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(blob))
      throw refused('invalid_declaration', 'the chunk is not base64', details);
    if (chunk_offset !== upload.received)
      throw new WrongPlace(`the next chunk starts at ${upload.received}, not at ${chunk_offset}`, details);
    const bytes = Buffer.from(blob, 'base64');
    const end = upload.received + bytes.length;
    if (end > upload.totalSize || (eof && end !== upload.totalSize))
      throw refused('range', `${end} of ${upload.totalSize} bytes were sent`, details);
    return bytes;
  }

  async #write(upload: Upload, bytes: Buffer): Promise<void> {
    try {
      let offset = 0;
      while (offset < bytes.length) offset += (await upload.file.write(bytes, offset)).bytesWritten;
    } catch (error) {
      throw refused('io_error', 'the chunk could not be written', detailsOf(upload), error);
    }
    upload.hash.update(bytes);
    upload.received += bytes.length;
    if (bytes.length > 0) this.#restartIdle(upload);
  }

  async #land(upload: Upload): Promise<Pick<Required<PutBlobRet>, 'landing_path' | 'total_size' | 'sha256'>> {
    const { totalSize, sha256, finalPath, partPath, file } = upload;
    if (upload.hash.digest('hex') !== sha256)
      throw refused('integrity', 'the SHA-256 of the file is not the declared one', detailsOf(upload));
    try {
      await file.sync();
      await file.close();
      await rename(partPath, finalPath);
    } catch (error) {
      throw refused('io_error', 'the file could not be moved to the landing root', detailsOf(upload), error);
    }
    upload.state = 'landed';
    return { landing_path: finalPath, total_size: totalSize, sha256 };
  }

  #restartIdle(upload: Upload): void {
    clearTimeout(upload.idle);
    upload.since = performance.now();
    upload.idle = setTimeout(() => void this.#remove(upload), timerMs(this.#limits.uploadIdleMs)).unref();
  }

  /** Forgets an upload and removes its incomplete file. A landed file stays. */
  async #remove(upload: Upload): Promise<void> {
    clearTimeout(upload.idle);
    this.#uploads.delete(upload.id);
    if (upload.state !== 'open' || !upload.file) return;
    upload.state = 'removed';
    await upload.file.close().catch(() => {}); // It may be closed already; the file is removed in any case.
    await rm(upload.partPath, { force: true });
  }
}

/**
 * The upload that makes room for a new one: the one without a chunk for the longest time, of Agents that have left, or
 * else of those with most; undefined if they have no more than the owner of the new one.
 */
function leastEntitled(open: readonly Upload[], used: Shares, owner: string): Upload | undefined {
  const most = used.of(used.largest() ?? owner);
  const abandoned = open.filter(({ isAbandoned }) => isAbandoned);
  const ofMost = most > used.of(owner) ? open.filter((upload) => used.of(upload.owner) === most) : [];
  const candidates = abandoned.length > 0 ? abandoned : ofMost;
  return candidates.filter(({ file }) => file).toSorted((a, b) => a.since - b.since)[0];
}

/** A chunk that does not follow the last one. The upload continues. */
class WrongPlace extends SMCPError {
  constructor(message: string, details: Readonly<Record<string, unknown>>) {
    super('BlobWriteFailed', message, { details: { ...details, reason: 'range' satisfies UploadRefusal } });
  }
}

function refused(
  reason: UploadRefusal,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): SMCPError {
  return new SMCPError('BlobWriteFailed', message, { details: { ...details, reason }, cause });
}

function detailsOf({ id, totalSize }: Upload): Record<string, unknown> {
  return { upload_id: id, total_size: totalSize };
}

function unknownUpload({ upload_id }: PutBlobReq): SMCPError {
  return refused('invalid_upload', 'unknown or expired upload; start again at offset 0', { upload_id });
}
