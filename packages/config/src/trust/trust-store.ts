import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { FileRecords } from '../files/file-records.js';
import { type ConfigSource, PROJECT_FOLDER } from '../files/load-config.js';
import { userConfigFolder } from '../files/user-folder.js';
import { type TrustPolicy, UNTRUSTED } from './policy.js';

/**
 * The files that this user trusts. A record is bound to the root of the configuration, and to the path and the content
 * of a file: an edited or moved file is untrusted again, and one that is used in another folder is untrusted there,
 * because it may start other programs.
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

  readonly #records: FileRecords<z.infer<typeof trustRecord>>;

  /** @param folder Where to keep the records; `trust` in the user's configuration folder by default. */
  constructor(folder: string = join(userConfigFolder(), 'trust')) {
    this.folder = folder;
    // A damaged record is an error: treating it as untrusted would ask the person again each time.
    this.#records = new FileRecords(folder, trustRecord, {
      what: 'the trust record',
      remedy: 'delete it and trust the file again',
    });
  }

  /** Records trust in every file of the configuration. */
  async trust(source: ConfigSource): Promise<void> {
    const root = await realRoot(source.root);
    for (const { file, sha256 } of source.files) {
      const path = await realpath(file);
      await this.#records.write(keyOf(root, path), { root, file: path, sha256, trusted_at: new Date().toISOString() });
    }
  }

  /** Whether every file of the configuration is trusted with its present content. */
  async isTrusted(source: ConfigSource): Promise<boolean> {
    const root = await realRoot(source.root);
    for (const { file, sha256 } of source.files) {
      const path = await realpath(file);
      const record = (await this.#records.read(keyOf(root, path))) ?? (await this.#earlier(root, path));
      if (record?.file !== path || record.sha256 !== sha256) return false;
    }
    return true;
  }

  /** Deletes the record of a file, if there is one. */
  async revoke(file: string, root: string = dirname(file)): Promise<void> {
    const path = await realpath(file);
    await this.#records.delete(keyOf(await realRoot(root), path));
    await this.#records.delete(path);
  }

  /** Records of earlier versions name no root. They count in the folder that the file belongs to. */
  async #earlier(root: string, path: string): Promise<z.infer<typeof trustRecord> | undefined> {
    const isOwn = [root, join(root, PROJECT_FOLDER)].includes(dirname(path));
    return isOwn ? this.#records.read(path) : undefined;
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

/** `--root` may name a folder that does not exist: servers with URLs need none. */
const realRoot = (root: string): Promise<string> => realpath(root).catch(() => root);

/** No path contains this character. */
const keyOf = (root: string, path: string): string => `${root}\0${path}`;

const trustRecord = z.strictObject({
  root: z.string().optional(),
  file: z.string(),
  sha256: z.string(),
  trusted_at: z.string(),
});
