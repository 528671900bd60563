import type { IncomingMessage } from 'node:http';
import type { Logger } from '@a2c/log';
import { type Role, SMCPError } from '@a2c/protocol';
import type { ClientAddress } from '../access/client-address.js';
import { assertUnexpired, certificateOf } from '../access/client-certificate.js';
import { tooManyRequests } from '../access/handshake-checks.js';
import type { Authenticator, Identity } from '../access/identity.js';
import { KeyedBuckets } from '../access/rate-limit.js';
import type { SMCPNamespace } from '../rooms/connection.js';
import type { AuditLog } from './audit.js';
import type { Metrics } from './metrics.js';

/** A connection to this node, as the operator endpoints list it. */
export interface ServerSession {
  /** The id of the connection. */
  readonly sid: string;
  /** The identity it is authenticated as. */
  readonly subject: string;
  /** The IP address of the client. */
  readonly address: string;
  /** When it connected, ISO 8601. */
  readonly since: string;
  /** Its office, role and name; missing before it has joined. */
  readonly office?: string;
  /** `agent` or `computer`. */
  readonly role?: Role;
  /** The name of the member. */
  readonly name?: string;
  /** The pending calls of an Agent. */
  readonly calls: number;
}

export interface OperatorsOptions {
  readonly namespace: SMCPNamespace;
  readonly authenticate: Authenticator;
  readonly addressOf: ClientAddress;
  /** Requests per client address and second. */
  readonly requestsPerSecond: number;
  readonly metrics: Metrics;
  readonly audit: AuditLog | undefined;
  readonly logger: Logger;
}

/** What operators can do: list and end the sessions of this node. */
export class Operators {
  readonly #options: OperatorsOptions;
  readonly #rate: KeyedBuckets;

  constructor(options: OperatorsOptions) {
    this.#options = options;
    this.#rate = new KeyedBuckets(options.requestsPerSecond);
  }

  sessions(): readonly ServerSession[] {
    return [...this.#options.namespace.sockets.values()].map(({ data: { connection } }) => {
      const { id: sid, identity, address, member, connectedAt, calls } = connection;
      return {
        sid,
        subject: identity.subject,
        address,
        since: new Date(connectedAt).toISOString(),
        ...(member && { office: member.office, role: member.role, name: member.name }),
        calls: calls.size,
      };
    });
  }

  kick(sid: string, by: string): boolean {
    const { namespace, logger, metrics, audit } = this.#options;
    const socket = namespace.sockets.get(sid);
    if (!socket) return false;
    const { identity, address, member } = socket.data.connection;
    logger.info({ sid, subject: identity.subject, address, office: member?.office, by }, 'session kicked');
    metrics.refused('kicked');
    const time = new Date().toISOString();
    audit?.append({ time, event: 'operator:kick', verdict: 'ok', subject: by, address, sid });
    socket.disconnect(true);
    return true;
  }

  /** Authenticates a request with the same credentials in its headers as a connection. */
  async authenticate(request: IncomingMessage): Promise<Identity> {
    const address = this.#options.addressOf(request);
    let subject: string | undefined;
    try {
      const identity = await this.#identify(request, address);
      subject = identity.subject;
      if (identity.operator !== true) throw new SMCPError('Forbidden', 'this identity has no operator right');
      return identity;
    } catch (thrown) {
      const { kind: reason, code, message: detail, cause } = SMCPError.from(thrown);
      const path = (request.url ?? '').split('?', 1)[0]; // a query may contain a key
      const who = { address, ...(subject !== undefined && { subject }) };
      this.#options.logger.info({ ...who, path, reason, code, detail }, 'operator request refused');
      if (cause !== undefined) this.#options.logger.error({ err: thrown }, 'internal error while authenticating');
      throw thrown;
    }
  }

  async #identify(request: IncomingMessage, address: string): Promise<Identity> {
    const wait = this.#rate.take(address);
    if (wait > 0) throw tooManyRequests('too many requests from this address', wait);
    const certificate = certificateOf(request);
    assertUnexpired(certificate);
    const { headers } = request;
    const identity = await this.#options.authenticate({ headers, auth: {}, query: {}, address, certificate });
    if (!identity) throw new SMCPError('Unauthorized', 'unknown credentials');
    return identity;
  }
}
