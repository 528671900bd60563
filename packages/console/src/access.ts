import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { SMCPError } from '@a2c/protocol';
import type { EndedSessions } from './ended-sessions.js';
import { seal, unseal } from './sealed-cookie.js';
import { type HostProof, SessionProofs } from './session-proof.js';

/** Who an operator is. */
export interface OperatorIdentity {
  /** For the audit log. */
  readonly subject: string;
  /** When the credential expires. Streams end then. */
  readonly expires?: Date | undefined;
  /** Aborted when the credential is withdrawn. Streams end then. */
  readonly revoked?: AbortSignal | undefined;
}

/** An operator, and the session of the cookie if there is one. */
export interface Visitor extends OperatorIdentity {
  readonly session?: string | undefined;
}

/** Authenticates a request by the credentials in its headers. Throws if it has no operator right. */
export type AuthenticateOperator = (request: IncomingMessage) => Promise<OperatorIdentity>;

export interface AccessOptions {
  /** The token of the printed link. Only for hosts on loopback. */
  readonly token: string | undefined;
  readonly authenticate: AuthenticateOperator | undefined;
  /** Further names of this machine, such as that of a reverse proxy; `*` for all. */
  readonly hosts?: readonly string[] | undefined;
  /** Seals cookies. */
  readonly key: Buffer;
  readonly ended: EndedSessions;
}

/** How long a cookie is valid. */
const COOKIE_SECONDS = 7 * 24 * 3_600;

const LOOPBACK_HOST = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i;

/** The identity of everyone who has the link. */
const LINK = 'console';

/** The header with the proof of a session. */
const PROOF_HEADER = 'x-a2c-session';

/** The content of a cookie. */
export interface Session {
  readonly id: string;
  /** The credential that was given; null if the link was used. */
  readonly authorization: string | null;
  readonly subject: string;
  readonly expires: number;
  /** The page and the host prove with it who they are. Browsers send cookies to all ports of a host, but never this. */
  readonly key: string;
  /** The port of the host. Hosts of one user share the key of cookies. */
  readonly port: number | undefined;
}

