import type { OperatorEvents } from '@a2c/protocol';
import { batch } from '@preact/signals';
import { interfaceUrl, logIn, RequestError, request } from './request.js';
import { onProgress, onResult, resumeRuns } from './runs.js';
import { apply, connection, lists, offers } from './store.js';

const EVENTS: readonly (keyof OperatorEvents)[] = [
  'hello',
  'node',
  'computer',
  'tools',
  'desktop',
  ...(Object.keys(lists) as (keyof typeof lists)[]),
];

/** How long to wait before the host is tried again. */
const RETRY_MS = 1_000;

/** Exchanges the token of the link, then follows the host until the page closes. */
export async function connect(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token !== undefined) {
    // The token must not stay in the address bar or the history.
    history.replaceState(null, '', `${location.pathname}#/`);
    try {
      await logIn(token);
    } catch (error) {
      if (!isOffline(error)) {
        connection.value = 'refused';
        return;
      }
    }
  }
  follow();
}

/** Logs in with a key. Throws what the host answers. */
export async function logInWithKey(key: string): Promise<void> {
  await logIn(key);
  follow();
}

/** The browser reconnects by itself after a lost connection, but not after a refusal. */
function follow(): void {
  const source = new EventSource(interfaceUrl('events'));
  for (const name of EVENTS) {
    source.addEventListener(name, (event) => {
      const value = JSON.parse((event as MessageEvent<string>).data) as never;
      batch(() => apply(name, value));
      if (name === 'hello') {
        connection.value = 'open';
        resumeRuns();
      }
    });
  }
  source.addEventListener('progress', (event) => onProgress(JSON.parse((event as MessageEvent<string>).data)));
  source.addEventListener('result', (event) => onResult(JSON.parse((event as MessageEvent<string>).data)));
  source.onerror = () => {
    if (connection.value === 'open') connection.value = 'lost';
    if (source.readyState === EventSource.CLOSED) {
      source.close();
      void whyClosed();
    }
  };
}

/** An event source does not tell why it was refused; an ordinary request does. */
async function whyClosed(): Promise<void> {
  try {
    await request(offers.value.has('servers') ? 'servers' : 'offices', {});
  } catch (error) {
    if (error instanceof RequestError && (error.status === 401 || error.status === 403)) {
      connection.value = 'refused';
      return;
    }
  }
  if (connection.value !== 'open') connection.value = 'lost';
  setTimeout(follow, RETRY_MS);
}

function isOffline(error: unknown): boolean {
  return error instanceof RequestError && error.status === 0;
}
