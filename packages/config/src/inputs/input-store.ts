import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FileRecords } from '../files/file-records.js';
import { whileLocked } from '../files/process-lock.js';
import { userConfigFolder } from '../files/user-folder.js';

/** Secret texts by id, such as the keychain of the operating system. */
export interface SecretStore {
  /** Returns a secret; undefined if there is none. */
  get(id: string): Promise<string | undefined>;
  /** Stores a secret in place of the earlier one. */
  set(id: string, secret: string): Promise<void>;
  /** Deletes a secret. Does nothing if there is none. */
  delete(id: string): Promise<void>;
}

/** The options of `InputStore`. */
export interface InputStoreOptions {
  /** The folder of the records; `inputs` in the user's configuration folder by default. */
  readonly folder?: string;
  /** Opens the keychain, or returns why there is none as a text. It is called only when it is needed. */
  readonly keychain?: () => Promise<SecretStore | string>;
}

/** Where `InputStore` stored values. */
export interface StoredInputs {
  readonly place: 'keychain' | 'file';
  /** The file with the values, or with the note that the keychain has them. */
  readonly record: string;
  /** Why the values are not in the keychain. */
  readonly reason: string | null;
}

/** `values` is undefined if the keychain has lost them. */
interface Stored {
  readonly place: StoredInputs['place'];
  readonly values: Readonly<Record<string, string>> | undefined;
}

/**
 * The values of inputs that a person stored for a configuration file: in the keychain, or in a file that only its owner
 * may read. They belong to the path of the configuration file, so that another file cannot use them.
 *
 * @example
 * ```ts
 * const store = new InputStore();
 * await store.save('servers.json', { GITHUB_TOKEN: token });
 * const inputs = new InputResolver(config.inputs, { stored: await store.load('servers.json') });
 * ```
 */
export class InputStore {
  readonly #records: FileRecords<z.infer<typeof inputRecord>>;
  readonly #openKeychain: () => Promise<SecretStore | string>;

  constructor(options: InputStoreOptions = {}) {
    const { folder = join(userConfigFolder(), 'inputs'), keychain = async () => 'no keychain was passed' } = options;
    this.#openKeychain = keychain;
    this.#records = new FileRecords(folder, inputRecord, {
      what: 'the record of stored inputs',
      remedy: 'delete the file and store them again',
    });
  }

  /**
   * Stores values for a configuration file; values with other ids are kept. They are stored in a file if the keychain
   * does not accept them: Windows limits their length.
   */
  async save(
    file: string,
    values: Readonly<Record<string, string>>,
    place: StoredInputs['place'] = 'file',
  ): Promise<StoredInputs> {
    const path = await realpath(file);
    return whileLocked(path, () => this.#add(path, values, place));
  }

  async #add(
    path: string,
    values: Readonly<Record<string, string>>,
    place: StoredInputs['place'],
  ): Promise<StoredInputs> {
    const before = await this.#read(path);
    const all = { ...before.values, ...values };
    const rejected = place === 'keychain' ? await this.#toKeychain(path, JSON.stringify(all)) : null;
    if (place === 'keychain' && rejected === null) {
      return { place, record: await this.#records.write(path, { file: path, values: 'keychain' }), reason: null };
    }
    const record = await this.#records.write(path, { file: path, values: all });
    if (before.place === 'keychain') await (await this.#keychainOf(path)).delete(keyOf(path));
    return { place: 'file', record, reason: rejected };
  }

  /** The stored values of a configuration file, by id. */
  async load(file: string): Promise<Readonly<Record<string, string>>> {
    const path = await realpath(file);
    const { values } = await this.#read(path);
    if (values === undefined) throw new Error(`the keychain no longer has the inputs of ${path}: import them again`);
    return values;
  }

  async #read(path: string): Promise<Stored> {
    const record = await this.#records.read(path);
    if (record?.file !== path) return { place: 'file', values: {} };
    if (record.values !== 'keychain') return { place: 'file', values: record.values };
    const text = await (await this.#keychainOf(path)).get(keyOf(path));
    return { place: 'keychain', values: text === undefined ? undefined : valuesById.parse(JSON.parse(text)) };
  }

  /** Returns why the keychain did not accept the values; null if it did. */
  async #toKeychain(path: string, text: string): Promise<string | null> {
    const keychain = await this.#openKeychain();
    if (typeof keychain === 'string') return keychain;
    try {
      await keychain.set(keyOf(path), text);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  async #keychainOf(path: string): Promise<SecretStore> {
    const keychain = await this.#openKeychain();
    if (typeof keychain !== 'string') return keychain;
    throw new Error(`the inputs of ${path} are in the keychain, which this process cannot open: ${keychain}`);
  }
}

/** The id in the keychain, where its owner sees it. */
const keyOf = (path: string) => `inputs of ${path}`;

const valuesById = z.record(z.string(), z.string());
const inputRecord = z.strictObject({ file: z.string(), values: z.union([z.literal('keychain'), valuesById]) });
