import type { Logger } from '@a2c/log';
import { type RelayedEvent, type SMCPError, type ToolCallProgressNotification, wireName } from '@a2c/protocol';
import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { RemoteSend, RequestCheck } from '../calls/pending-calls.js';
import type { Broadcaster } from '../rooms/broadcaster.js';
import type { SMCPNamespace } from '../rooms/connection.js';
import { memberPayload } from '../rooms/membership.js';
import type { Claim, ClaimMode, Member, MemoryRegistry, OfficeRegistry } from '../rooms/registry.js';
import { ClusterState, type RemovedMember, type StoredClaim } from './cluster-state.js';
import { MemberLists } from './member-lists.js';
import { NodeChannel } from './node-channel.js';
import { OfficeRehoming } from './office-rehoming.js';
import { OfficeSizes } from './office-sizes.js';
import {
  isConfigurationError,
  isReply,
  isScriptError,
  reasonOf,
  redisUnavailable,
  withoutPassword,
} from './redis-errors.js';
import { RedisOutage } from './redis-outage.js';
import { RemoteCalls } from './remote-calls.js';

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
  /** Called with the progress of a call to a Computer on another node. */
  readonly onProgress: (sid: string, progress: ToolCallProgressNotification) => void;
  readonly onNodeGone: (node: string) => void;
  /** Move the members of an office that is split over nodes to the node of the latest join. */
  readonly rehome: boolean;
  /** How much may be queued for a Redis that is away. */
  readonly maxQueuedBytes: number;
  readonly takesRequest: RequestCheck;
}

/**
 * Several nodes as one Server. Redis decides which member has a seat; Socket.IO's adapter carries notifications and
 * requests to other nodes. Members of this node are served from memory, so they keep working while Redis is away.
 */
export class RedisCluster implements OfficeRegistry {
  readonly #options: RedisClusterOptions;
  readonly #prefix: string;
  readonly #leaseMs: number;
  readonly #state: ClusterState;
  readonly #channel: NodeChannel;
  /** Members that are gone but may still have their seat in Redis. */
  readonly #unreleased = new Set<Member>();
  readonly #remoteCalls: RemoteCalls;
  readonly #outage: RedisOutage;
  /** Computers on other nodes as Redis had them a moment ago, by {@link nameIn}. */
  readonly #found = new Map<string, { readonly member: Member; readonly until: number }>();
  readonly #lists = new MemberLists((office) => this.#state.members(office));
  readonly #sizes = new OfficeSizes((office) => this.#state.officeSize(office));
  readonly #rehoming: OfficeRehoming | undefined;
  /** Offices whose Agents on this node may not know Computers on other nodes, because Redis was away. */
  readonly #incomplete = new Set<string>();
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #isHeartbeatRunning = false;
  /** A connection to Redis was restored during a heartbeat. */
  #isHeartbeatDue = false;
  /** Redis has lost some or all seats of this node. */
  #mustReclaim = false;
  /** Redis had fewer seats of this node at the last heartbeat than there are. */
  #lackedSeats = false;
  #closed = false;
  #isConnected = false;
  /** The last error before the first connection: more specific than the client's "Connection is closed." */
  #connectError: Error | undefined;

