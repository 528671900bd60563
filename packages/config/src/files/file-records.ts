import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { FileError, readFileSafely } from './read-file-safely.js';

/**
 * One record for each configuration file, in a folder that only its owner may read. Each record is a file of its own,
 * so that two processes cannot overwrite each other's records.
 */
export class FileRecords<T> {
  readonly #folder: string;
  readonly #schema: z.ZodType<T>;
  /** The subject and the remedy of the error for a damaged record. */
  readonly #damaged: { readonly what: string; readonly remedy: string };

  constructor(folder: string, schema: z.ZodType<T>, damaged: { readonly what: string; readonly remedy: string }) {
    this.#folder = folder;
    this.#schema = schema;
    this.#damaged = damaged;
  }

  /** Writes the record of a file. Returns the path of the record. */
  async write(path: string, record: T): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `.${process.pid}-${hashOf(path)}`);
    await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, this.#pathOf(path));
    return this.#pathOf(path);
  }

  /** Reads the record of a file; undefined if there is none. */
  async read(path: string): Promise<T | undefined> {
    const record = this.#pathOf(path);
    try {
      return this.#schema.parse(JSON.parse((await readFileSafely(record)).text));
    } catch (error) {
      if (error instanceof FileError && error.missing) return undefined;
      const { what, remedy } = this.#damaged;
      throw new Error(`${what} ${record} is damaged; ${remedy}`, { cause: error });
    }
  }

  /** Deletes the record of a file, if there is one. */
  async delete(path: string): Promise<void> {
    await rm(this.#pathOf(path), { force: true });
  }

  #pathOf(path: string): string {
    return join(this.#folder, `${hashOf(path)}.json`);
  }
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}
