import type { SecretStore } from '@a2c/config';

const SERVICE = 'a2c';
const PROBE = 'probe';

/**
 * The keychain of the operating system: Keychain on macOS, Credential Manager on Windows, the Secret Service on Linux.
 * Returns why there is none as a text. The kernel keyring of Linux is not used: it is empty after a restart.
 */
export async function openKeychain(): Promise<SecretStore | string> {
  let keyring: typeof import('@napi-rs/keyring');
  try {
    keyring = await import('@napi-rs/keyring');
  } catch {
    return '@napi-rs/keyring is not installed';
  }
  const { AsyncEntry } = keyring;
  const entry = (id: string) => new AsyncEntry(SERVICE, id, { linux: { store: 'secret-service' } });
  const store: SecretStore = {
    get: async (id) => (await entry(id).getPassword()) ?? undefined,
    set: (id, secret) => entry(id).setPassword(secret),
    delete: async (id) => void (await entry(id).deletePassword()),
  };
  try {
    await store.get(PROBE);
    return store;
  } catch (error) {
    return explained((error as Error).message);
  }
}

/** The error of D-Bus names settings that users do not know. */
function explained(message: string): string {
  return /d-?bus|secret service/i.test(message)
    ? 'no keyring service (GNOME Keyring, KWallet) is reachable from this session'
    : message;
}
