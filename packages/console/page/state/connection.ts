import type { OperatorEvents } from '@a2c/protocol';
import { batch } from '@preact/signals';
import { endSession, hasSession, logIn, prove, RequestError, send } from './request.js';
import { onProgress, onResult, resumeRuns } from './runs.js';
import { apply, connection, refusal } from './store.js';

/** Ends the connection that the page follows. */
let following: AbortController | undefined;

/** How long to wait before the host is tried again. */
const RETRY_MS = 1_000;

/** Exchanges the token of the link, then follows the host until the page closes. */
export async function connect(): Promise<void> {
  if (!isSecureContext) {
    // Without encryption, neither the page nor the host can check the other.
    refusal.value = 'insecure';
    connection.value = 'refused';
    return;
  }
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token !== undefined) {
    // The token must not stay in the address bar or the history.
    history.replaceState(null, '', `${location.pathname}#/`);
    try {
      await logIn(token);
    } catch (error) {
      // With a session, the proof of the host decides: another program may have refused the link.
      if (!isOffline(error) && !(await hasSession())) {
        refusal.value = 'wrongLink';
        connection.value = 'refused';
        return;
      }
    }
    refusal.value = undefined;
    connection.value = 'connecting';
  }
  follow();
}

/** A link that is opened in the tab of the page changes only the hash, which loads nothing. */
export function connectWithNewLinks(): void {
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#token=')) void connect();
  });
}

/** Logs in with a key. Throws what the host answers. */
export async function logInWithKey(key: string): Promise<void> {
  await logIn(key);
  follow();
}

/** Ends the session of this browser. Its streams end, so that the page shows how to log in again. */
export async function logOut(): Promise<void> {
  // The session may have ended already. Without its key, it is of no use in any case.
  await endSession().catch(() => {});
  following?.abort();
  refusal.value = 'loggedOut';
  connection.value = 'refused';
}

/** Follows the events of the host. Connects again after a lost connection, but not after a refusal. */
function follow(): void {
  following?.abort();
  following = new AbortController();
  void followUntil(following.signal);
}

async function followUntil(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const status = await readEvents(signal);
    if (signal.aborted) return;
    if (status === 401 || status === 403) {
      connection.value = 'refused';
      return;
    }
    connection.value = status === 'foreign' ? status : status === 429 ? 'full' : 'lost';
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * Reads one stream to its end. An `EventSource` cannot send the header of the session.
 *
 * @returns the status of the answer, 0 if there was none, `foreign` if another program has the port
 */
async function readEvents(signal: AbortSignal): Promise<number | 'foreign'> {
  const proven = await prove(signal);
  if (proven !== 200) return proven;
  const response = await send('events', { signal }).catch(() => undefined);
  if (!response?.ok || !response.body) return response?.status ?? 0;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  // A lost connection ends the stream.
  const next = () => reader.read().catch(() => ({ value: undefined }));
  let pieces: string[] = [];
  for (let { value } = await next(); value !== undefined; { value } = await next()) {
    // Events end with an empty line. The pieces of a large one are joined once.
    pieces.push(value);
    if (!value.includes('\n')) continue;
    const blocks = pieces.join('').split('\n\n');
    pieces = [blocks.pop() as string];
    // An error in one event is reported by the browser, and the stream goes on.
    for (const block of blocks) queueMicrotask(() => onBlock(block));
  }
  return response.status;
}

function onBlock(block: string): void {
  const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  if (name === undefined || data === undefined) return; // A comment keeps the connection open.
  const value = JSON.parse(data) as never;
  if (name === 'progress') onProgress(value);
  else if (name === 'result') onResult(value);
  else batch(() => apply(name as keyof OperatorEvents, value));
  if (name === 'hello') {
    connection.value = 'open';
    resumeRuns();
  }
}

function isOffline(error: unknown): boolean {
  return error instanceof RequestError && error.status === 0;
}
