import type { OperatorAnswers, OperatorParameters, OperatorRequest } from '@a2c/protocol';
import { forgetKey, keepKey, randomText, readKey, sign } from './session-key.js';
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
  const init = jsonBody({});
  const headers = { ...init.headers, Authorization: `Bearer ${credential}` };
  const { key } = (await exchange('session', { ...init, headers })) as { key?: string };
  if (key !== undefined) await keepKey(key);
}

/** Ends the session of this browser, also if the host cannot be reached: without its key, the session is useless. */
export async function endSession(): Promise<void> {
  // First, so that no other tab takes the end of its stream for that of the host.
  await forgetKey();
  if (connection.value === 'open') await exchange('session', { method: 'DELETE' });
}

/** Whether this browser has the key of a session. */
export async function hasSession(): Promise<boolean> {
  return (await readKey()) !== undefined;
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
  const key = await readKey();
  if (key === undefined) return withoutSession();
  const nonce = randomText();
  const response = await send(`session?nonce=${nonce}`, { signal: signal ?? null }).catch(() => undefined);
  if (!response) return 0;
  if (!response.ok) return isEncrypted() ? (response.status === 401 ? withoutSession() : response.status) : 'foreign';
  const { start, proofs } = ((await response.json().catch(() => undefined)) ?? {}) as Record<string, unknown>;
  if (!Array.isArray(proofs) || !proofs.includes(await sign(key, `host ${nonce} ${start}`))) return 'foreign';
  proof = await sign(key, `page ${start}`);
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
export function send(path: string, init: RequestInit = {}): Promise<Response> {
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
