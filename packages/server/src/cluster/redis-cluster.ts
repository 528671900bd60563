import type { Logger } from '@a2c/log';
import { SMCPError, toolCallErrorAnswer, wireName } from '@a2c/protocol';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import type { RemoteSend } from '../calls/forwarder.js';
import type { SMCPNamespace } from '../rooms/connection.js';
import { memberOf } from '../rooms/membership.js';
import type { Notifier } from '../rooms/notifier.js';
import { type Claim, type MemoryRegistry, type Occupant, type OfficeRegistry, seatKey } from '../rooms/registry.js';
import { Publisher } from './publisher.js';
import { REDIS_SILENCE_MS, SeatStore, type StoredClaim } from './seat-store.js';
import { Subscriber } from './subscriber.js';

export interface ClusterOptions {
  /** `redis://…` that all nodes share. */
  readonly redis: string;
  readonly prefix?: string;
  /** A node that does not renew its lease for this long is dead and its members are gone. */
  readonly leaseMs?: number;
}

interface ClusterParts extends ClusterOptions {
  readonly node: string;
  readonly namespace: SMCPNamespace;
  readonly local: MemoryRegistry;
  readonly notifier: Notifier;
  readonly logger: Logger;
  /** A member on another node has gone. */
  readonly onRemoteGone: (seat: Occupant) => void;
  /** A member on this node was replaced by a newer connection of its owner on another. */
  readonly onEvicted: (seat: Occupant) => void;
  readonly onToolsChanged: (sid: string) => void;
  readonly onNodeGone: (node: string) => void;
  /** Offices split over nodes are brought together on the node of the latest join. */
  readonly rehomes: boolean;
  /** What may wait for a Redis that is away. */
  readonly queuedBytes: number;
}

/** How often an office may be sent after its members; a balancer that disagrees must not make them commute. */
const REHOME_PAUSE_MS = 30_000;

/**
 * Several nodes as one Server. Redis decides who has a seat; Socket.IO's adapter carries notifications and requests to
 * the node of a member. What is on this node is served from memory, so it goes on when Redis is away.
 */
export class RedisCluster implements OfficeRegistry {
  readonly #parts: ClusterParts;
  readonly #prefix: string;
  readonly #leaseMs: number;
  readonly #store: SeatStore;
  readonly #publisher: Publisher;
  readonly #subscriber: Subscriber;
  /** Seats that nobody here has, but that Redis may think taken. */
  readonly #unreleased = new Set<Occupant>();
  readonly #rehomedAt = new Map<string, number>();
  #heartbeat: NodeJS.Timeout | undefined;
  #isBeating = false;
  /** Redis does not know our seats, or not all of them. */
  #isForgotten = false;
  #closed = false;
  #isConnected = false;
  /** What Redis said last before we were connected: more than the client's own "Connection is closed." */
  #trouble: Error | undefined;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
    this.#prefix = parts.prefix ?? 'a2c:';
    this.#leaseMs = parts.leaseMs ?? 6_000;
    this.#store = new SeatStore(parts.redis, parts.node, this.#prefix);
    const publishing = new Redis(parts.redis, { lazyConnect: true, maxRetriesPerRequest: null });
    this.#publisher = new Publisher(publishing, parts.queuedBytes, parts.logger);
    this.#subscriber = new Subscriber(parts.redis, { lazyConnect: true, maxRetriesPerRequest: null });
    for (const client of this.#clients) {
      client.on('error', (error: Error) => this.#troubled(error));
    }
  }

  get #clients(): readonly Redis[] {
    return [this.#store.redis, this.#publisher.redis, this.#subscriber];
  }

