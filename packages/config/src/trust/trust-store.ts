import { createHash } from 'node:crypto';
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConfigSource } from '../files/load-config.js';
import { FileError, readFileSafely } from '../files/read-file-safely.js';
import { userConfigFolder } from '../files/user-folder.js';
import { type TrustPolicy, UNTRUSTED } from './policy.js';

/**
 * The files that this user trusts. A record is bound to the path and the content of a file: an edited or moved file is
 * untrusted again, because it may start other programs. Each record is a file of its own, so that two processes cannot
 * overwrite each other's records.
 *
 * @example
 * ```ts
 * const store = new TrustStore();
 * const config = await loadRequiredConfig();
 * if (!(await store.isTrusted(config.source))) await store.trust(config.source);
 * ```
 */
export class TrustStore {
  /** The folder of the records. */
  readonly folder: string;

  /** @param folder Where to keep the records; `trust` in the user's configuration folder by default. */
  constructor(folder: string = join(userConfigFolder(), 'trust')) {
    this.folder = folder;
  }

  /** Records trust in every file of the configuration. */
  async trust(source: ConfigSource): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const { file, sha256 } of source.files) {
      const path = await realpath(file);
      const record = { file: path, sha256, trusted_at: new Date().toISOString() };
      const temporary = join(this.folder, `.${process.pid}-${keyOf(path)}`);
      await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
      await rename(temporary, this.#recordOf(path));
    }
  }

  /** Whether every file of the configuration is trusted with its present content. */
  async isTrusted(source: ConfigSource): Promise<boolean> {
    for (const { file, sha256 } of source.files) {
      const path = await realpath(file);
      const record = await this.#read(path);
      if (record?.file !== path || record.sha256 !== sha256) return false;
    }
    return true;
  }

  /** Deletes the record of a file, if there is one. */
  async revoke(file: string): Promise<void> {
    await rm(this.#recordOf(await realpath(file)), { force: true });
  }

  #recordOf(path: string): string {
    return join(this.folder, `${keyOf(path)}.json`);
  }

  /** An unreadable record is an error: treating it as untrusted would ask the person again each time. */
  async #read(path: string): Promise<z.infer<typeof trustRecord> | undefined> {
    const record = this.#recordOf(path);
    try {
      return trustRecord.parse(JSON.parse((await readFileSafely(record)).text));
    } catch (error) {
      if (error instanceof FileError && error.missing) return undefined;
      throw new Error(`the trust record ${record} is damaged; delete it and trust the file again`, { cause: error });
    }
  }
}

/**
 * The policy for one source: the given permissions, and full trust when the store has recorded it for exactly these
 * files.
 *
 * @param allowed What the caller allows; everything else is as in `UNTRUSTED`.
 */
export async function policyFor(
  source: ConfigSource,
  allowed: Partial<TrustPolicy>,
  store: TrustStore = new TrustStore(),
): Promise<TrustPolicy> {
  return { ...UNTRUSTED, ...allowed, trusted: allowed.trusted === true || (await store.isTrusted(source)) };
}

const trustRecord = z.strictObject({ file: z.string(), sha256: z.string(), trusted_at: z.string() });

function keyOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}
