import type { Logger } from '@a2c/log';
import { SMCPError, toolCallErrorAnswer, wireName } from '@a2c/protocol';
import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { RemoteSend } from '../calls/pending-calls.js';
import type { Broadcaster } from '../rooms/broadcaster.js';
import type { SMCPNamespace } from '../rooms/connection.js';
import { memberPayload } from '../rooms/membership.js';
import { type Claim, type Member, type MemoryRegistry, type OfficeRegistry, seatKey } from '../rooms/registry.js';
import { AdapterPublisher, AdapterSubscriber } from './adapter-clients.js';
import { ClusterState, REDIS_TIMEOUT_MS, type StoredClaim } from './cluster-state.js';

/** How several nodes form one Server. */
export interface ClusterOptions {
  /** The `redis://…` URL that all nodes share. */
  readonly redis: string;
  /** The prefix of all keys and channels; `a2c:` by default. */
  readonly prefix?: string;
  /** A node that does not renew its lease for this time is removed with its members; 6 s by default. */
  readonly leaseMs?: number;
}

interface RedisClusterOptions extends ClusterOptions {
  readonly node: string;
  readonly namespace: SMCPNamespace;
  readonly local: MemoryRegistry;
  readonly broadcaster: Broadcaster;
  readonly logger: Logger;
  /** Called when a member of another node is gone. */
  readonly onRemoteGone: (member: Member) => void;
  /** Called when a member of this node was replaced by a newer connection on another node. */
  readonly onReplaced: (member: Member, by: string | undefined) => void;
  readonly onToolsChanged: (sid: string) => void;
  readonly onNodeGone: (node: string) => void;
  /** Move the members of an office that is split over nodes to the node of the latest join. */
  readonly rehome: boolean;
  /** How much may be queued for a Redis that is away. */
  readonly maxQueuedBytes: number;
}

/**
 * The pause between two re-homings of an office, so that a load balancer that disagrees does not cause endless
 * reconnects.
 */
const REHOME_PAUSE_MS = 30_000;

/**
 * Several nodes as one Server. Redis decides which member has a seat; Socket.IO's adapter carries notifications and
 * requests to other nodes. Members of this node are served from memory, so they keep working while Redis is away.
 */
export class RedisCluster implements OfficeRegistry {
  readonly #options: RedisClusterOptions;
  readonly #prefix: string;
  readonly #leaseMs: number;
  readonly #state: ClusterState;
  readonly #publisher: AdapterPublisher;
  readonly #subscriber: AdapterSubscriber;
  /** Members that are gone but may still have their seat in Redis. */
  readonly #unreleased = new Set<Member>();
  readonly #rehomedAt = new Map<string, number>();
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #isHeartbeatRunning = false;
  /** Redis has lost some or all seats of this node. */
  #mustReclaim = false;
  #closed = false;
  #isConnected = false;
  /** The last error before the first connection: more specific than the client's "Connection is closed." */
  #connectError: Error | undefined;

