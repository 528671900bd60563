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
import { EventStreams } from './event-stream.js';
import { servePage } from './page-files.js';
import { readParameters } from './parameters.js';
import { sealingKey } from './sealed-cookie.js';

/** A record of the audit log: who changed what. It contains no values and no arguments. */
export interface OperatorAuditRecord {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** `operator:` and the name of the request. */
  readonly event: string;
  /** `ok`, or the name of the error. */
  readonly verdict: string;
  readonly subject: string;
  readonly address: string;
  /** Identifiers that the request names, such as `server` and `tool`. */
  readonly [identifier: string]: string | number | undefined;
}

/** Options of {@link createConsole}. */
export interface ConsoleOptions {
  /** What is offered. The first event of a stream lists the requests that they answer. */
  readonly parts: readonly OperatorPart[];
  /** Creates a token for this start, which `link` contains. Only for hosts on loopback. */
  readonly withLink: boolean;
  /** Accepts the credentials of a Server. */
  readonly authenticate?: AuthenticateOperator | undefined;
  /** The file with the key of cookies. Without it, pages have to log in again after a restart. */
  readonly keyFile?: string;
  /** Receives every change. */
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
  /** The link for a browser, with the token of this start if there is one. */
  link(origin: string): string;
  /** Ends all streams. */
  close(): void;
}

/** Paths of the console. */
const PAGE = '/console/';
const INTERFACE = '/operator/';
/** Answered by the Server itself. */
const SESSIONS = '/operator/sessions';

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
  const token = options.withLink ? randomBytes(32).toString('base64url') : undefined;
  const key = await sealingKey(options.keyFile);
  const access = new Access({ token, authenticate: options.authenticate, key });
  const host = new ConsoleHost(options, access);
  return {
    handle: (request, response) => host.handle(request, response),
    link: (origin) => `${origin}${PAGE}${token === undefined ? '' : `#token=${token}`}`,
    close: () => host.close(),
  };
}

class ConsoleHost {
  readonly #options: ConsoleOptions;
  readonly #access: Access;
  readonly #streams = new EventStreams();

  constructor(options: ConsoleOptions, access: Access) {
    this.#options = options;
    this.#access = access;
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = (request.url ?? '').split('?', 1)[0] as string;
    if (path === '/' || path === PAGE.slice(0, -1)) response.writeHead(302, { Location: PAGE }).end();
    else if (path.startsWith(PAGE)) void this.#answer(response, () => this.#page(path, request, response));
    else if (path.startsWith(INTERFACE) && !path.startsWith(SESSIONS)) {
      void this.#answer(response, () => this.#interface(path.slice(INTERFACE.length), request, response));
    } else return false;
    return true;
  }

  close(): void {
    this.#streams.close();
  }

  async #page(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw wrongMethod(response, 'GET');
    await servePage(path.slice(PAGE.length), request, response);
  }

  async #interface(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#access.checkOrigin(request);
    if (name === 'session') return this.#session(request, response);
    const identity = await this.#access.identify(request);
    if (name === 'events') {
      if (request.method !== 'GET') throw wrongMethod(response, 'GET');
      const { parts, version } = this.#options;
      this.#streams.open(response, { parts, version, offers: this.#offers() }, identity);
      return;
    }
    if (!this.#isOffered(name)) throw new SMCPError('NotFound', `this host does not answer "${name.slice(0, 100)}"`);
    const { changes, parameters } = OPERATOR_REQUESTS[name];
    const method = changes ? 'POST' : 'GET';
    if (request.method !== method) throw wrongMethod(response, method);
    const given = await readParameters(request, parameters);
    const work = () => this.#call(name, given, identity);
    respond(response, 200, changes ? await this.#audited(name, given, identity, request, work) : await work());
  }

  /** `POST` exchanges a credential for a cookie, `DELETE` removes it. */
  async #session(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'DELETE') this.#access.logOut(request, response);
    else if (request.method !== 'POST') throw wrongMethod(response, 'POST, DELETE');
    else await this.#access.logIn(request, response);
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

  async #audited(
    name: OperatorRequest,
    parameters: object,
    { subject }: OperatorIdentity,
    request: IncomingMessage,
    work: () => Promise<object>,
  ): Promise<object> {
    const record = (verdict: string) =>
      this.#options.audit({
        time: new Date().toISOString(),
        event: `operator:${name}`,
        verdict,
        subject,
        address: request.socket.remoteAddress ?? '',
        ...identifiers(parameters),
      });
    try {
      const answer = await work();
      record('ok');
      return answer;
    } catch (error) {
      record(SMCPError.from(error).kind);
      throw error;
    }
  }

  async #answer(response: ServerResponse, respondTo: () => Promise<void>): Promise<void> {
    try {
      await respondTo();
    } catch (thrown) {
      const error = SMCPError.from(thrown);
      if (error.cause !== undefined) this.#options.onError(thrown);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      if (error.code === 401) response.setHeader('WWW-Authenticate', 'Bearer');
      respond(response, error.code >= 400 && error.code < 600 ? error.code : 500, errorAnswer(error));
    }
  }
}

/** Names, but neither values nor arguments. */
const RECORDED = ['server', 'tool', 'input', 'sid', 'id', 'answer'];

function identifiers(parameters: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter(([key, value]) => RECORDED.includes(key) && typeof value === 'string'),
  ) as Record<string, string>;
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
