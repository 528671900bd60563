import { Redis } from 'ioredis';
import { type ClaimMode, type Member, SOCKET_ID, seatFor } from '../rooms/registry.js';
import { CLAIM, HOLDERS, MEMBERS, RELEASE, REMOVE_NODE, RENEW } from './lua-scripts.js';

/** A Redis that does not answer within this time counts as away, even if its connection is open. */
export const REDIS_TIMEOUT_MS = 2_000;

/** The outcome of a claim. */
export interface StoredClaim {
  readonly claimed: boolean;
  /** The member that had the seat before. */
  readonly holder: Member | undefined;
  readonly isHolderAlive: boolean;
  /** How many seats of the office are taken, also those of nodes that are lost; undefined if it was not claimed. */
  readonly officeSize: number | undefined;
}

/** A member of a node that is lost. */
export interface RemovedMember {
  readonly member: Member;
  /** How many seats of its office are still taken. */
  readonly officeSize: number;
}

/** What Redis has of a node whose lease is renewed. */
export interface Renewal {
  /** The lease had not expired. */
  readonly isRenewed: boolean;
  readonly seats: number;
}

/**
 * The state that nodes share in Redis: the members of every office, the registered nodes and their leases. Without
 * Redis every method rejects at once; commands are never queued here.
 */
export class ClusterState {
  readonly redis: Redis;
  readonly #node: string;
  readonly #prefix: string;
  #isCorked = false;

  constructor(url: string, node: string, prefix: string) {
    this.#node = node;
    this.#prefix = prefix;
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: REDIS_TIMEOUT_MS,
      socketTimeout: REDIS_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    });
  }

  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** The client. All commands of one turn of the event loop leave in one write: many may join at once. */
  get #commands(): Redis {
    if (this.isReady && !this.#isCorked) {
      const { stream } = this.redis;
      this.#isCorked = true;
      stream.cork();
      setImmediate(() => {
        this.#isCorked = false;
        stream.uncork();
      });
    }
    return this.redis;
  }

  /** `reclaim` takes a seat back that this node had, but not if a newer connection has taken it over since. */
  async claim(member: Member, mode: ClaimMode | 'reclaim'): Promise<StoredClaim> {
    const { seat } = member;
    const [claimed, holder, alive, officeSize] = (await this.#commands.eval(
      CLAIM,
      3,
      this.#officeKey(member.office),
      this.#seatsKey(member.node),
      this.#idsKey(member.office),
      seat,
      JSON.stringify(member),
      this.#leaseKey(''),
      JSON.stringify([member.office, seat]),
      mode,
    )) as [number, string | null, number, number?];
    return {
      claimed: claimed === 1,
      holder: holder === null ? undefined : (JSON.parse(holder) as Member),
      isHolderAlive: alive === 1,
      officeSize,
    };
  }

  /** Frees the seat if this member still has it. */
  async release(member: Member): Promise<boolean> {
    const { office, node, sid, seat } = member;
    const entry = JSON.stringify([office, seat]);
    const keys = [this.#officeKey(office), this.#seatsKey(node), this.#idsKey(office)] as const;
    return (await this.#commands.eval(RELEASE, 3, ...keys, seat, sid, entry)) === 1;
  }

  /** The members of an office whose nodes are alive. */
  async members(office: string): Promise<readonly Member[]> {
    const keys = [this.#officeKey(office), this.#nodesKey] as const;
    const [members, alive] = (await this.#commands.eval(MEMBERS, 2, ...keys, this.#leaseKey(''))) as string[][];
    const nodes = new Set(alive);
    return parseMembers(members).filter(({ node }) => nodes.has(node));
  }

  /** The members of an office with these seats whose nodes are alive. */
  async holders(office: string, ...seats: readonly string[]): Promise<readonly Member[]> {
    const key = this.#officeKey(office);
    return parseMembers(await this.#commands.eval(HOLDERS, 1, key, this.#leaseKey(''), ...seats));
  }

  /** Finds a Computer by its name or the id of its connection. */
  async findComputer(office: string, nameOrSid: string): Promise<Member | undefined> {
    const byId = SOCKET_ID.test(nameOrSid) ? await this.#commands.hget(this.#idsKey(office), nameOrSid) : null;
    const byName = [seatFor('computer', nameOrSid, {}), seatFor('computer', nameOrSid, { computers: 'one' })];
    const computers = await this.holders(office, ...byName, ...(byId === null ? [] : [byId]));
    return computers.find(({ name }) => name === nameOrSid) ?? computers.find(({ sid }) => sid === nameOrSid);
  }

  /** How many seats of an office are taken, also those of nodes that are lost. */
  officeSize(office: string): Promise<number> {
    return this.#commands.hlen(this.#officeKey(office));
  }

  /** Renews the lease of this node. */
  async renewLease(ms: number): Promise<Renewal> {
    const keys = [this.#leaseKey(this.#node), this.#seatsKey(this.#node)] as const;
    const [renewed, seats] = (await this.#commands.eval(RENEW, 2, ...keys, ms)) as [number, number];
    return { isRenewed: renewed === 1, seats };
  }

  /** Adds this node to the list of nodes. */
  async registerNode(): Promise<void> {
    await this.#commands.sadd(this.#nodesKey, this.#node);
  }

  /** Removes this node and its lease, in an orderly shutdown. */
  async deregisterNode(): Promise<void> {
    await this.#commands.del(this.#leaseKey(this.#node), this.#seatsKey(this.#node));
    await this.#commands.srem(this.#nodesKey, this.#node);
  }

  /** Registered nodes whose lease has expired. */
  async expiredNodes(): Promise<readonly string[]> {
    const nodes = (await this.#commands.smembers(this.#nodesKey)).filter((node) => node !== this.#node);
    if (nodes.length === 0) return [];
    const leases = await this.#commands.mget(nodes.map((node) => this.#leaseKey(node)));
    return nodes.filter((_node, i) => leases[i] === null);
  }

  /** Removes an expired node and frees its seats. Returns its members to the first caller, an empty list to others. */
  async removeNode(node: string): Promise<readonly RemovedMember[]> {
    const keys = [this.#nodesKey, this.#seatsKey(node), this.#leaseKey(node)] as const;
    const removed = await this.#commands.eval(REMOVE_NODE, 3, ...keys, node, this.#officeKey(''), this.#idsKey(''));
    const [members, sizes] = removed as [string[], number[]];
    return parseMembers(members).map((member, i) => ({ member, officeSize: sizes[i] ?? 0 }));
  }

  get #nodesKey(): string {
    return `${this.#prefix}nodes`;
  }

  #officeKey(office: string): string {
    return `${this.#prefix}office:${office}`;
  }

  #idsKey(office: string): string {
    return `${this.#prefix}ids:${office}`;
  }

  #seatsKey(node: string): string {
    return `${this.#prefix}seats:${node}`;
  }

  #leaseKey(node: string): string {
    return `${this.#prefix}lease:${node}`;
  }
}

function parseMembers(members: unknown): readonly Member[] {
  return (members as string[]).map((json) => JSON.parse(json) as Member);
}
