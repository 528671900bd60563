import type { IncomingHttpHeaders } from 'node:http';
import type { PeerCertificate } from 'node:tls';
import { type Role, SMCPError } from '@a2c/protocol';

/** What a connection brings to be recognised by. Everything but `certificate` comes from the peer and may be anything. */
export interface HandshakeFacts {
  readonly headers: IncomingHttpHeaders;
  /** Socket.IO's `auth` object. */
  readonly auth: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly address: string;
  /** The client certificate, only when TLS verified it against the configured authority. */
  readonly certificate: PeerCertificate | undefined;
}

/** Who a connection is and what it may do. Absent rights mean all. */
export interface Identity {
  /** Stable name of whoever holds the credential; it appears in the audit log. */
  readonly subject: string;
  readonly roles?: readonly Role[] | undefined;
  /** Patterns with `*`, for example `team-a/*`. */
  readonly offices?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  /** When the connection ends, at the latest. */
  readonly expires?: Date | undefined;
}

/** Resolves to the identity, or to `undefined` when it does not know the credentials; a throw refuses for good. */
export type Authenticator = (handshake: HandshakeFacts) => Promise<Identity | undefined> | Identity | undefined;

export const ANONYMOUS: Identity = { subject: 'anonymous' };

/** Lets everybody in. Meant for loopback; `listen` refuses it elsewhere unless forced. */
export const allowAnonymous: Authenticator = () => ANONYMOUS;

/** Asks one after the other; the first that knows the credentials decides. */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return async (handshake) => {
    for (const authenticate of authenticators) {
      const identity = await authenticate(handshake);
      if (identity) return identity;
    }
    return undefined;
  };
}

/** Throws a 403 when the identity may not take this seat. */
export function authoriseSeat(identity: Identity, seat: { role: Role; name: string; office_id: string }): void {
  const { roles, offices, names } = identity;
  if (roles && !roles.includes(seat.role)) throw refusal(`may not join as ${seat.role}`);
  if (offices && !matchesAny(offices, seat.office_id)) throw refusal(`may not join office "${seat.office_id}"`);
  if (names && !matchesAny(names, seat.name)) throw refusal(`may not use the name "${seat.name}"`);
}

function refusal(what: string): SMCPError {
  return new SMCPError('Forbidden', `this identity ${what}`);
}

function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matches(pattern, text));
}

/** `*` stands for any characters. Without backtracking: greedy parts are searched left to right. */
export function matches(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === text;
  const tail = rest.pop() as string;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let from = head.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > text.length - tail.length) return false;
    from = at + part.length;
  }
  return true;
}

/** The credential of a request, from the places where clients put one. */
export function credentialOf({ headers, auth }: HandshakeFacts, header = 'x-api-key'): string | undefined {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const named = headers[header.toLowerCase()];
  const candidates = [named, auth[header], auth.api_key, auth.token, bearer];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}
