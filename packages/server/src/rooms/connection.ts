import type { ClientToServerEvents, Dialect, Role, ServerToClientEvents } from '@a2c/protocol';
import type { Namespace, Socket } from 'socket.io';
import type { Identity } from '../access/identity.js';
import { TokenBucket } from '../access/rate-limit.js';
import type { PendingCall } from '../calls/forwarder.js';
import type { ServerLimits } from '../options.js';
import type { Occupant } from './registry.js';

export interface SocketData {
  connection: Connection;
}

// Events between nodes are loosely typed: they never touch the protocol.
// biome-ignore lint/suspicious/noExplicitAny: Socket.IO's own type for them
export type SMCPNamespace = Namespace<ClientToServerEvents, ServerToClientEvents, any, SocketData>;
// biome-ignore lint/suspicious/noExplicitAny: Socket.IO's own type for them
export type SMCPSocket = Socket<ClientToServerEvents, ServerToClientEvents, any, SocketData>;

/** One socket on this node: who it is, where it sits, what is under way for it. */
export class Connection {
  readonly socket: SMCPSocket;
  readonly identity: Identity;
  readonly address: string;
  /** Random id a client process may send, by which it proves that a reconnect is its own. */
  readonly instance: string | undefined;
  /** What it declared or showed; until then both dialects are spoken to it. */
  dialect: Dialect | undefined;
  version: string | undefined;
  /** Set by the first successful join and fixed from then on. */
  role: Role | undefined;
  /** Its seat, while it is in an office. */
  seat: Occupant | undefined;
  /** Calls this Agent has under way. */
  readonly calls = new Set<PendingCall>();
  readonly events: TokenBucket;
  readonly callRate: TokenBucket;
  /** Bytes of the packet read last, which is the one being handled unless several came in one read. For the record only. */
  packetBytes = 0;
  refusals = 0;
  #turn: Promise<unknown> | undefined;

  constructor(socket: SMCPSocket, identity: Identity, address: string, limits: ServerLimits) {
    this.socket = socket;
    this.identity = identity;
    this.address = address;
    const { instance } = socket.handshake.auth;
    this.instance = typeof instance === 'string' && instance !== '' ? instance.slice(0, 64) : undefined;
    this.events = new TokenBucket(limits.eventsPerSecond);
    this.callRate = new TokenBucket(limits.callsPerSecond);
  }

  get id(): string {
    return this.socket.id;
  }

  /** Runs joins, leaves and the end of a connection one after the other, whatever waits inside them. */
  inTurn<T>(action: () => Promise<T>): Promise<T> {
    const mine = (this.#turn ?? Promise.resolve()).then(action);
    const settled = mine.then(
      () => {},
      () => {},
    );
    this.#turn = settled;
    void settled.then(() => {
      if (this.#turn === settled) this.#turn = undefined;
    });
    return mine;
  }

  /** What a request sent right behind a join must wait for, to find the seat taken; `undefined` when nothing is. */
  get moving(): Promise<unknown> | undefined {
    return this.#turn;
  }
}
