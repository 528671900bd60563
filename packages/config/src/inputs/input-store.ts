import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FileRecords } from '../files/file-records.js';
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

  readonly #records: FileRecords<z.infer<typeof inputRecord>>;

  /** @param folder Where to keep the values; `inputs` in the user's configuration folder by default. */
  constructor(folder: string = join(userConfigFolder(), 'inputs')) {
    this.folder = folder;
    this.#records = new FileRecords(folder, inputRecord, {
      what: 'the record of stored inputs',
      remedy: 'delete the file and store them again',
    });
  }

  /** Stores values for a configuration file; values with other ids are kept. Returns the path of the record. */
  async save(file: string, values: Readonly<Record<string, string>>): Promise<string> {
    const path = await realpath(file);
    return this.#records.write(path, { file: path, values: { ...(await this.load(file)), ...values } });
  }

  /** The stored values of a configuration file, by id. */
  async load(file: string): Promise<Readonly<Record<string, string>>> {
    const path = await realpath(file);
    const record = await this.#records.read(path);
    return record?.file === path ? record.values : {};
  }
}

const inputRecord = z.strictObject({ file: z.string(), values: z.record(z.string(), z.string()) });
