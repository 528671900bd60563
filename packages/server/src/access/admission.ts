import type { IncomingMessage } from 'node:http';
import type { Logger } from '@a2c/log';
import {
  declaredGeneration,
  declaredVersion,
  errorAnswer,
  judgeVersion,
  SMCP_NAMESPACE,
  SMCPError,
  type VersionPolicy,
} from '@a2c/protocol';
import type { Server as SocketServer } from 'socket.io';
import type { Metrics } from '../operation/metrics.js';
import type { OperatorFeed } from '../operation/operator-feed.js';
import type { ServerLimits, ServerOptions } from '../options.js';
import { Connection, type SMCPNamespace, type SMCPSocket } from '../rooms/connection.js';
import { type HostCheck, hostCheck } from './allowed-hosts.js';
import type { ClientAddress } from './client-address.js';
import { assertUnexpired, certificateOf } from './client-certificate.js';
import { handshakeChecks } from './handshake-checks.js';
import { allowAnonymous, credentialOf, isAnonymous } from './identity.js';
import { Transports } from './transports.js';

export interface AdmissionOptions extends Pick<ServerOptions, 'http' | 'hosts' | 'origins' | 'authenticate' | 'audit'> {
  readonly versionPolicy: VersionPolicy;
  readonly limits: ServerLimits;
  readonly addressOf: ClientAddress;
  readonly isDraining: () => boolean;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly feed: OperatorFeed | undefined;
  /** Called before the refusal is sent. */
  readonly onRefused: (transport: SMCPSocket['conn']) => void;
  /** Ends a transport without waiting for its peer. */
  readonly terminate: (transport: SMCPSocket['conn']) => void;
}

/** Decides which connections are admitted: checks the handshake, then version and credentials. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #transports = new Transports();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Checks the handshakes of new transports. */
  checkHandshakes(io: SocketServer): void {
    const { limits, addressOf, metrics, logger, feed } = this.#options;
    io.engine.use(
      handshakeChecks({
        ...this.#options,
        isHostAllowed: this.#isHostAllowed(),
        handshakesPerSecond: limits.handshakesPerSecond,
        connectionsPerAddress: limits.connectionsPerAddress,
        connectionsFrom: (address) => this.#transports.openFrom(address),
        makeRoom: (address) => this.#makeRoom(address),
        hasCredentials: (request) =>
          credentialOf({ headers: request.headers, auth: {} }) !== undefined || certificateOf(request) !== undefined,
        isMember: (request) => this.#isMember(request),
        onRefused: (request, { kind: reason, code, message }) => {
          metrics.refused('gate');
          const address = addressOf(request);
          const { origin } = request.headers;
          const from = { address, ...(origin !== undefined && { origin }) };
          logger.info({ ...from, reason, code, detail: message }, 'connection refused');
          feed?.refused({ event: 'connect', reason, code, message, address });
        },
      }),
    );
    this.#transports.watch(io, addressOf);
  }

  /** Authenticates the connections to a namespace, and refuses those to the default one. */
  authenticate(io: SocketServer, namespace: SMCPNamespace): void {
    namespace.use((socket, next) => {
      this.#authenticate(socket).then(
        () => next(),
        (error: unknown) => next(this.#refuse(socket, error)),
      );
    });
    // The default namespace would accept connections without credentials.
    io.of('/').use((_socket, next) => next(connectError(new SMCPError('NotFound', `connect to ${SMCP_NAMESPACE}`))));
  }

  #isHostAllowed(): HostCheck {
    const { hosts, authenticate, http } = this.#options;
    if (hosts === undefined && authenticate !== allowAnonymous) return () => true;
    // The address is known when the HTTP server listens.
    let check: HostCheck | undefined;
    return (header) => {
      if (!check) {
        const address = http.address();
        check = hostCheck(hosts, typeof address === 'object' ? address?.address : undefined);
      }
      return check(header);
    };
  }

  #makeRoom(address: string): boolean {
    const transport = this.#transports.evictFrom(address);
    if (!transport) return false;
    this.#options.terminate(transport);
    this.#options.metrics.refused('gate');
    return true;
  }

  async #isMember(request: IncomingMessage): Promise<boolean> {
    const { addressOf, authenticate } = this.#options;
    try {
      const certificate = certificateOf(request);
      assertUnexpired(certificate);
      const { headers } = request;
      const address = addressOf(request);
      const identity = await authenticate({ headers, auth: {}, query: {}, address, certificate });
      return identity !== undefined && !isAnonymous(identity);
    } catch {
      return false; // The handshake is refused. Its reason is reported when the credentials are presented again.
    }
  }

  async #authenticate(socket: SMCPSocket): Promise<void> {
    const { versionPolicy, limits, addressOf, authenticate } = this.#options;
    const { headers, auth, query } = socket.handshake;
    const address = addressOf(socket.request);
    const version = declaredVersion({ query, auth });
    // Without a version here, the join is checked.
    const verdict = judgeVersion(version, version === undefined ? 'lenient' : versionPolicy);
    if (!verdict.ok) throw verdict.error;
    const certificate = this.#transports.certificateOf(socket.conn);
    assertUnexpired(certificate);
    const reasons: string[] = [];
    const explain = (reason: string) => void reasons.push(reason);
    const identity = await authenticate({ headers, auth, query, address, certificate, explain });
    if (!identity) throw new UnknownCredentials(reasons);
    const generation = declaredGeneration({ query, auth });
    socket.data.connection = new Connection({ socket, identity, address, version, generation, limits });
    this.#transports.admitted(socket.conn);
  }

  #refuse({ request, conn }: SMCPSocket, thrown: unknown): Error {
    this.#transports.refused(conn);
    this.#options.onRefused(conn);
    const error = SMCPError.from(thrown);
    this.#report(request, error, thrown);
    return connectError(error);
  }

  #report(request: IncomingMessage, error: SMCPError, thrown: unknown): void {
    const { addressOf, metrics, audit, logger, feed } = this.#options;
    const address = addressOf(request);
    const { kind: reason, code, message } = error;
    if (error.cause !== undefined) logger.error({ err: thrown }, 'internal error while authenticating');
    metrics.refused('authentication');
    const explained = thrown instanceof UnknownCredentials ? thrown.reasons : [];
    logger.info({ address, reason, code, detail: [message, ...explained].join('; ') }, 'connection refused');
    const time = new Date().toISOString();
    audit?.append({ time, event: 'connect', verdict: reason, code, subject: 'unknown', address });
    feed?.refused({ event: 'connect', reason, code, message, address });
  }
}

/** The reasons are for the log: the peer must not learn which part of its credentials is wrong. */
class UnknownCredentials extends SMCPError {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super('Unauthorized', 'unknown credentials');
    this.reasons = reasons;
  }
}

/** Old Python clients match this message. Other clients read the structured reason in `data`. */
function connectError(error: SMCPError): Error {
  return Object.assign(new Error('Invalid connection request'), { data: errorAnswer(error) });
}
