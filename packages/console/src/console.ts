import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  errorAnswer,
  OPERATOR_REQUESTS,
  type OperatorCaller,
  type OperatorPart,
  type OperatorRequest,
  SMCPError,
} from '@a2c/protocol';
import { Access, type AuthenticateOperator, type OperatorIdentity } from './access.js';
import { Attempt, identifiersIn, type OperatorAuditRecord, withoutFloods } from './audit-record.js';
import { EndedSessions } from './ended-sessions.js';
import { EventStreams } from './event-stream.js';
import { freshLocalName, isReachedAsLocalhost } from './local-names.js';
import { servePage } from './page-files.js';
import { queryOf, readBody, readParameters } from './parameters.js';
import { sealingKey } from './sealed-cookie.js';

/** Options of {@link createConsole}. */
export interface ConsoleOptions {
  /** What is offered. The first event of a stream lists the requests that they answer. */
  readonly parts: readonly OperatorPart[];
  /** Creates a token for this start, which `link` contains. Only for hosts on loopback. */
  readonly withLink: boolean;
  /** Accepts the credentials of a Server. */
  readonly authenticate?: AuthenticateOperator | undefined;
  /** On loopback, further names that `Host` may have, such as that of a reverse proxy; `*` for all. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * The file with the key of cookies. The sessions that were logged out are in a folder beside it. Without it, pages
   * have to log in again after a restart.
   */
  readonly keyFile?: string;
  /** Receives every attempt to change something. */
  readonly audit: (record: OperatorAuditRecord) => void;
  /** Receives internal errors, whose text is not sent. */
  readonly onError: (error: unknown) => void;
  /** The version of the program. */
  readonly version: string;
}

/** The console of a host: the page and the operator interface. */
export interface Console {
  /** Answers requests for `/`, `/console/` and `/operator/`. Returns false for other paths. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * The link for a browser, with the token of this start if there is one. On loopback without TLS it has a new name
   * under `localhost`; see {@link listenOnOtherLoopback}.
   */
  link(url: string): string;
  /** Ends all streams. */
  close(): void;
}

/** Paths of the console. */
const PAGE = '/console/';
const INTERFACE = '/operator/';
/** Answered by the Server itself. */
const SESSIONS = '/operator/sessions';

/** 128 bits, so that the link fits into one line of a terminal. */
const LINK_TOKEN_BYTES = 16;

/** The largest body of a request to log in. It needs none: the credential is in a header. */
const MAX_SESSION_BYTES = 1_024;

/**
 * Creates the console of a host.
 *
 * @example
 * ```ts
 * const console = await createConsole({ parts: [operator], withLink: true, audit, onError, version: '1.0.0' });
 * http.on('request', (request, response) => console.handle(request, response) || response.writeHead(404).end());
 * print(console.link('http://127.0.0.1:7000'));
 * ```
 */
export async function createConsole(options: ConsoleOptions): Promise<Console> {
  const token = options.withLink ? randomBytes(LINK_TOKEN_BYTES).toString('base64url') : undefined;
  const { authenticate, hosts } = options;
  const access = new Access({ token, authenticate, hosts, ...(await sessionStore(options)) });
  const host = new ConsoleHost(options, access);
  const localName = freshLocalName();
  return {
    handle: (request, response) => host.handle(request, response),
    link: (url) => {
      const link = new URL(PAGE, url);
      if (token === undefined) return link.href;
      if (isReachedAsLocalhost(link)) link.hostname = localName;
      link.hash = `token=${token}`;
      return link.href;
    },
    close: () => host.close(),
  };
}

/** Without the list of ended sessions, no earlier session is accepted: pages have to log in again. */
async function sessionStore({ keyFile, onError }: ConsoleOptions): Promise<{ key: Buffer; ended: EndedSessions }> {
  try {
    const ended = new EndedSessions(keyFile && `${keyFile}-ended`);
    return { key: await sealingKey(keyFile), ended };
  } catch (error) {
    onError(error);
    return { key: await sealingKey(undefined), ended: new EndedSessions(undefined) };
  }
}

class ConsoleHost {
  readonly #options: ConsoleOptions;
  readonly #access: Access;
  readonly #streams = new EventStreams();
  readonly #audit: (record: OperatorAuditRecord) => void;

  constructor(options: ConsoleOptions, access: Access) {
    this.#options = options;
    this.#access = access;
    this.#audit = withoutFloods(options.audit);
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = (request.url ?? '').split('?', 1)[0] as string;
    const isPage = path === '/' || path === PAGE.slice(0, -1) || path.startsWith(PAGE);
    if (isPage) void this.#answer(request, response, () => this.#page(path, request, response));
    else if (path.startsWith(INTERFACE) && !path.startsWith(SESSIONS)) {
      void this.#answer(request, response, () => this.#interface(path.slice(INTERFACE.length), request, response));
    } else return false;
    return true;
  }

  close(): void {
    this.#streams.close();
  }