/** Decides which HTTP requests are answered. All rules of the operator interface are here. */
export class Access {
  readonly #options: AccessOptions;
  readonly #proofs = new SessionProofs();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /**
   * Checks where a request comes from. `Host` protects against DNS rebinding, `Origin` and `Sec-Fetch-Site` against
   * pages of other origins, the content type against forms.
   *
   * @throws SMCPError 403
   */
  checkOrigin({ headers, method }: IncomingMessage): void {
    const { host = '', origin, 'sec-fetch-site': site } = headers;
    const { token, authenticate, hosts = [] } = this.#options;
    const isOnLoopback = token !== undefined || !authenticate;
    const name = host.replace(/:\d+$/, '').toLowerCase();
    if (isOnLoopback && !LOOPBACK_HOST.test(host) && !hosts.includes(name) && !hosts.includes('*')) {
      throw new SMCPError('Forbidden', 'the Host header does not name this machine');
    }
    if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host.toLowerCase())) {
      throw new SMCPError('Forbidden', 'requests of pages of other origins are refused');
    }
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new SMCPError('Forbidden', 'requests of pages of other origins are refused');
    }
    if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new SMCPError('BadRequest', 'send Content-Type: application/json');
    }
  }

  /** @throws SMCPError 401 or 403 */
  async identify(request: IncomingMessage): Promise<Visitor> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.#check(request, authorization);
    const session = this.#session(request);
    if (!session) return this.#check(request, undefined);
    const expires = new Date(session.expires);
    if (session.authorization === null) return { subject: LINK, session: session.id, expires };
    request.headers.authorization = session.authorization;
    const identity = await this.#check(request, session.authorization);
    const isEarlier = identity.expires !== undefined && identity.expires < expires;
    return { ...identity, session: session.id, ...(!isEarlier && { expires }) };
  }

  async #check(request: IncomingMessage, authorization: string | undefined): Promise<OperatorIdentity> {
    const { authenticate } = this.#options;
    if (this.#isToken(authorization)) return { subject: LINK };
    if (authenticate) return authenticate(request);
    throw new SMCPError('Unauthorized', 'open the link that a2c printed when it started');
  }

  #isToken(authorization: string | undefined): boolean {
    const { token } = this.#options;
    const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    return token !== undefined && given !== undefined && isEqual(given, token);
  }

  /**
   * Exchanges the credential of a request for a cookie and a key. Returns who logged in, and the key if a session
   * began.
   */
  async logIn(request: IncomingMessage, response: ServerResponse): Promise<{ subject: string; key?: string }> {
    const { subject, session: present } = await this.identify(request);
    const { authorization } = request.headers;
    // A client certificate needs no cookie, and a cookie is not exchanged for another.
    if (authorization === undefined || present !== undefined) return { subject };
    const session: Session = {
      id: randomUUID(),
      authorization: this.#isToken(authorization) ? null : authorization,
      subject,
      expires: Date.now() + COOKIE_SECONDS * 1_000,
      key: randomBytes(32).toString('base64url'),
      port: request.socket.localPort,
    };
    this.#setCookie(request, response, seal(session, this.#options.key), COOKIE_SECONDS);
    return { subject, key: session.key };
  }

  /**
   * Ends the session of a request. `onEnded` is called at once, also if the end cannot be stored.
   *
   * @throws SMCPError 401 if there is none, 500 if it would be valid again after a restart
   */
  async logOut(request: IncomingMessage, response: ServerResponse, onEnded: (session: Session) => void): Promise<void> {
    const session = this.#session(request);
    if (!session) throw new SMCPError('Unauthorized', 'the request belongs to no session that could be ended');
    this.#setCookie(request, response, '', 0);
    const stored = this.#options.ended.add(session.id, session.expires);
    onEnded(session);
    await stored.catch((cause: Error) => {
      const message =
        'the session has ended, but this cannot be stored, so that it would be valid again after a restart';
      throw new SMCPError('InternalError', `${message}: ${cause.message}`, { cause });
    });
  }

  /**
   * Proves to a page that this is the host where it logged in.
   *
   * @throws SMCPError 401 without a valid cookie
   */
  prove(request: IncomingMessage, nonce: string): HostProof {
    const sessions = this.#sessions(request);
    if (sessions.length === 0) throw new SMCPError('Unauthorized', 'the request has no cookie of a session');
    const keys = sessions.map(({ key }) => key);
    return this.#proofs.ofHost(keys, nonce);
  }

  #session(request: IncomingMessage): Session | undefined {
    const given = request.headers[PROOF_HEADER];
    if (typeof given !== 'string') return undefined;
    return this.#sessions(request).find(({ key }) => isEqual(given, this.#proofs.ofPage(key)));
  }

  /** The sessions of all cookies: other programs on this machine can set cookies of the same name. */
  #sessions(request: IncomingMessage): Session[] {
    const prefix = `${cookieName(request)}=`;
    const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
    const sealed = cookies.filter((cookie) => cookie.startsWith(prefix));
    return sealed
      .map((cookie) => unseal(cookie.slice(prefix.length), this.#options.key) as Session | undefined)
      .filter((session) => session !== undefined && this.#isValid(session, request)) as Session[];
  }

  #isValid({ id, authorization, expires, key, port }: Session, { socket }: IncomingMessage): boolean {
    if (typeof key !== 'string') return false;
    if (port !== socket.localPort || expires < Date.now() || this.#options.ended.has(id)) return false;
    // A key that is shared with an earlier start may have sealed a session that this host does not accept.
    return authorization !== null || this.#options.token !== undefined;
  }

  #setCookie(request: IncomingMessage, response: ServerResponse, value: string, seconds: number): void {
    const secure = (request.socket as TLSSocket).encrypted === true ? '; Secure' : '';
    response.setHeader(
      'Set-Cookie',
      `${cookieName(request)}=${value}; Path=/operator; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
    );
  }
}

/** Browsers send the cookies of a host to all its ports, so the name contains the port. */
function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `a2c_console_${/:(\d+)$/.exec(host)?.[1] ?? 'default'}`;
}

/** Digests have equal lengths, so the time of the comparison reveals nothing. */
function isEqual(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
