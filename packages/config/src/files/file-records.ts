import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { FileError, readFileSafely } from './read-file-safely.js';
import { replaceFile } from './replace-file.js';

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
    await replaceFile(this.#pathOf(path), `${JSON.stringify(record, null, 2)}\n`);
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
