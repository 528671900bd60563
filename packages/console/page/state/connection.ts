import type { OperatorEvents } from '@a2c/protocol';
import { batch } from '@preact/signals';
import { endSession, interfaceUrl, logIn, RequestError } from './request.js';
import { onProgress, onResult, resumeRuns } from './runs.js';
import { apply, connection, lists } from './store.js';

const EVENTS: readonly (keyof OperatorEvents)[] = [
  'hello',
  'node',
  'computer',
  'tools',
  'desktop',
  'log',
  ...(Object.keys(lists) as (keyof typeof lists)[]),
];

let source: EventSource | undefined;

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

/** Ends the session of this browser. Its streams end, so that the page shows how to log in again. */
export async function logOut(): Promise<void> {
  await endSession();
  source?.close();
  connection.value = 'refused';
}

/** The browser reconnects by itself after a lost connection, but not after a refusal. */
function follow(): void {
  const opened = new EventSource(interfaceUrl('events'));
  source?.close();
  source = opened;
  for (const name of EVENTS) {
    opened.addEventListener(name, (event) => {
      const value = JSON.parse((event as MessageEvent<string>).data) as never;
      batch(() => apply(name, value));
      if (name === 'hello') {
        connection.value = 'open';
        resumeRuns();
      }
    });
  }
  opened.addEventListener('progress', (event) => onProgress(JSON.parse((event as MessageEvent<string>).data)));
  opened.addEventListener('result', (event) => onResult(JSON.parse((event as MessageEvent<string>).data)));
  opened.onerror = () => {
    if (connection.value === 'open') connection.value = 'lost';
    if (opened.readyState === EventSource.CLOSED) {
      opened.close();
      void whyClosed();
    }
  };
}

/** An event source does not tell why it was refused; the answer to an ordinary request does. */
async function whyClosed(): Promise<void> {
  const status = await statusOf('events');
  if (status === 401 || status === 403) {
    connection.value = 'refused';
    return;
  }
  if (connection.value !== 'open') connection.value = status === 429 ? 'full' : 'lost';
  setTimeout(follow, RETRY_MS);
}

async function statusOf(name: string): Promise<number> {
  const controller = new AbortController();
  try {
    return (await fetch(interfaceUrl(name), { credentials: 'same-origin', signal: controller.signal })).status;
  } catch {
    return 0;
  } finally {
    controller.abort();
  }
}

function isOffline(error: unknown): boolean {
  return error instanceof RequestError && error.status === 0;
}
