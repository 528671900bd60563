import { KeyedBuckets } from './rate-limit.js';

/** How many credentials of an address are checked for each handshake that it may begin. */
const CHECKS_PER_HANDSHAKE = 10;

/**
 * The rate of the handshakes of each address. Strangers can use it up, for example behind the same NAT gateway, so
 * handshakes over it with valid credentials in their headers have a rate of their own.
 */
export class HandshakeRate {
  readonly #all: KeyedBuckets;
  readonly #checks: KeyedBuckets;
  readonly #members: KeyedBuckets;

  constructor(perSecond: number) {
    this.#all = new KeyedBuckets(perSecond);
    this.#checks = new KeyedBuckets(perSecond * CHECKS_PER_HANDSHAKE);
    this.#members = new KeyedBuckets(perSecond);
  }

  /** Returns 0, or the seconds to wait. */
  take(address: string): number {
    return this.#all.take(address);
  }

  /** The same for a handshake with credentials that would have to wait. */
  async takeAsMember(address: string, wait: number, isMember: () => Promise<boolean>): Promise<number> {
    const canCheck = this.#checks.take(address) === 0;
    return canCheck && (await isMember()) ? this.#members.take(address) : wait;
  }
}
