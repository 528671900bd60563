import type { OperatorAnswers, OperatorParameters, OperatorRequest } from '@a2c/protocol';
import { isControlled, isIntercepted } from './service-workers.js';
import { forgetKey, keepKey, randomText, readKeys, sign } from './session-key.js';
import { language } from './settings.js';
import { connection } from './store.js';

/** Requests that change something are sent with POST. The Server checks this; the list is in the documentation. */
const QUERIES: ReadonlySet<OperatorRequest> = new Set([
  'offices',
  'call',
  'servers',
  'question',
  'server',
  'tools',
  'tool',
  'desktop',
  'context',
]);

/** A refused request. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The operator interface is beside the page: `/console/` and `/operator/`. */
function interfaceUrl(name: string): string {
  return new URL(`../operator/${name}`, document.baseURI).href;
}

/** Sends a request of the operator interface. Throws {@link RequestError}. */
export async function request<R extends OperatorRequest>(
  name: R,
  parameters: OperatorParameters<R>,
): Promise<OperatorAnswers[R]> {
  const isQuery = QUERIES.has(name);
  // Another program may have the port now, and the parameters may be secret.
  if (connection.value !== 'open') throw new RequestError(0, 'offline');
  const query = isQuery ? `?${new URLSearchParams(parameters as Record<string, string>)}` : '';
  const attempt = () => exchange(`${name}${query}`, isQuery ? { method: 'GET' } : jsonBody(parameters));
  const answer = await attempt().catch(async (error: RequestError) => {
    // The host may have started again since, and has refused the earlier proof.
    if (error.status === 401 && (await prove()) === 200) return attempt();
    throw error;
  });
  return answer as OperatorAnswers[R];
}

/** Exchanges the token of the link, or a key, for a cookie and the key of a session. */
export async function logIn(credential: string): Promise<void> {
  if (await isIntercepted()) throw new RequestError(0, 'offline');
  await receiveKey({ Authorization: `Bearer ${credential}` });
}

async function receiveKey(credential: Readonly<Record<string, string>>): Promise<void> {
  const init = jsonBody({});
  const headers = { ...init.headers, ...credential };
  const { key, until } = (await exchange('session', { ...init, headers })) as { key?: string; until?: string };
  if (key !== undefined && until !== undefined) await keepKey(key, until);
}

/** Ends the session of this browser, also if the host cannot be reached: without its key, the session is useless. */
export async function endSession(): Promise<void> {
  // A page that was just loaded has no proof yet.
  const isProven = connection.value === 'open' || (await prove(AbortSignal.timeout(END_MS))) === 200;
  // First, so that no other tab takes the end of its stream for that of the host.
  await forgetKey();
  if (isProven) await exchange('session', { method: 'DELETE' });
}

/** How long the host may take to prove itself to a page that logs out. */
const END_MS = 3_000;

/** Whether this browser has the key of a session. */
export async function hasSession(): Promise<boolean> {
  const { own, stored } = await readKeys();
  return own !== undefined || stored !== undefined;
}

/** What this page sends with each request: worthless for another program, and after the next start of the host. */
let proof: string | undefined;

/**
 * Checks that this is the host where the browser logged in, before anything of value is sent. With TLS, the browser has
 * checked the host, and a client certificate may be enough. Without TLS, any program can refuse the session, so that
 * a refusal without proof does not end it: the page would ask for a key, and send it to that program.
 *
 * @returns the status for the page: 401 if it has to log in, `foreign` if another program answers
 */
export async function prove(signal?: AbortSignal): Promise<number | 'foreign'> {
  if (await isIntercepted()) return 'foreign';
  const { own, stored } = await readKeys();
  const keys = [own, stored?.key].filter((key) => key !== undefined);
  if (keys.length === 0) return withoutSession();
  const nonce = randomText();
  const query = new URLSearchParams({ nonce, ...(stored && { until: stored.until }) });
  const response = await send(`session?${query}`, { signal: signal ?? null }).catch(() => undefined);
  if (!response) return 0;
  if (!response.ok) return isEncrypted() ? (response.status === 401 ? withoutSession() : response.status) : 'foreign';
  const { start, until, proofs } = ((await response.json().catch(() => undefined)) ?? {}) as Record<string, unknown>;
  const signed = await Promise.all(keys.map((key) => sign(key, `host ${nonce} ${start}`)));
  const key = keys.find((_, index) => Array.isArray(proofs) && proofs.includes(signed[index]));
  if (key === undefined) return 'foreign';
  // The host has started again since this key was stored.
  if (key !== own && stored?.until !== until) return withoutSession();
  proof = await sign(key, `page ${start}`);
  if (key !== own) await receiveKey({}).catch(() => {}); // Then this page has to log in again after a restart.
  return 200;
}

function withoutSession(): number {
  proof = undefined;
  return isEncrypted() ? 200 : 401;
}

function isEncrypted(): boolean {
  return location.protocol === 'https:';
}

/** Sends a request with the session of this browser. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  if (isControlled()) throw new RequestError(0, 'offline');
  const headers = new Headers(init.headers);
  if (proof !== undefined) headers.set('X-A2C-Session', proof);
  return fetch(interfaceUrl(path), { ...init, headers, credentials: 'same-origin', redirect: 'manual' });
}

function jsonBody(value: object) {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

async function exchange(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await send(path, init);
  } catch {
    throw new RequestError(0, 'offline');
  }
  const body: unknown = await response.json().catch(() => ({}));
  if (response.ok) return body;
  throw new RequestError(response.status, messageOf(body) ?? `HTTP ${response.status}`);
}

function messageOf(body: unknown): string | undefined {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: { message?: unknown } };
  const text = language.value === 'zh' ? (error?.message ?? message) : message;
  return typeof text === 'string' ? text : undefined;
}
