// The key of the session. The page checks with it that it talks to the host where it logged in, and the host that it
// talks to a page of the session. Another program may have the port while a2c is stopped: it receives the cookie, and
// it can show a page of its own. Scripts cannot read the key, so that such a page cannot pass it on.

/** The key of the session. Only this page has it, so that it stays valid when the host starts again. */
let ofThisPage: CryptoKey | undefined;

/** What all pages of this origin can use. Without TLS, the host accepts it until it stops. */
interface StoredKey {
  readonly key: CryptoKey;
  readonly until: string;
}

/** The keys of the session that this page has. */
export interface SessionKeys {
  readonly own?: CryptoKey | undefined;
  readonly stored?: StoredKey | undefined;
}

/** Keeps the key that the host sent, and stores one made of it for the other tabs of this origin. */
export async function keepKey(text: string, until: string): Promise<void> {
  ofThisPage = await importKey(text);
  const stored: StoredKey = { key: await importKey(await sign(ofThisPage, `stored ${until}`)), until };
  await inStorage('readwrite', (store) => store.put(stored, 'key')).catch(() => {});
}

/** Forgets the key in all tabs. */
export async function forgetKey(): Promise<void> {
  ofThisPage = undefined;
  await inStorage('readwrite', (store) => store.delete('key')).catch(() => {});
}

/** Another tab may have logged in or out since. If the browser forbids storage, the key lasts as long as the page. */
export async function readKeys(): Promise<SessionKeys> {
  try {
    const stored = (await inStorage('readonly', (store) => store.get('key'))) as StoredKey | undefined;
    if (!stored) ofThisPage = undefined;
    return { own: ofThisPage, stored };
  } catch {
    return { own: ofThisPage };
  }
}

function importKey(text: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', fromBase64(text), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** An HMAC in base64url. */
export async function sign(key: CryptoKey, text: string): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))));
}

/** A text that no one else knows. */
export function randomText(): string {
  return toBase64(crypto.getRandomValues(new Uint8Array(24)));
}

function inStorage<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('a2c', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('session');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction('session', mode);
      const request = work(transaction.objectStore('session'));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
      database.close(); // Waits for the transaction.
    };
  });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
