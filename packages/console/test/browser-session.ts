import { createHmac } from 'node:crypto';
import { expect } from 'vitest';

/** A console, and the token of its link. */
interface Place {
  readonly origin: string;
  readonly token: string;
}

/** The headers of a session. */
export interface SessionHeaders extends Record<string, string> {
  readonly Cookie: string;
  readonly 'X-A2C-Session': string;
}

/** What a browser has after the login: a cookie, and a key that it does not send. */
export interface BrowserSession {
  readonly Cookie: string;
  readonly key: string;
}

/** Logs in with the token of the link. */
export async function beginSession({ origin, token }: Place): Promise<BrowserSession & { readonly until: string }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${origin}/operator/session`, { method: 'POST', headers, body: '{}' });
  const { key, until } = (await response.json()) as { key: string; until: string };
  return { Cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', key, until };
}

/** Signs as the page does. */
export function sign(key: string, text: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url');
}

/** Does what the page does: checks the proof of the host, and returns the headers of the session. */
export async function prove(
  { origin }: Pick<Place, 'origin'>,
  { Cookie, key }: BrowserSession,
  until = '',
): Promise<SessionHeaders> {
  const nonce = 'n'.repeat(32);
  const answer = await fetch(`${origin}/operator/session?nonce=${nonce}&until=${until}`, { headers: { Cookie } });
  expect(answer.status).toBe(200);
  const { start, proofs } = (await answer.json()) as { start: string; proofs: string[] };
  expect(proofs).toContain(sign(key, `host ${nonce} ${start}`));
  return { Cookie, 'X-A2C-Session': sign(key, `page ${start}`) };
}

/** Logs in with the token of the link. Returns the headers of the session. */
export async function logIn(at: Place): Promise<SessionHeaders> {
  return prove(at, await beginSession(at));
}
