import { statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  makePrivateFolder,
  ProcessLock,
  readIfPresent,
  replaceFile,
  type SecretStore,
  userStateFolder,
} from '@a2c/config';
import { openKeychain } from './keychain.js';
import { idOf, type LoginSecrets, type StoredLogin } from './stored-login.js';

/** Where the secrets of logins are stored: the keychain of the operating system, or files of mode 0600. */
export type VaultPlace = 'keychain' | 'file';

/** A record file. `secrets` is the id in the keychain, or the secrets themselves. */
type LoginRecord = Omit<StoredLogin, keyof LoginSecrets> & {
  readonly version: 1;
  readonly secrets: 'keychain' | LoginSecrets;
};

interface Cached {
  readonly stamp: string;
  readonly login: StoredLogin;
}

/** A damaged or unreadable record. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}

/**
 * The logins of this user, one record file for each, written atomically. All a2c processes share it; a change is
 * visible to the others at once.
 *
 * @example
 * ```ts
 * import { Vault } from '@a2c/login';
 *
 * const vault = new Vault();
 * for (const { key, server_url } of await vault.all()) console.log(server_url, key.account);
 * console.log(await vault.place());
 * ```
 */
export class Vault {
  readonly folder: string;
  readonly #wanted: VaultPlace | undefined;
  readonly #cache = new Map<string, Cached>();
  #list: { readonly stamp: string; readonly logins: readonly StoredLogin[] } | undefined;
  #keychain: Promise<SecretStore | string> | undefined;

  /**
   * @param folder The folder of the records; `logins` in the user's state folder by default.
   * @param place By default `A2C_VAULT`, else the keychain if there is one.
   */
  constructor(folder: string = join(userStateFolder(), 'logins'), place: VaultPlace | undefined = placeFromEnv()) {
    this.folder = folder;
    this.#wanted = place;
  }

