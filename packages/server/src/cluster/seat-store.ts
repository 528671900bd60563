import { Redis } from 'ioredis';
import { type Occupant, seatKey } from '../rooms/registry.js';
import { BURY, CLAIM, OCCUPANTS, RELEASE } from './scripts.js';

/** After this long without an answer Redis counts as away, though its connection stands. */
export const REDIS_SILENCE_MS = 2_000;

export interface StoredClaim {
  readonly taken: boolean;
  /** Who had the seat, and whether its node lives. */
  readonly holder: Occupant | undefined;
  readonly holderLives: boolean;
}

/** Who sits where and which nodes live, as Redis knows it. Without Redis everything fails at once: nothing waits here. */
export class SeatStore {
  readonly redis: Redis;
  readonly #node: string;
  readonly #prefix: string;

  constructor(url: string, node: string, prefix: string) {
    this.#node = node;
    this.#prefix = prefix;
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: REDIS_SILENCE_MS,
      socketTimeout: REDIS_SILENCE_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    });
  }

  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** `again` takes back what one had, but not what its owner has taken elsewhere since. */
  async claim(occupant: Occupant, mode: 'first' | 'again'): Promise<StoredClaim> {
    const seat = seatKey(occupant);
    const [taken, holder, lives] = (await this.redis.eval(
      CLAIM,
      2,
      this.#office(occupant.office),
      this.#seats(occupant.node),
      seat,
      JSON.stringify(occupant),
      this.#lease(''),
      JSON.stringify([occupant.office, seat]),
      mode,
    )) as [number, string | null, number];
    return {
      taken: taken === 1,
      holder: holder === null ? undefined : (JSON.parse(holder) as Occupant),
      holderLives: lives === 1,
    };
  }

  async release(occupant: Occupant): Promise<void> {
    const { office, node, sid } = occupant;
    const seat = seatKey(occupant);
    await this.redis.eval(
      RELEASE,
      2,
      this.#office(office),
      this.#seats(node),
      seat,
      sid,
      JSON.stringify([office, seat]),
    );
  }

  /** Those whose nodes live. */
  async occupants(office: string): Promise<readonly Occupant[]> {
    return parsed(await this.redis.eval(OCCUPANTS, 1, this.#office(office), this.#lease('')));
  }

  /** False when Redis did not know that we live. */
  async renewLease(ms: number): Promise<boolean> {
    return (await this.redis.set(this.#lease(this.#node), '1', 'PX', ms, 'GET')) !== null;
  }

  async enlist(): Promise<void> {
    await this.redis.sadd(this.#nodes, this.#node);
  }

  async resign(): Promise<void> {
    await this.redis.del(this.#lease(this.#node), this.#seats(this.#node));
    await this.redis.srem(this.#nodes, this.#node);
  }

  /** Nodes that are listed and have not renewed their lease. */
  async deadNodes(): Promise<readonly string[]> {
    const nodes = (await this.redis.smembers(this.#nodes)).filter((node) => node !== this.#node);
    if (nodes.length === 0) return [];
    const leases = await this.redis.mget(nodes.map((node) => this.#lease(node)));
    return nodes.filter((_node, i) => leases[i] === null);
  }

  /** Frees a dead node's seats; only one caller gets to, and to know whose they were. */
  async bury(node: string): Promise<readonly Occupant[]> {
    return parsed(await this.redis.eval(BURY, 2, this.#nodes, this.#seats(node), node, this.#office('')));
  }

  get #nodes(): string {
    return `${this.#prefix}nodes`;
  }

  #office(office: string): string {
    return `${this.#prefix}office:${office}`;
  }

  #seats(node: string): string {
    return `${this.#prefix}seats:${node}`;
  }

  #lease(node: string): string {
    return `${this.#prefix}lease:${node}`;
  }
}

function parsed(occupants: unknown): readonly Occupant[] {
  return (occupants as string[]).map((json) => JSON.parse(json) as Occupant);
}
