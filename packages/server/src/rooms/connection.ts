import {
  Bag,
  type ClientToServerEvents,
  type Generation,
  type Role,
  type ServerToClientEvents,
  type ShortLivedMap,
  SMCPError,
  timerMs,
} from '@a2c/protocol';
import type { Namespace, Socket } from 'socket.io';
import { type Identity, isAnonymous, methodOf } from '../access/identity.js';
import { TokenBucket } from '../access/rate-limit.js';
import { onRevoked } from '../access/revocation.js';
import type { PendingCall } from '../calls/pending-calls.js';
import type { ServerLimits } from '../options.js';
import type { RawJson } from '../wire/raw-json.js';
import type { Member } from './registry.js';

export interface SocketData {
  connection: Connection;
}

// Events between nodes are not part of the protocol and have no types.
// biome-ignore lint/suspicious/noExplicitAny: Socket.IO's own type for them
export type SMCPNamespace = Namespace<ClientToServerEvents, ServerToClientEvents, any, SocketData>;
// biome-ignore lint/suspicious/noExplicitAny: Socket.IO's own type for them
export type SMCPSocket = Socket<ClientToServerEvents, ServerToClientEvents, any, SocketData>;

export interface ConnectionOptions {
  readonly socket: SMCPSocket;
  readonly identity: Identity;
  readonly address: string;
  /** The protocol version and the generation that the handshake declares. */
  readonly version: string | undefined;
  readonly generation: Generation | undefined;
  readonly limits: ServerLimits;
}

/** The Python library `aiohttp`, under the Python SDK, ends the connection on a message over 4 MiB. */
const AIOHTTP_BYTES = 4 * 2 ** 20 - 512;

/** One socket on this node: its identity, its membership and its pending calls. */
export class Connection {
  readonly socket: SMCPSocket;
  readonly identity: Identity;
  readonly address: string;
  /** A random id of the client process, by which the Server recognises a reconnect. */
  readonly instance: string | undefined;
  /** Counts the connections of that process, so that an old one that is handled late is recognised. */
  readonly attempt: number | undefined;
  /** A random id of a Computer's process. Unlike `instance`, Agents see it. */
  readonly epoch: string | undefined;
  /** A peer of a2c: it adapts to the generations of others, and reads the third argument of an acknowledgement. */
  readonly adapts: boolean;
  /** The largest message that the client receives without ending the connection, as far as it is known. */
  readonly maxReceivedBytes: number;
  /** Declared, or seen in the name of an event. Until then the peer is sent both names of an event. */
  generation: Generation | undefined;
  version: string | undefined;
  /** Set by the first successful join and fixed from then on. */
  role: Role | undefined;
  /** Set while the connection is in an office. */
  member: Member | undefined;
  /** The first office it was in. */
  #firstOffice: string | undefined;
  /** Whether it has been in several offices. Its peer cannot tell which one a request during a move comes from. */
  hasMoved = false;
  /** What to do with the answers to the requests that were sent to this peer, by the id of the acknowledgement. */
  requests: ShortLivedMap<number, (answer: RawJson) => void> | undefined;
  readonly eventRate: TokenBucket;
  /**
   * The size of the last packet: that of the current request, unless several came in one read. For the audit log only.
   */
  packetBytes = 0;
  refusals = 0;
  /** In milliseconds, as `Date.now()`. */
  readonly connectedAt = Date.now();
  readonly #callsPerSecond: number;
  #callRate: TokenBucket | undefined;
  #calls: Bag<PendingCall> | undefined;
  #lastTransition: Promise<unknown> | undefined;

  constructor({ socket, identity, address, version, generation, limits }: ConnectionOptions) {
    this.socket = socket;
    this.identity = identity;
    this.address = address;
    this.version = version;
    this.generation = generation;
    const { instance, attempt, epoch, adapts } = socket.handshake.auth;
    this.attempt = Number.isSafeInteger(attempt) ? (attempt as number) : undefined;
    this.instance = randomIdOf(instance);
    this.epoch = randomIdOf(epoch);
    this.adapts = adapts === true;
    this.maxReceivedBytes = /\baiohttp\//.test(socket.handshake.headers['user-agent'] ?? '') ? AIOHTTP_BYTES : Infinity;
    this.eventRate = new TokenBucket(limits.eventsPerSecond);
    this.#callsPerSecond = limits.callsPerSecond;
  }

  /** The pending calls of an Agent. Most connections are Computers, which need none. */
  get calls(): Bag<PendingCall> {
    this.#calls ??= new Bag();
    return this.#calls;
  }

  get callRate(): TokenBucket {
    this.#callRate ??= new TokenBucket(this.#callsPerSecond);
    return this.#callRate;
  }

  /** Whose memory it uses: that of its identity or, where all are the same, of its address. */
  get owner(): string {
    return isAnonymous(this.identity) ? this.address : `${methodOf(this.identity)} ${this.identity.subject}`;
  }

  get id(): string {
    return this.socket.id;
  }

  /** The connection has joined an office. */
  seated(member: Member): void {
    this.member = member;
    this.#firstOffice ??= member.office;
    this.hasMoved ||= member.office !== this.#firstOffice;
  }

  /** Returns the membership of a connection that must be in an office, in this role if one is given. */
  requireMember(role?: Role): Member {
    if (!this.member) throw new SMCPError('NotInRoom', 'join an office first');
    if (role !== undefined && this.member.role !== role) {
      throw new SMCPError('Forbidden', `only ${role === 'agent' ? 'an Agent' : 'a Computer'} may do this`);
    }
    return this.member;
  }

  /** Runs joins, leaves and the end of the connection one after the other. */
  runTransition<T>(transition: () => Promise<T>): Promise<T> {
    const result = (this.#lastTransition ?? Promise.resolve()).then(transition);
    const settled = result.then(
      () => {},
      () => {},
    );
    this.#lastTransition = settled;
    void settled.then(() => {
      if (this.#lastTransition === settled) this.#lastTransition = undefined;
    });
    return result;
  }

  /** The pending join or leave, if any. A request sent directly after a join must wait for it. */
  get pendingTransition(): Promise<unknown> | undefined {
    return this.#lastTransition;
  }

  /** Disconnects when the credential is withdrawn. */
  disconnectOnRevocation(onEnd: (connection: Connection, reason: 'revoked') => void): void {
    const { revoked } = this.identity;
    if (!revoked) return;
    const disconnect = () => {
      onEnd(this, 'revoked');
      this.socket.disconnect(true);
    };
    if (revoked.aborted) {
      disconnect();
      return;
    }
    this.socket.on('disconnect', onRevoked(revoked, disconnect));
  }

  /** Disconnects when the credential expires. */
  disconnectOnExpiry(onEnd: (connection: Connection, reason: 'expired') => void): void {
    const { expires } = this.identity;
    if (!expires) return;
    let timer: NodeJS.Timeout;
    const check = () => {
      const left = expires.getTime() - Date.now();
      if (left > 0) {
        timer = setTimeout(check, timerMs(left)); // a timer holds at most 24 days, then it is checked again
        return;
      }
      onEnd(this, 'expired');
      this.socket.disconnect(true);
    };
    check();
    this.socket.on('disconnect', () => clearTimeout(timer));
  }
}

/** What clients send, such as a UUID. Other texts are ignored: they may not be readable for Redis. */
const RANDOM_ID = /^[\w-]{1,64}$/;

function randomIdOf(value: unknown): string | undefined {
  return typeof value === 'string' && RANDOM_ID.test(value) ? value : undefined;
}