  async start(): Promise<void> {
    const { namespace, onRemoteGone, onToolsChanged } = this.#parts;
    await Promise.all(this.#clients.map((client) => client.connect())).catch((given: Error) => {
      for (const client of this.#clients) client.disconnect();
      const cause = this.#trouble ?? given;
      const why = cause.message || (cause as NodeJS.ErrnoException).code;
      throw new Error(`cannot reach Redis at ${withoutPassword(this.#parts.redis)}: ${why}`, { cause });
    });
    this.#isConnected = true;
    namespace.server.adapter(
      createAdapter(this.#publisher, this.#subscriber, {
        key: `${this.#prefix}socket.io`,
        publishOnSpecificResponseChannel: true,
        parser: WIRE_PARSER,
      }),
    );
    namespace.on('a2c:gone', (seat: Occupant) => onRemoteGone(seat));
    namespace.on('a2c:evict', (seat: Occupant) => this.#parts.onEvicted(seat));
    namespace.on('a2c:tools', (sid: string) => onToolsChanged(sid));
    namespace.on('a2c:rehome', (office: string) => this.#sendAway(office));
    this.#store.redis.on('ready', () => void this.#beat());
    await this.#store.enlist();
    await this.#beat();
    this.#heartbeat = setInterval(() => void this.#beat(), this.#leaseMs / 3);
  }

  /** Until the first connection it is for whoever starts us to tell, in one message. */
  #troubled(error: Error): void {
    if (this.#isConnected) this.#parts.logger.warn({ err: error.message }, 'Redis does not answer');
    else this.#trouble = error;
  }

  get isReady(): boolean {
    return this.#store.isReady;
  }

  async claim(occupant: Occupant): Promise<Claim> {
    const { local, notifier } = this.#parts;
    // From here on it is wanted: a heartbeat that cleared it away now would undo the claim it does not know of.
    for (const seat of this.#unreleased) if (isSameSeat(seat, occupant)) this.#unreleased.delete(seat);
    const isSent = this.#store.isReady;
    let claim: StoredClaim;
    try {
      claim = await this.#ask(this.#store.claim(occupant, 'first'));
    } catch (error) {
      // Redis may still run what we have given up waiting for.
      if (isSent) this.#unreleased.add(occupant);
      throw error;
    }
    const { taken, holder, holderLives } = claim;
    if (!taken) return { taken: false, holder: holder as Occupant };
    local.claim(occupant);
    const replaced = holder !== undefined && holder.sid !== occupant.sid;
    if (replaced && !holderLives) notifier.tell(occupant.office, 'notify:leave_office', memberOf(holder));
    if (this.#parts.rehomes) await this.#rehome(occupant.office);
    return { taken: true, evicted: replaced && holderLives ? holder : undefined };
  }

  async release(occupant: Occupant): Promise<void> {
    this.#parts.local.release(occupant);
    try {
      await this.#store.release(occupant);
    } catch (error) {
      // The seat is empty here already; Redis hears of it when it is back.
      this.#parts.logger.warn(
        { err: (error as Error).message, office: occupant.office },
        'a seat will be released later',
      );
      this.#unreleased.add(occupant);
    }
  }

  /** Without Redis: those on this node, which is all of an office that is wholly here. */
  async occupants(office: string): Promise<readonly Occupant[]> {
    return this.#ask(this.#store.occupants(office)).catch(() => this.#parts.local.occupants(office));
  }

  findComputer(office: string, nameOrSid: string): Promise<Occupant | undefined> | Occupant | undefined {
    return this.#parts.local.findComputer(office, nameOrSid) ?? this.#findRemote(office, nameOrSid);
  }

  async #findRemote(office: string, nameOrSid: string): Promise<Occupant | undefined> {
    const computers = (await this.#ask(this.#store.occupants(office))).filter(({ role }) => role === 'computer');
    return computers.find(({ name }) => name === nameOrSid) ?? computers.find(({ sid }) => sid === nameOrSid);
  }

  /**
   * Through the adapter, but not through its `emitWithAck`: that one waits until every node has spoken, so that a frozen
   * bystander fails calls between healthy nodes, and keeps answers until the call's timeout.
   */
  readonly sendRemote: RemoteSend = (target, { event, payload, timeoutMs }, outcome) => {
    // A request that waited for Redis would run when nobody expects it any more.
    if (!this.#publisher.isOpen) throw redisAway();
    // The adapter keeps its callback until the timeout; what the callback holds must not be kept with it.
    let waiting: typeof outcome | undefined = outcome;
    const take = () => {
      const taken = waiting;
      waiting = undefined;
      clearTimeout(deadline);
      return taken;
    };
    const deadline = setTimeout(() => take()?.expired(), timeoutMs);
    const packet = { type: PACKET_EVENT, data: [wireName(event, target.dialect ?? 'sdk'), payload] };
    const options = { rooms: new Set([target.sid]), except: new Set<string>(), flags: { timeout: timeoutMs } };
    this.#parts.namespace.adapter.broadcastWithAck(
      packet,
      options,
      () => {},
      (answer: unknown) => take()?.answered([answer]),
    );
  };

  announceGone(seat: Occupant): void {
    this.#parts.namespace.serverSideEmit('a2c:gone', seat);
  }

  announceEvicted(seat: Occupant): void {
    this.#parts.namespace.serverSideEmit('a2c:evict', seat);
  }

  announceToolsChanged(sid: string): void {
    this.#parts.namespace.serverSideEmit('a2c:tools', sid);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    if (this.isReady)
      await this.#store.resign().catch((error: Error) => {
        this.#parts.logger.warn({ err: error.message }, 'Redis was not told; the lease runs out by itself');
      });
    for (const client of this.#clients) client.disconnect();
  }

  /** Renews our lease, and looks after the others'. */
  async #beat(): Promise<void> {
    if (this.#closed || this.#isBeating || !this.isReady) return;
    this.#isBeating = true;
    try {
      const isKnown = await this.#store.renewLease(this.#leaseMs);
      if (!isKnown) this.#isForgotten = true;
      if (this.#isForgotten) await this.#takeSeatsAgain();
      this.#isForgotten = false;
      for (const seat of this.#unreleased) {
        await this.#store.release(seat);
        this.#unreleased.delete(seat);
      }
      await this.#buryDead();
    } catch (error) {
      if (!this.#closed) this.#parts.logger.warn({ err: (error as Error).message }, 'Redis heartbeat failed');
    } finally {
      this.#isBeating = false;
    }
  }

  /** We were taken for dead, or Redis has forgotten everything: claim what we have; who lost its seat must join again. */
  async #takeSeatsAgain(): Promise<void> {
    const { local, namespace } = this.#parts;
    await this.#store.enlist();
    for (const occupant of local.all()) {
      const { taken, holder } = await this.#store.claim(occupant, 'again');
      const isHere = local.occupants(occupant.office).some(({ sid }) => sid === occupant.sid);
      if (!isHere) await this.release(occupant);
      else if (!taken) namespace.sockets.get(occupant.sid)?.conn.close();
      // The others were told that it had gone.
      else if (holder === undefined)
        this.#parts.notifier.tell(occupant.office, 'notify:enter_office', memberOf(occupant), occupant.sid);
    }
  }

  async #buryDead(): Promise<void> {
    for (const node of await this.#store.deadNodes()) {
      this.#parts.onNodeGone(node);
      for (const seat of await this.#store.bury(node)) {
        this.#parts.onRemoteGone(seat);
        this.announceGone(seat);
        this.#parts.notifier.tell(seat.office, 'notify:leave_office', memberOf(seat));
      }
    }
  }

  async #rehome(office: string): Promise<void> {
    const now = Date.now();
    if (now - (this.#rehomedAt.get(office) ?? 0) < REHOME_PAUSE_MS) return;
    for (const [id, at] of this.#rehomedAt) if (now - at >= REHOME_PAUSE_MS) this.#rehomedAt.delete(id);
    if (!(await this.occupants(office)).some(({ node }) => node !== this.#parts.node)) return;
    this.#rehomedAt.set(office, now);
    this.#parts.namespace.serverSideEmit('a2c:rehome', office);
  }

  /** Closing the transport makes clients reconnect, and the balancer sends them where their office now is. */
  #sendAway(office: string): void {
    this.#rehomedAt.set(office, Date.now());
    for (const { sid } of this.#parts.local.occupants(office)) this.#parts.namespace.sockets.get(sid)?.conn.close();
  }

  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.#parts.logger.warn({ err: (error as Error).message }, 'Redis does not answer');
      throw redisAway();
    }
  }
}

/** Socket.IO's packet type for an event. */
const PACKET_EVENT = 2;

function redisAway(): SMCPError {
  return new SMCPError('Unavailable', 'offices are shared through Redis, which does not answer; try again', {
    details: { reason: 'redis', retry_after: REDIS_SILENCE_MS / 1_000 },
  });
}

function withoutPassword(url: string): string {
  return url.replace(/(?<=\/\/)[^@/]*@/, '');
}

function isSameSeat(a: Occupant, b: Occupant): boolean {
  return a.sid === b.sid && a.office === b.office && seatKey(a) === seatKey(b);
}

/** JSON between nodes. An answer that cannot be written, because it nests too deeply, becomes an error and not a crash. */
const WIRE_PARSER = {
  encode(message: unknown): string {
    try {
      return JSON.stringify(message);
    } catch {
      const answer = toolCallErrorAnswer(new SMCPError('InternalError', 'the answer nests too deeply to be passed on'));
      return JSON.stringify({ ...(message as object), packet: answer });
    }
  },
  decode: (bytes: Buffer): unknown => JSON.parse(bytes.toString()),
};