  constructor(options: RedisClusterOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? 'a2c:';
    this.#leaseMs = options.leaseMs ?? 6_000;
    this.#state = new ClusterState(options.redis, options.node, this.#prefix);
    this.#publisher = new AdapterPublisher(options.redis, options.maxQueuedBytes, options.logger);
    this.#subscriber = new AdapterSubscriber(options.redis, { lazyConnect: true, maxRetriesPerRequest: null });
    for (const client of this.#clients) {
      client.on('error', (error: Error) => {
        // Before the first connection, start() reports the error.
        if (this.#isConnected) options.logger.warn({ err: error.message }, 'Redis does not answer');
        else this.#connectError = error;
      });
    }
  }

  get #clients(): readonly Redis[] {
    return [this.#state.redis, this.#publisher.redis, this.#subscriber];
  }

  async start(): Promise<void> {
    const { namespace, onRemoteGone, onReplaced, onToolsChanged } = this.#options;
    await this.#connect();
    namespace.server.adapter(
      createAdapter(this.#publisher, this.#subscriber, {
        key: `${this.#prefix}socket.io`,
        publishOnSpecificResponseChannel: true,
        parser: NODE_PARSER,
      }),
    );
    namespace.on('a2c:gone', (member: Member) => onRemoteGone(member));
    namespace.on('a2c:evict', (member: Member, by?: string) => onReplaced(member, by ?? undefined));
    namespace.on('a2c:tools', (sid: string) => onToolsChanged(sid));
    namespace.on('a2c:rehome', (office: string) => this.#closeConnectionsOf(office));
    this.#state.redis.on('ready', () => void this.#heartbeat());
    await this.#state.registerNode();
    await this.#heartbeat();
    this.#heartbeatTimer = setInterval(() => void this.#heartbeat(), this.#leaseMs / 3);
  }

  async #connect(): Promise<void> {
    try {
      await Promise.all(this.#clients.map((client) => client.connect()));
    } catch (error) {
      for (const client of this.#clients) client.disconnect();
      const cause = this.#connectError ?? (error as Error);
      const reason = cause.message || (cause as NodeJS.ErrnoException).code;
      throw new Error(`cannot reach Redis at ${withoutPassword(this.#options.redis)}: ${reason}`, { cause });
    }
    this.#isConnected = true;
  }

  get isReady(): boolean {
    return this.#state.isReady;
  }

  async claim(member: Member): Promise<Claim> {
    const { local, broadcaster, rehome } = this.#options;
    const { office } = member;
    // A heartbeat must not release the seat that is claimed here.
    for (const gone of this.#unreleased) if (isSameSeat(gone, member)) this.#unreleased.delete(gone);
    const isSent = this.#state.isReady;
    let claim: StoredClaim;
    try {
      claim = await this.#ask(this.#state.claim(member, 'claim'));
    } catch (error) {
      // Redis may still execute the command that timed out here.
      if (isSent) this.#unreleased.add(member);
      throw error;
    }
    const { claimed, holder, isHolderAlive } = claim;
    if (!claimed) return { claimed: false, holder: holder as Member };
    local.claim(member);
    const replaced = holder !== undefined && holder.sid !== member.sid ? holder : undefined;
    if (replaced && !isHolderAlive) broadcaster.broadcast({ office }, 'notify:leave_office', memberPayload(replaced));
    if (rehome) await this.#rehome(office);
    return { claimed: true, replaced: isHolderAlive ? replaced : undefined };
  }

  async release(member: Member): Promise<void> {
    this.#options.local.release(member);
    try {
      await this.#state.release(member);
    } catch (error) {
      const fields = { err: (error as Error).message, office: member.office };
      this.#options.logger.warn(fields, 'cannot release a seat in Redis; will retry');
      this.#unreleased.add(member);
    }
  }

  /** While Redis is away: the members on this node. */
  async members(office: string): Promise<readonly Member[]> {
    return this.#ask(this.#state.members(office)).catch(() => this.#options.local.members(office));
  }

  findComputer(office: string, nameOrSid: string): Promise<Member | undefined> | Member | undefined {
    return this.#options.local.findComputer(office, nameOrSid) ?? this.#findRemote(office, nameOrSid);
  }

  async #findRemote(office: string, nameOrSid: string): Promise<Member | undefined> {
    const computers = (await this.#ask(this.#state.members(office))).filter(({ role }) => role === 'computer');
    return computers.find(({ name }) => name === nameOrSid) ?? computers.find(({ sid }) => sid === nameOrSid);
  }

  /**
   * Uses the adapter, but not its `emitWithAck`: that waits for an answer of every node, so that one frozen node fails
   * calls between healthy ones, and keeps answers until the timeout of the call.
   */
  readonly sendRemote: RemoteSend = (target, { event, payload, timeoutMs }, outcome) => {
    // A queued request would run long after its caller has given up.
    if (!this.#publisher.isOpen) throw redisUnavailable();
    // The adapter keeps its callback until the timeout; the callback must not keep the outcome alive as long.
    let pending: typeof outcome | undefined = outcome;
    const take = () => {
      const taken = pending;
      pending = undefined;
      return taken;
    };
    const packet = { type: PACKET_EVENT, data: [wireName(event, target.generation), payload] };
    const options = { rooms: new Set([target.sid]), except: new Set<string>(), flags: { timeout: timeoutMs } };
    this.#options.namespace.adapter.broadcastWithAck(
      packet,
      options,
      () => {},
      // The node of the Computer passes on a RawAnswer, which becomes an array of the arguments.
      (answer: unknown) => take()?.answered(answer as readonly unknown[]),
    );
    return () => void take();
  };

  announceGone(member: Member): void {
    this.#options.namespace.serverSideEmit('a2c:gone', member);
  }

  /** @param by the instance of the new holder */
  announceReplaced(member: Member, by: string | undefined): void {
    this.#options.namespace.serverSideEmit('a2c:evict', member, by);
  }

  announceToolsChanged(sid: string): void {
    this.#options.namespace.serverSideEmit('a2c:tools', sid);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeatTimer);
    if (this.isReady) {
      await this.#state.deregisterNode().catch((error: Error) => {
        this.#options.logger.warn({ err: error.message }, 'cannot deregister from Redis; the lease will expire');
      });
    }
    for (const client of this.#clients) client.disconnect();
  }

  /** Renews the lease of this node, repeats what Redis has missed, and removes expired nodes. */
  async #heartbeat(): Promise<void> {
    if (this.#closed || this.#isHeartbeatRunning || !this.isReady) return;
    this.#isHeartbeatRunning = true;
    try {
      if (!(await this.#state.renewLease(this.#leaseMs))) this.#mustReclaim = true;
      if (this.#mustReclaim) await this.#reclaimSeats();
      this.#mustReclaim = false;
      for (const member of this.#unreleased) {
        await this.#state.release(member);
        this.#unreleased.delete(member);
      }
      await this.#removeExpiredNodes();
    } catch (error) {
      if (!this.#closed) this.#options.logger.warn({ err: (error as Error).message }, 'Redis heartbeat failed');
    } finally {
      this.#isHeartbeatRunning = false;
    }
  }

  /** Redis was emptied, or another node removed this one. A member whose seat is taken by now has to join again. */
  async #reclaimSeats(): Promise<void> {
    const { local, namespace, broadcaster } = this.#options;
    await this.#state.registerNode();
    for (const member of local.all()) {
      const { office, sid } = member;
      const { claimed, holder } = await this.#state.claim(member, 'reclaim');
      const isStillHere = local.members(office).some((other) => other.sid === sid);
      if (!isStillHere) await this.release(member);
      else if (!claimed) namespace.sockets.get(sid)?.conn.close();
      // The seat was free, so the office has received a notification that this member left.
      else if (holder === undefined)
        broadcaster.broadcast({ office, exceptSid: sid }, 'notify:enter_office', memberPayload(member));
    }
  }

  async #removeExpiredNodes(): Promise<void> {
    const { onNodeGone, onRemoteGone, broadcaster } = this.#options;
    for (const node of await this.#state.expiredNodes()) {
      onNodeGone(node);
      for (const member of await this.#state.removeNode(node)) {
        onRemoteGone(member);
        this.announceGone(member);
        broadcaster.broadcast({ office: member.office }, 'notify:leave_office', memberPayload(member));
      }
    }
  }

  async #rehome(office: string): Promise<void> {
    const now = Date.now();
    if (now - (this.#rehomedAt.get(office) ?? 0) < REHOME_PAUSE_MS) return;
    for (const [id, at] of this.#rehomedAt) if (now - at >= REHOME_PAUSE_MS) this.#rehomedAt.delete(id);
    if (!(await this.members(office)).some(({ node }) => node !== this.#options.node)) return;
    this.#rehomedAt.set(office, now);
    this.#options.namespace.serverSideEmit('a2c:rehome', office);
  }

  /** A closed transport makes clients reconnect; the load balancer routes them to the node of their office. */
  #closeConnectionsOf(office: string): void {
    const { local, namespace } = this.#options;
    this.#rehomedAt.set(office, Date.now());
    for (const { sid } of local.members(office)) namespace.sockets.get(sid)?.conn.close();
  }

  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.#options.logger.warn({ err: (error as Error).message }, 'Redis does not answer');
      throw redisUnavailable();
    }
  }
}

/** Socket.IO's packet type for an event. */
const PACKET_EVENT = 2;

function redisUnavailable(): SMCPError {
  return new SMCPError('Unavailable', 'offices are shared through Redis, which does not answer; try again', {
    details: { reason: 'redis', retry_after: REDIS_TIMEOUT_MS / 1_000 },
  });
}

function withoutPassword(url: string): string {
  return url.replace(/(?<=\/\/)[^@/]*@/, '');
}

function isSameSeat(a: Member, b: Member): boolean {
  return a.sid === b.sid && a.office === b.office && seatKey(a) === seatKey(b);
}

/** JSON between nodes. An answer that nests too deeply for `JSON.stringify` is replaced by an error. */
const NODE_PARSER = {
  encode(message: unknown): string {
    try {
      return JSON.stringify(message);
    } catch {
      const answer = [
        toolCallErrorAnswer(new SMCPError('InternalError', 'the answer nests too deeply to be passed on')),
      ];
      return JSON.stringify({ ...(message as object), packet: answer });
    }
  },
  decode: (bytes: Buffer): unknown => JSON.parse(bytes.toString()),
};