  constructor(options: RedisClusterOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? 'a2c:';
    this.#leaseMs = options.leaseMs ?? 6_000;
    this.#state = new ClusterState(options.redis, options.node, this.#prefix);
    this.#channel = new NodeChannel({ ...options, prefix: this.#prefix });
    this.#outage = new RedisOutage(options.logger);
    this.#rehoming = options.rehome ? new OfficeRehoming(options.node, options.namespace, options.local) : undefined;
    this.#remoteCalls = new RemoteCalls({
      node: options.node,
      sendOnce: (node, message) => this.#channel.sendOnce(node, message),
      send: (node, message) => this.#channel.send(node, message),
      unavailable: () => this.#unavailable(),
      socketOf: (sid) => options.namespace.sockets.get(sid),
      takesRequest: options.takesRequest,
      wireName: (event, socket) => wireName(event as RelayedEvent, socket.data.connection.generation),
    });
    for (const client of this.#clients) {
      client.on('error', (error: Error) => {
        // Before the first connection, start() reports the error.
        if (this.#isConnected) this.#outage.begin(reasonOf(error));
        else this.#connectError = error;
      });
    }
  }

  get #clients(): readonly Redis[] {
    return [this.#state.redis, ...this.#channel.clients];
  }

  async start(): Promise<void> {
    const { namespace, local, onRemoteGone, onReplaced, onToolsChanged, onProgress } = this.#options;
    await this.#connect();
    namespace.server.adapter(
      createAdapter(this.#channel.publisher, this.#channel.subscriber, {
        key: `${this.#prefix}socket.io`,
        publishOnSpecificResponseChannel: true,
        parser: NODE_PARSER,
      }),
    );
    namespace.on('a2c:gone', (member: Member) => {
      for (const name of [member.name, member.sid]) this.#found.delete(nameIn(member.office, name));
      onRemoteGone(member);
    });
    namespace.on('a2c:evict', (member: Member, by?: string) => {
      local.release(member);
      onReplaced(member, by ?? undefined);
    });
    this.#channel.receive(
      (message) => this.#remoteCalls.receive(message),
      () => void this.#subscribed(),
    );
    namespace.on('a2c:tools', (sid: string) => onToolsChanged(sid));
    namespace.on('a2c:progress', onProgress);
    namespace.on('a2c:rehome', (office: string) => this.#rehoming?.closeConnectionsOf(office));
    namespace.on('a2c:left', ({ office, seat }: Member) => void this.#announceHolder(office, seat));
    namespace.on('a2c:subscribed', (node: string) => this.#remoteCalls.check(node));
    for (const client of [this.#state.redis, this.#channel.publisher.redis])
      client.on('ready', () => void this.#heartbeat());
    await this.#heartbeat();
    this.#heartbeatTimer = setInterval(() => void this.#heartbeat(), this.#leaseMs / 3);
  }

  /**
   * While the connection was interrupted, joins on other nodes were missed, also those that replaced a member of this
   * one.
   */
  async #subscribed(): Promise<void> {
    this.#remoteCalls.check();
    this.#options.namespace.serverSideEmit('a2c:subscribed', this.#options.node);
    for (const { role, office } of this.#options.local.all()) if (role === 'agent') this.#incomplete.add(office);
    this.#mustReclaim = true;
    await this.#heartbeat();
  }

  /** Waits for the first attempt. Without Redis, the node starts and connects when Redis is there. */
  async #connect(): Promise<void> {
    const attempts = await Promise.allSettled(this.#clients.map((client) => client.connect()));
    this.#isConnected = true;
    const failed = attempts.find((attempt) => attempt.status === 'rejected');
    if (!failed) return;
    const cause = this.#connectError ?? (failed.reason as Error);
    const reason = reasonOf(cause);
    const message = `cannot reach Redis at ${withoutPassword(this.#options.redis)}: ${reason}`;
    if (isConfigurationError(cause)) {
      for (const client of this.#clients) client.disconnect();
      throw new Error(message, { cause });
    }
    this.#outage.begin(reason, `${message}; waiting for it`);
  }

  get isReady(): boolean {
    return this.#clients.every(({ status }) => status === 'ready');
  }

  async claim(member: Member, mode: ClaimMode = 'any'): Promise<Claim> {
    const { local } = this.#options;
    // A heartbeat must not release the seat that is claimed here.
    for (const gone of this.#unreleased) if (isSameSeat(gone, member)) this.#unreleased.delete(gone);
    const isSent = this.#state.isReady;
    let claim: StoredClaim;
    try {
      claim = await this.#ask(this.#state.claim(member, mode));
    } catch (error) {
      if (isScriptError(error)) throw error;
      // A load balancer routes all members of an office to one node, so this node can decide alone. Redis receives the
      // seat when it is back.
      if (this.#rehoming) return this.#claimAlone(member, mode);
      // Redis may still execute the command that timed out here.
      if (isSent) this.#unreleased.add(member);
      throw error;
    }
    const { claimed, holder, isHolderAlive, officeSize = 0 } = claim;
    if (!claimed) return { claimed: false, holder };
    local.claim(member);
    this.#sizes.set(member.office, officeSize);
    const replaced = holder !== undefined && holder.sid !== member.sid ? holder : undefined;
    if (replaced && !isHolderAlive) this.announceLeave(replaced);
    if (officeSize > 1) await this.#rehoming?.joined(member.office, () => this.members(member.office));
    return { claimed: true, replaced: isHolderAlive ? replaced : undefined };
  }

  #claimAlone(member: Member, mode: ClaimMode): Claim {
    this.#mustReclaim = true;
    return this.#options.local.claim(member, mode);
  }

  async release(member: Member): Promise<boolean> {
    const isFree = this.#options.local.release(member);
    try {
      return (await this.#state.release(member)) && isFree;
    } catch (error) {
      if (isScriptError(error)) {
        const fields = { err: (error as Error).message, office: member.office };
        this.#options.logger.warn(fields, 'cannot release a seat in Redis; will retry');
      } else this.#unavailable(error as Error);
      this.#unreleased.add(member);
      // A node that was paused does not know whether the member has joined on another one. The others are notified when
      // Redis has released the seat.
      const { office } = member;
      if (isFree)
        this.#options.broadcaster.broadcast({ office, isLocal: true }, 'notify:leave_office', memberPayload(member));
      return false;
    }
  }

  /** While Redis is away: the members on this node. */
  async members(office: string): Promise<readonly Member[]> {
    return this.#ask(this.#lists.of(office)).catch(() => {
      this.#incomplete.add(office);
      return this.#options.local.members(office);
    });
  }

  /** How many members of an office are on other nodes, as it was a moment ago. */
  remoteMembers(office: string): number {
    return Math.max(0, this.#sizes.sizeOf(office) - this.#options.local.members(office).length);
  }

  findComputer(office: string, nameOrSid: string): Promise<Member | undefined> | Member | undefined {
    return this.#options.local.findComputer(office, nameOrSid) ?? this.#findRemote(office, nameOrSid);
  }

  /** A Computer that was found is known for a moment: one that leaves is removed at once. */
  #findRemote(office: string, nameOrSid: string): Promise<Member | undefined> | Member {
    const found = this.#found.get(nameIn(office, nameOrSid));
    return found && found.until > performance.now() ? found.member : this.#askForComputer(office, nameOrSid);
  }

  async #askForComputer(office: string, nameOrSid: string): Promise<Member | undefined> {
    const member = await this.#ask(this.#state.findComputer(office, nameOrSid));
    if (!member) return undefined;
    if (this.#found.size >= MAX_FOUND) this.#found.clear();
    this.#found.set(nameIn(office, nameOrSid), { member, until: performance.now() + FOUND_MS });
    return member;
  }

  readonly sendRemote: RemoteSend = (target, call, outcome) => {
    // A queued request would run long after its caller has given up.
    if (!this.#channel.publisher.isOpen || !this.#state.isReady) throw this.#unavailable();
    return this.#remoteCalls.send(target, call, outcome);
  };

  /**
   * Notifies the office that a member left. The notification may be late: this node may have been paused while the
   * Computer joined again. So every node checks the seat after it has notified its Agents.
   */
  announceLeave(member: Member): void {
    const { broadcaster, namespace } = this.#options;
    const { office, seat, role } = member;
    broadcaster.broadcast({ office }, 'notify:leave_office', memberPayload(member));
    if (role !== 'computer') return;
    namespace.serverSideEmit('a2c:left', member);
    void this.#announceHolder(office, seat);
  }

  /** Notifies the Agents on this node of the Computer that has the seat now. Without Redis, a heartbeat does it. */
  async #announceHolder(office: string, seat: string): Promise<void> {
    const { local, broadcaster } = this.#options;
    if (!local.members(office).some(({ role }) => role === 'agent')) return;
    const [holder] = await this.#ask(this.#state.holders(office, seat)).catch(() => {
      this.#incomplete.add(office);
      return [];
    });
    if (!holder) return;
    const others = { office, exceptSid: holder.sid, isLocal: true } as const;
    broadcaster.broadcast(others, 'notify:enter_office', memberPayload(holder));
  }

  /** Fails the calls of Agents on other nodes to a Computer. */
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

  /** The progress of a call of another node. */
  announceProgress(sid: string, progress: ToolCallProgressNotification): void {
    if (!this.#remoteCalls.hasForwarded(sid)) return;
    this.#options.namespace.serverSideEmit('a2c:progress', sid, progress);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeatTimer);
    if (this.#state.isReady) {
      await this.#state.deregisterNode().catch((error: Error) => {
        this.#options.logger.warn({ err: error.message }, 'cannot deregister from Redis; the lease will expire');
      });
    }
    for (const client of this.#clients) client.disconnect();
  }

  /** Renews the lease of this node, repeats what Redis has missed, and removes expired nodes. */
  async #heartbeat(): Promise<void> {
    this.#isHeartbeatDue = true;
    if (this.#isHeartbeatRunning) return;
    this.#isHeartbeatRunning = true;
    while (this.#isHeartbeatDue && !this.#closed && this.#state.isReady) {
      this.#isHeartbeatDue = false;
      await this.#synchronize();
    }
    this.#isHeartbeatRunning = false;
  }

  async #synchronize(): Promise<void> {
    try {
      await this.#renewLease();
      void this.#channel.checkConnections();
      for (const member of this.#unreleased) await this.#releaseNow(member);
      await this.#announceUnlisted();
      await this.#removeExpiredNodes();
      if (this.isReady) this.#outage.end();
    } catch (error) {
      if (this.#closed) return;
      if (isReply(error)) this.#options.logger.warn({ err: error.message }, 'Redis heartbeat failed');
      else this.#outage.begin(reasonOf(error as Error));
    }
  }

  /** Renews the lease. Claims all seats again if Redis may have lost them. */
  async #renewLease(): Promise<void> {
    const hasSeats = !this.#mustReclaim;
    this.#mustReclaim = false; // set again by a member that joins without Redis meanwhile
    try {
      const { local } = this.#options;
      const before = local.all().length;
      const { isRenewed, seats } = await this.#state.renewLease(this.#leaseMs);
      const lacksSeats = seats < Math.min(before, local.all().length);
      // Once may be a member that joins or leaves at this moment.
      const hasLost = lacksSeats && this.#lackedSeats;
      this.#lackedSeats = lacksSeats;
      if (!isRenewed || !hasSeats || hasLost) await this.#reclaimSeats();
    } catch (error) {
      this.#mustReclaim = true; // also if only the answer was lost: Redis may have a new lease and no seats
      throw error;
    }
  }

  /** Notifies of what was not known when the member left: it is gone, or it has joined on another node. */
  async #releaseNow(member: Member): Promise<void> {
    const { broadcaster } = this.#options;
    const { office, seat } = member;
    const isFree = await this.#state.release(member);
    this.#unreleased.delete(member);
    const [holder] = isFree ? [] : await this.#state.holders(office, seat);
    if (isFree) this.announceLeave(member);
    else if (holder?.role === 'computer')
      broadcaster.broadcast({ office, exceptSid: holder.sid }, 'notify:enter_office', memberPayload(holder));
  }

  /** Redis was emptied, or another node removed this one. A member whose seat is taken by now has to join again. */
  async #reclaimSeats(): Promise<void> {
    const { local, namespace, broadcaster } = this.#options;
    await this.#state.registerNode();
    for (const member of local.all()) {
      const { office, sid, role } = member;
      const { claimed, holder } = await this.#reclaim(member);
      const isStillHere = local.members(office).some((other) => other.sid === sid);
      if (!isStillHere) await this.release(member);
      else if (!claimed) namespace.sockets.get(sid)?.conn.close();
      // If the seat was free, the office was notified that this member left. A Computer was also missing in room lists
      // that were made while the lease had expired.
      else if (holder === undefined || role === 'computer')
        broadcaster.broadcast({ office, exceptSid: sid }, 'notify:enter_office', memberPayload(member));
    }
  }

  /** A member that Redis cannot store has no seat, and does not keep others from theirs. */
  async #reclaim(member: Member): Promise<Pick<StoredClaim, 'claimed' | 'holder'>> {
    try {
      return await this.#state.claim(member, 'reclaim');
    } catch (error) {
      if (!isScriptError(error)) throw error;
      this.#options.logger.error({ err: (error as Error).message, office: member.office }, 'cannot store a member');
      return { claimed: false, holder: undefined };
    }
  }

  /**
   * Agents that were sent an incomplete list, or missed joins, receive the rest as notifications. They may call at
   * once, so this waits until calls to other nodes can be sent and their results received.
   */
  async #announceUnlisted(): Promise<void> {
    if (!this.isReady) return;
    const { node, broadcaster } = this.#options;
    for (const office of [...this.#incomplete]) {
      this.#incomplete.delete(office); // added again by a connection that is lost meanwhile
      const members = await this.#state.members(office).catch((error) => {
        this.#incomplete.add(office);
        throw error;
      });
      for (const member of members) {
        if (member.role !== 'computer' || member.node === node) continue;
        broadcaster.broadcast({ office, isLocal: true }, 'notify:enter_office', memberPayload(member));
      }
    }
  }

  async #removeExpiredNodes(): Promise<void> {
    for (const node of await this.#state.expiredNodes()) {
      this.#options.onNodeGone(node);
      // Not awaited: on a busy node it takes longer than the lease that the next heartbeat renews.
      void this.#announceRemoved(await this.#state.removeNode(node));
    }
  }

  async #announceRemoved(removed: readonly RemovedMember[]): Promise<void> {
    for (const [index, { member, officeSize }] of removed.entries()) {
      // A lost node may have had thousands of members: calls of others are handled in between.
      if (index % MEMBERS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.#closed) return;
      this.#sizes.set(member.office, officeSize);
      this.#options.onRemoteGone(member);
      this.announceGone(member);
      this.announceLeave(member);
    }
  }

  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (isScriptError(error)) throw error;
      throw this.#unavailable(error as Error);
    }
  }

  /** The error of a request that failed because Redis is away. */
  #unavailable(error = new Error('the connection is interrupted')): SMCPError {
    if (!this.#closed) this.#outage.failRequest(reasonOf(error));
    return redisUnavailable();
  }
}

/** How many members of a lost node are announced in one turn of the event loop. */
const MEMBERS_PER_TURN = 20;
/** How long a Computer that was found is used for calls. */
const FOUND_MS = 1_000;
const MAX_FOUND = 10_000;

function nameIn(office: string, nameOrSid: string): string {
  return JSON.stringify([office, nameOrSid]);
}

function isSameSeat(a: Member, b: Member): boolean {
  return a.sid === b.sid && a.office === b.office && a.seat === b.seat;
}

/** JSON between nodes, for notifications. */
const NODE_PARSER = {
  encode: (message: unknown): string => JSON.stringify(message),
  decode: (bytes: Buffer): unknown => JSON.parse(bytes.toString()),
};
