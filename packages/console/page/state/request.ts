import type { OperatorAnswers, OperatorParameters, OperatorRequest } from '@a2c/protocol';
import { language, readStored, store } from './settings.js';

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
  const query = isQuery ? `?${new URLSearchParams(parameters as Record<string, string>)}` : '';
  const answer = await exchange(`${name}${query}`, isQuery ? { method: 'GET' } : jsonBody(parameters));
  return answer as OperatorAnswers[R];
}

/** Exchanges the token of the link, or a key, for a cookie and the proof that is sent with it. */
export async function logIn(credential: string): Promise<void> {
  const init = jsonBody({});
  const headers = { ...init.headers, Authorization: `Bearer ${credential}` };
  const { session } = (await exchange('session', { ...init, headers })) as { session?: string };
  if (session !== undefined) store('session', session);
}

/** Ends the session of this browser. */
export async function endSession(): Promise<void> {
  await exchange('session', { method: 'DELETE' });
}

/** Sends a request with the session of this browser. All tabs share it. */
export function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const proof = readStored('session');
  if (proof !== null) headers.set('X-A2C-Session', proof);
  return fetch(interfaceUrl(path), { ...init, headers, credentials: 'same-origin' });
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