  async #page(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#access.checkHost(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw wrongMethod(response, 'GET');
    // The page has none: it would be that of a program that had this port earlier.
    if (request.headers['service-worker'] !== undefined) throw new SMCPError('Forbidden', 'there is no service worker');
    if (!path.startsWith(PAGE)) return void response.writeHead(302, { Location: PAGE }).end();
    await servePage(path.slice(PAGE.length), request, response);
  }

  async #interface(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (name === 'session' && request.method === 'GET') return this.#prove(request, response);
    if (name === 'session') return this.#audited(name, request, (attempt) => this.#session(attempt, request, response));
    const isOffered = this.#isOffered(name);
    if (isOffered && OPERATOR_REQUESTS[name].changes) {
      return this.#audited(name, request, (attempt) => this.#change(name, attempt, request, response));
    }
    this.#access.checkOrigin(request);
    const visitor = await this.#access.identify(request);
    if (!isOffered && name !== 'events') {
      throw new SMCPError('NotFound', `this host does not answer "${name.slice(0, 100)}"`);
    }
    if (request.method !== 'GET') throw wrongMethod(response, 'GET');
    if (isOffered) {
      const given = await readParameters(request, OPERATOR_REQUESTS[name].parameters);
      return respond(response, 200, await this.#call(name, given, visitor));
    }
    const { parts, version } = this.#options;
    this.#streams.open(response, { parts, version, offers: this.#offers() }, visitor);
  }

  async #change(
    name: OperatorRequest,
    attempt: Attempt,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    this.#access.checkOrigin(request);
    const visitor = await this.#access.identify(request);
    attempt.subject = visitor.subject;
    if (request.method !== 'POST') throw wrongMethod(response, 'POST');
    const given = await readParameters(request, OPERATOR_REQUESTS[name].parameters);
    attempt.identifiers = identifiersIn(given);
    attempt.record('begun');
    respond(response, 200, await this.#call(name, given, visitor));
  }

  /** A page asks this first. Then it knows that no other program has taken the port meanwhile. */
  #prove(request: IncomingMessage, response: ServerResponse): void {
    this.#access.checkOrigin(request);
    const { nonce = '', until } = queryOf(request);
    respond(response, 200, this.#access.prove(request, nonce, until));
  }

  /** `POST` exchanges a credential for a cookie and a key, `DELETE` ends the session. */
  async #session(attempt: Attempt, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#access.checkOrigin(request);
    if (request.method !== 'POST' && request.method !== 'DELETE') throw wrongMethod(response, 'GET, POST, DELETE');
    await readBody(request, MAX_SESSION_BYTES);
    const isLogin = request.method === 'POST';
    attempt.identifiers = { action: isLogin ? 'login' : 'logout' };
    if (isLogin) {
      const { subject, ...keys } = await this.#access.logIn(request, response);
      attempt.subject = subject;
      return respond(response, 200, keys);
    }
    await this.#access.logOut(request, response, ({ id, subject }) => {
      attempt.subject = subject;
      this.#streams.endSession(id);
    });
    respond(response, 200, {});
  }

  #offers(): OperatorRequest[] {
    const names = this.#options.parts.flatMap(({ handlers }) => Object.keys(handlers) as OperatorRequest[]);
    return [...new Set(names)];
  }

  #isOffered(name: string): name is OperatorRequest {
    return Object.hasOwn(OPERATOR_REQUESTS, name) && this.#offers().includes(name as OperatorRequest);
  }

  /** Asks every part that offers the request. Together they know the Server's and the Computer's side of a call. */
  async #call(name: OperatorRequest, parameters: object, { subject }: OperatorIdentity): Promise<object> {
    const caller: OperatorCaller = { subject, send: this.#streams.send };
    const answers: object[] = [];
    for (const { handlers } of this.#options.parts) {
      const answer = await handlers[name]?.(parameters as never, caller);
      if (answer !== undefined) answers.push(answer);
    }
    if (answers.length === 0) throw new SMCPError('NotFound', `${name}: not found; it may have ended or been removed`);
    return Object.assign({}, ...answers) as object;
  }

  /** Records how an attempt ends, also if it is refused. */
  async #audited(name: string, request: IncomingMessage, work: (attempt: Attempt) => Promise<void>): Promise<void> {
    const attempt = new Attempt(name, request.socket.remoteAddress ?? '', this.#audit);
    try {
      await work(attempt);
      attempt.record('ok');
    } catch (error) {
      attempt.record(SMCPError.from(error).kind);
      throw error;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, respondTo: () => Promise<void>): Promise<void> {
    try {
      await respondTo();
    } catch (thrown) {
      const error = SMCPError.from(thrown);
      if (error.cause !== undefined) this.#options.onError(thrown);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      // The rest of a refused body is not read.
      if (!request.complete) response.setHeader('Connection', 'close');
      if (error.code === 401) response.setHeader('WWW-Authenticate', 'Bearer');
      const status = error.code >= 400 && error.code < 600 ? error.code : 500;
      // `error.message` begins with a Chinese title, as on the wire; `message` is English.
      respond(response, status, { ...errorAnswer(error), message: error.message });
    }
  }
}

function wrongMethod(response: ServerResponse, allowed: string): SMCPError {
  response.setHeader('Allow', allowed);
  return new SMCPError('BadRequest', `use ${allowed}`);
}

function respond(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    })
    .end(JSON.stringify(body));
}
