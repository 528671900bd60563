import { createHash } from 'node:crypto';
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConfigSource } from '../files/load-config.js';
import { FileRefused, readFileSafely } from '../files/read-file-safely.js';
import { userConfigFolder } from '../files/user-folder.js';

/**
 * Which files this user trusts, as they were. A record names a file and its content: after an edit, or at another place,
 * where relative paths mean other programs, the file asks again. One small file per record, so that two commands at once
 * cannot lose each other's.
 */
export class TrustStore {
  readonly folder: string;

  constructor(folder: string = join(userConfigFolder(), 'trust')) {
    this.folder = folder;
  }

  /** Trusts every file that took part in the configuration. */
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

  async isTrusted(source: ConfigSource): Promise<boolean> {
    for (const { file, sha256 } of source.files) {
      const path = await realpath(file);
      const record = await this.#read(path);
      if (record?.file !== path || record.sha256 !== sha256) return false;
    }
    return true;
  }

  async revoke(file: string): Promise<void> {
    await rm(this.#recordOf(await realpath(file)), { force: true });
  }

  #recordOf(path: string): string {
    return join(this.folder, `${keyOf(path)}.json`);
  }

  /** A record that cannot be understood trusts nothing, and says so rather than asking again for ever. */
  async #read(path: string): Promise<z.infer<typeof trustRecord> | undefined> {
    const place = this.#recordOf(path);
    try {
      return trustRecord.parse(JSON.parse((await readFileSafely(place)).text));
    } catch (error) {
      if (error instanceof FileRefused && error.missing) return undefined;
      throw new Error(`the trust record ${place} is damaged; delete it and trust the file again`, { cause: error });
    }
  }
}

const trustRecord = z.strictObject({ file: z.string(), sha256: z.string(), trusted_at: z.string() });

function keyOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}
