import { createHash } from 'node:crypto';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FileError, readFileSafely } from '../files/read-file-safely.js';
import { userConfigFolder } from '../files/user-folder.js';

/**
 * The values of inputs that a person stored for a configuration file, in a file that only its owner may read. They
 * belong to the path of the configuration file, so that another file cannot use them.
 *
 * @example
 * ```ts
 * const store = new InputStore();
 * await store.save('servers.json', { GITHUB_TOKEN: token });
 * const inputs = new InputResolver(config.inputs, { stored: await store.load('servers.json') });
 * ```
 */
export class InputStore {
  /** The folder of the records. */
  readonly folder: string;

  /** @param folder Where to keep the values; `inputs` in the user's configuration folder by default. */
  constructor(folder: string = join(userConfigFolder(), 'inputs')) {
    this.folder = folder;
  }

  /** Stores values for a configuration file; values with other ids are kept. Returns the path of the record. */
  async save(file: string, values: Readonly<Record<string, string>>): Promise<string> {
    const path = await realpath(file);
    const record = { file: path, values: { ...(await this.load(file)), ...values } };
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.folder, `.${process.pid}-${keyOf(path)}`);
    await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, this.#recordOf(path));
    return this.#recordOf(path);
  }

  /** The stored values of a configuration file, by id. */
  async load(file: string): Promise<Readonly<Record<string, string>>> {
    const path = await realpath(file);
    const record = this.#recordOf(path);
    try {
      const { file: owner, values } = inputRecord.parse(JSON.parse((await readFileSafely(record)).text));
      return owner === path ? values : {};
    } catch (error) {
      if (error instanceof FileError && error.missing) return {};
      throw new Error(`the stored inputs ${record} are damaged; delete the file and store them again`, {
        cause: error,
      });
    }
  }

  #recordOf(path: string): string {
    return join(this.folder, `${keyOf(path)}.json`);
  }
}

const inputRecord = z.strictObject({ file: z.string(), values: z.record(z.string(), z.string()) });

function keyOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}
