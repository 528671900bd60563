import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { replaceFolder } from '@a2c/config';
import { isPathBelow } from './confined-file.js';
import { ENTRY, MAX_ENTRY_BYTES } from './skill-folder.js';

/** The limits of the skills of an MCP server. */
export interface StagingLimits {
  /** Of one skill, with its folders. */
  readonly files: number;
  /** Of all skills together. */
  readonly bytes: number;
}

export interface StagingOptions {
  /** The bytes of the skills before this one. */
  readonly before?: number;
  readonly signal?: AbortSignal | undefined;
}

export const STAGING_LIMITS: StagingLimits = { files: 10_000, bytes: 256 * 2 ** 20 };

export const tooLarge = (bytes: number): string => `it has more than ${bytes} bytes, with the skills before it`;

/** The bytes of a file, also while they come. */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

const SLICE_BYTES = 2 ** 20;
/** Of the folders of a skill. */
export const MAX_DEPTH = 32;

/** The bytes in parts, each in a turn of the event loop of its own. */
export async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    yield bytes.subarray(at, at + SLICE_BYTES);
  }
}

/**
 * A copy of a skill of an MCP server, below the skill folder of the Computer. Only regular files are written, to a
 * folder that did not exist before, so that no link of the source is ever followed. It replaces the previous copy as a
 * whole.
 */
export class StagedFolder {
  readonly path: string;
  readonly limits: StagingLimits;
  readonly #parent: string;
  readonly #signal: AbortSignal | undefined;
  readonly #hash = createHash('sha256');
  #files = 0;
  #bytes: number;

  private constructor(parent: string, path: string, limits: StagingLimits, { before = 0, signal }: StagingOptions) {
    this.#parent = parent;
    this.path = path;
    this.limits = limits;
    this.#bytes = before;
    this.#signal = signal;
  }

  static async create(parent: string, limits = STAGING_LIMITS, options: StagingOptions = {}): Promise<StagedFolder> {
    const path = join(parent, `${STAGING_PREFIX}${randomBytes(8).toString('hex')}`);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new StagedFolder(parent, path, limits, options);
  }

  /** With those of the skills before it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws Error for a path that leads out of the folder, and beyond the limits. */
  async write(path: string, content: FileContent): Promise<void> {
    if (!isPathBelow(path)) throw new Error(`"${path}" is not a path inside the skill`);
    const { bytes } = this.limits;
    const target = join(this.path, path);
    const depth = partsOf(relative(this.path, target)) - 1;
    if (depth > MAX_DEPTH) throw new Error(`it nests deeper than ${MAX_DEPTH} folders`);
    this.#count(1);
    const folder = dirname(target);
    const created = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (created !== undefined) this.#count(partsOf(relative(dirname(created), folder)));
    const file = await open(target, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of content instanceof Uint8Array ? slices(content) : content) {
        this.#signal?.throwIfAborted();
        size += chunk.length;
        this.#bytes += chunk.length;
        if (this.#bytes > bytes) throw new Error(tooLarge(bytes));
        // It could not be read.
        if (path === ENTRY && size > MAX_ENTRY_BYTES)
          throw new Error(`${ENTRY} has more than ${MAX_ENTRY_BYTES} bytes`);
        hash.update(chunk);
        await file.writeFile(chunk);
      }
      this.#hash.update(JSON.stringify([path, hash.digest('hex')]));
    } finally {
      await file.close();
    }
  }

  #count(files: number): void {
    this.#files += files;
    if (this.#files > this.limits.files) throw new Error(`it has more than ${this.limits.files} files and folders`);
  }

  /** Equal for equal files in the same order. Call it once, after the last file. */
  fingerprint(): string {
    return this.#hash.digest('hex');
  }

  /** Replaces the previous copy. Returns the path of the copy. */
  async commit(name: string): Promise<string> {
    const target = join(this.#parent, name);
    await replaceFolder(this.path, target);
    return target;
  }

  async discard(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

function partsOf(path: string): number {
  return path.split(sep).length;
}

const STAGING_PREFIX = '.staging-';

/** Removes copies that are no longer offered. */
export async function removeOthers(parent: string, names: ReadonlySet<string>): Promise<void> {
  const present = await readdir(parent).catch(() => []);
  await Promise.all(
    present.filter((name) => !names.has(name)).map((name) => rm(join(parent, name), { recursive: true, force: true })),
  );
}
