import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { SMCPError } from '@a2c/protocol';
import type { EndedSessions } from './ended-sessions.js';
import { isLocalHost } from './local-names.js';
import { seal, unseal } from './sealed-cookie.js';
import { type HostProof, SessionProofs, storedKey } from './session-proof.js';

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
  /** Where the session began: the `Host` of the request, and the port. Hosts of one user share the key of cookies. */
  readonly host: string;
  readonly port: number | undefined;
}

/** What a page receives at login. */
export interface Login {
  readonly subject: string;
  /** The key of the session; undefined without one. */
  readonly key?: string;
  /** How long the key that the browser stores is valid. */
  readonly until?: string;
}

/** Decides which HTTP requests are answered. All rules of the operator interface are here. */
export class Access {
  readonly #options: AccessOptions;
  readonly #proofs = new SessionProofs();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /**
   * Checks the name by which a host was reached, against DNS rebinding.
   *
   * @throws SMCPError 403
   */
  checkHost({ headers: { host = '' } }: IncomingMessage): void {
    const { token, authenticate, hosts = [] } = this.#options;
    const isOnLoopback = token !== undefined || !authenticate;
    const name = host.replace(/:\d+$/, '').toLowerCase();
    if (isOnLoopback && !isLocalHost(host) && !hosts.includes(name) && !hosts.includes('*')) {
      throw new SMCPError('Forbidden', 'the Host header does not name this machine');
    }
  }

  /**
   * Checks where a request comes from: `Host`, `Origin` and `Sec-Fetch-Site` against pages of other origins, the
   * content type against forms.
   *
   * @throws SMCPError 403
   */
  checkOrigin(request: IncomingMessage): void {
    this.checkHost(request);
    const { headers, method } = request;
    const { host = '', origin, 'sec-fetch-site': site } = headers;
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
   * Exchanges the credential of a request for a cookie and a key. A page that was loaded again has its session, and
   * receives the key of it.
   */
  async logIn(request: IncomingMessage, response: ServerResponse): Promise<Login> {
    const { authorization } = request.headers;
    const { subject } = await this.identify(request);
    const until = this.#until(request);
    const present = authorization === undefined ? this.#session(request) : undefined;
    if (present) return { subject, key: present.key, until };
    // A client certificate needs no cookie.
    if (authorization === undefined) return { subject };
    const session: Session = {
      id: randomUUID(),
      authorization: this.#isToken(authorization) ? null : authorization,
      subject,
      expires: Date.now() + COOKIE_SECONDS * 1_000,
      key: randomBytes(32).toString('base64url'),
      host: hostOf(request),
      port: request.socket.localPort,
    };
    this.#setCookie(request, response, seal(session, this.#options.key), COOKIE_SECONDS);
    return { subject, key: session.key, until };
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
   * @param until that of the key that the browser has stored; it may be of an earlier start
   * @throws SMCPError 401 without a valid cookie
   */
  prove(request: IncomingMessage, nonce: string, until: string | undefined): HostProof {
    const sessions = this.#sessions(request);
    if (sessions.length === 0) throw new SMCPError('Unauthorized', 'the request has no cookie of a session');
    const keys = sessions.flatMap(({ key }) => [key, ...(until === undefined ? [] : [storedKey(key, until)])]);
    return { ...this.#proofs.ofHost(keys, nonce), until: this.#until(request) };
  }

  #session(request: IncomingMessage): Session | undefined {
    const given = request.headers[PROOF_HEADER];
    if (typeof given !== 'string') return undefined;
    const until = this.#until(request);
    return this.#sessions(request).find(({ key }) =>
      [key, storedKey(key, until)].some((each) => isEqual(given, this.#proofs.ofPage(each))),
    );
  }

  /**
   * How long a stored key is valid. While a2c is stopped, another program of this machine can have the origin, and use
   * what browsers have stored for it. An origin with a certificate is never that of another program.
   */
  #until(request: IncomingMessage): string {
    return isLocalHost(hostOf(request)) ? this.#proofs.start : 'logout';
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

  #isValid({ id, authorization, expires, key, host, port }: Session, request: IncomingMessage): boolean {
    if (typeof key !== 'string' || host !== hostOf(request) || port !== request.socket.localPort) return false;
    if (expires < Date.now() || this.#options.ended.has(id)) return false;
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
function cookieName(request: IncomingMessage): string {
  return `a2c_console_${/:(\d+)$/.exec(hostOf(request))?.[1] ?? 'default'}`;
}

function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  return host.toLowerCase();
}

/** Digests have equal lengths, so the time of the comparison reveals nothing. */
function isEqual(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
