import type { IncomingHttpHeaders } from 'node:http';
import type { PeerCertificate } from 'node:tls';
import { type AgentScope, matchesPattern, type Role, SMCPError } from '@a2c/protocol';

/** What a connection presents to authenticate. Everything except `certificate` is unverified input of the peer. */
export interface Handshake {
  /** The HTTP headers of the first request. */
  readonly headers: IncomingHttpHeaders;
  /** Socket.IO's `auth` object. */
  readonly auth: Readonly<Record<string, unknown>>;
  /** The query of the first request. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The IP address of the client. */
  readonly address: string;
  /** The client certificate, if TLS verified it against the configured authority. */
  readonly certificate: PeerCertificate | undefined;
  /** Reports to the log, not to the peer, why an authenticator does not accept the credentials. */
  readonly explain?: ((reason: string) => void) | undefined;
}

/** Who a connection is authenticated as, and what it may do. A missing restriction allows everything. */
export interface Identity extends AgentScope {
  /** The stable name of the credential's holder. It appears in the audit log. */
  readonly subject: string;
  /**
   * Who vouches for the subject, such as `jwt`. Equal subjects of different methods are different identities: one
   * cannot take over the seats of the other.
   */
  readonly method?: string | undefined;
  /** The roles it may join in. */
  readonly roles?: readonly Role[] | undefined;
  /** The offices it may join: patterns with `*`, for example `team-a/*`. */
  readonly offices?: readonly string[] | undefined;
  /** The member names it may use: patterns with `*`. */
  readonly names?: readonly string[] | undefined;
  /** When the Server disconnects it. */
  readonly expires?: Date | undefined;
  /** Aborted when the credential is withdrawn. The Server then disconnects it. */
  readonly revoked?: AbortSignal | undefined;
  /** Whether it may use the operator endpoints: list and end sessions, read metrics. False by default. */
  readonly operator?: boolean | undefined;
}

/**
 * Authenticates a connection: returns its identity, or `undefined` for unknown credentials, which {@link firstOf} then
 * passes to the next authenticator. An error refuses the connection.
 *
 * @example
 * ```ts
 * const authenticate: Authenticator = async ({ auth }) => {
 *   const user = await users.findByToken(String(auth.token));
 *   return user && { subject: user.name, roles: ['agent'], offices: [`${user.team}/*`] };
 * };
 * ```
 */
export type Authenticator = (handshake: Handshake) => Promise<Identity | undefined> | Identity | undefined;

/** The identity of every connection where authentication is off. */
export const ANONYMOUS: Identity = { subject: 'anonymous', method: 'anonymous' };

/** The method of authenticators that name none. */
const OTHER_METHOD = 'other';

/** Returns the method of an identity, also of one that names none. */
export function methodOf({ method = OTHER_METHOD }: Identity): string {
  return method;
}

/** Whether an identity is that of all connections. An authenticator that names no method may use its subject. */
export function isAnonymous({ subject, method = ANONYMOUS.method }: Identity): boolean {
  return subject === ANONYMOUS.subject && method === ANONYMOUS.method;
}

/** The identity of everybody who has the only key of a Server. */
export const API_KEY: Identity = { subject: 'api-key', method: 'api-key', operator: true };

/** Whether all members of a Server have this identity. */
export function isShared(identity: Identity): boolean {
  return isAnonymous(identity) || identity.method === API_KEY.method;
}

/**
 * Accepts every connection. For loopback: {@link listen} refuses it on other addresses unless `allowInsecure` is set.
 *
 * @example
 * ```ts
 * const { url } = await listen({ port: 0, authenticate: allowAnonymous });
 * ```
 */
export const allowAnonymous: Authenticator = () => ANONYMOUS;

/**
 * Combines authenticators: the first one that knows the credentials decides.
 *
 * @example
 * ```ts
 * const authenticate = firstOf([await authFile({ path: 'keys.json' }), jwt({ jwks: 'jwks.json', audience: 'a2c' })]);
 * ```
 */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return async (handshake) => {
    for (const authenticate of authenticators) {
      const identity = await authenticate(handshake);
      if (identity) return identity;
    }
    return undefined;
  };
}

/** @throws SMCPError 403 if the identity may not join with this role, office or name */
export function authoriseJoin(identity: Identity, join: { role: Role; name: string; office_id: string }): void {
  const { roles, offices, names } = identity;
  if (roles && !roles.includes(join.role)) throw forbidden(`may not join as ${join.role}`);
  if (offices && !matchesAny(offices, join.office_id)) throw forbidden(`may not join office "${join.office_id}"`);
  if (names && !matchesAny(names, join.name)) throw forbidden(`may not use the name "${join.name}"`);
}

function forbidden(what: string): SMCPError {
  return new SMCPError('Forbidden', `this identity ${what}`);
}

function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, text));
}

/** Returns the credential of a handshake: from the header, the `auth` object or the bearer token. */
export function credentialOf(
  { headers, auth }: Pick<Handshake, 'headers' | 'auth'>,
  header = 'x-api-key',
): string | undefined {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const named = headers[header.toLowerCase()];
  const candidates = [named, auth[header], auth.api_key, auth.token, headers.access_token, bearer];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}