  /** Where new logins are stored, and the reason if that is not the keychain. */
  async place(): Promise<{ readonly place: VaultPlace; readonly reason: string | null }> {
    if (this.#wanted === 'file') return { place: 'file', reason: 'A2C_VAULT is "file"' };
    const keychain = await this.#openKeychain();
    if (typeof keychain !== 'string') return { place: 'keychain', reason: null };
    if (this.#wanted === 'keychain') throw new VaultError(`the keychain cannot be used: ${keychain}`);
    return { place: 'file', reason: keychain };
  }

  /** All logins, the latest first. Called for every request to a server: an unchanged folder is not read again. */
  async all(): Promise<readonly StoredLogin[]> {
    const stamp = folderStamp(this.folder);
    if (stamp === undefined || this.#list?.stamp !== stamp) {
      const logins = await this.#readAll();
      if (stamp === undefined) return logins;
      this.#list = { stamp, logins };
    }
    return this.#list.logins;
  }

  async #readAll(): Promise<readonly StoredLogin[]> {
    const names = await namesIn(this.folder);
    const ids = names.filter((name) => RECORD.test(name)).map((name) => name.slice(0, -RECORD_END.length));
    const logins = await Promise.all(ids.map((id) => this.read(id)));
    return logins.filter((login) => login !== undefined).toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
  }

  /** Reads one login; undefined if there is none. */
  async read(id: string): Promise<StoredLogin | undefined> {
    const path = this.#recordOf(id);
    const stamp = await stampOf(path);
    const cached = this.#cache.get(id);
    if (stamp !== undefined && cached?.stamp === stamp) return cached.login;
    const text = await readIfPresent(path);
    if (text === undefined) {
      this.#cache.delete(id);
      return undefined;
    }
    const { version: _version, secrets, ...rest } = parseRecord(text, path);
    const login = { ...rest, ...(secrets === 'keychain' ? await this.#secretsOf(id) : secrets) };
    if (stamp !== undefined) this.#cache.set(id, { stamp, login });
    return login;
  }

  /** Stores a login. When it resolves, the login is on the disk. */
  async write(login: StoredLogin): Promise<void> {
    const id = idOf(login.key);
    const { tokens, client, dpop_key, ...rest } = login;
    const secrets: LoginSecrets = { tokens, client, ...(dpop_key && { dpop_key }) };
    await makePrivateFolder(this.folder);
    const isInKeychain = (await this.place()).place === 'keychain' && (await this.#toKeychain(id, secrets));
    const record: LoginRecord = { version: 1, ...rest, secrets: isInKeychain ? 'keychain' : secrets };
    await replaceFile(this.#recordOf(id), `${JSON.stringify(record, null, 2)}\n`, { isDurable: true });
    this.#cache.delete(id);
  }

  /** Where the secrets of a login are. */
  async placeOf(login: StoredLogin): Promise<VaultPlace> {
    const text = await readIfPresent(this.#recordOf(idOf(login.key)));
    return text !== undefined && parseRecord(text, this.folder).secrets === 'keychain' ? 'keychain' : 'file';
  }

  /** Deletes a login. */
  async remove(login: StoredLogin): Promise<void> {
    const id = idOf(login.key);
    const place = await this.placeOf(login);
    await rm(this.#recordOf(id), { force: true });
    await rm(this.answerFileOf(id), { force: true });
    this.#cache.delete(id);
    const keychain = place === 'keychain' ? await this.#openKeychain() : '';
    if (typeof keychain !== 'string') await keychain.delete(id);
  }

  /** The lock for changes of one login. */
  lock(id: string): ProcessLock {
    return new ProcessLock(join(this.folder, 'locks'), id);
  }

  /** The file that keeps the answer to a refresh until the login is stored. */
  answerFileOf(id: string): string {
    return join(this.folder, `${id}.answer`);
  }

  /** A file with what a server requires of the next login. */
  challengeFileOf(name: string): string {
    return join(this.folder, `${name}.challenge`);
  }

  #recordOf(id: string): string {
    return join(this.folder, `${id}${RECORD_END}`);
  }

  #openKeychain(): Promise<SecretStore | string> {
    this.#keychain ??= openKeychain();
    return this.#keychain;
  }

  async #secretsOf(id: string): Promise<LoginSecrets> {
    const keychain = await this.#openKeychain();
    if (typeof keychain === 'string') {
      throw new VaultError(`the login is in the keychain, which this process cannot open: ${keychain}`);
    }
    const text = await keychain.get(id);
    if (text === undefined) throw new VaultError('the keychain no longer has the login: log in again');
    return JSON.parse(text) as LoginSecrets;
  }

  /** False if the keychain rejects the value: Windows limits its length. The file is used then. */
  async #toKeychain(id: string, secrets: LoginSecrets): Promise<boolean> {
    const keychain = await this.#openKeychain();
    if (typeof keychain === 'string') return false;
    try {
      await keychain.set(id, JSON.stringify(secrets));
      return true;
    } catch {
      return false;
    }
  }
}

const RECORD_END = '.json';
const RECORD = /^[0-9a-f]{32}\.json$/;

function placeFromEnv(): VaultPlace | undefined {
  const place = process.env.A2C_VAULT;
  if (place === undefined || place === '') return undefined;
  if (place === 'file' || place === 'keychain') return place;
  throw new VaultError(`A2C_VAULT is "${place}": use "file" or "keychain"`);
}

function parseRecord(text: string, path: string): LoginRecord {
  try {
    const record = JSON.parse(text) as LoginRecord;
    if (record.version === 1) return record;
  } catch {
    // Reported below.
  }
  throw new VaultError(`the login record ${path} is damaged or of a newer a2c: delete it and log in again`);
}

/** Every write is a rename, so the inode or the time differs. */
async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true });
    return `${ino}-${mtimeNs}-${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Two changes within this time may leave the same time at the folder. */
const CLOCK_STEP_MS = 2_000;

/** Changes with every record: each write is a rename into the folder. Undefined for a folder that changed just now. */
function folderStamp(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!status) return 'no folder';
  const { ino, mtimeNs, mtimeMs } = status;
  return Math.abs(Date.now() - Number(mtimeMs)) > CLOCK_STEP_MS ? `${ino}-${mtimeNs}` : undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
