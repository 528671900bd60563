import { createHmac, randomBytes } from 'node:crypto';
import { SMCPError } from '@a2c/protocol';

/** What a page can check before it sends anything: only the host that sealed its cookie knows the key in it. */
export interface HostProof {
  /** Of this start of the host. What a page computes from it is worthless after the next start. */
  readonly start: string;
  /** One for each valid cookie of the request: other programs on this machine can add cookies. */
  readonly proofs: readonly string[];
  /** How long stored keys are valid. */
  readonly until: string;
}

/** The random text that a page sends. */
const NONCE = /^[\w-]{16,64}$/;

/**
 * The two proofs of a session. A program that gets the port of a stopped host receives cookies and requests of the
 * pages that are still open. It cannot prove that it knows the key of the session, so that these pages send it no valid
 * proof, and what it received from them earlier is not accepted by the next start.
 */
export class SessionProofs {
  /** New at each start. */
  readonly start = randomBytes(32).toString('base64url');

  /**
   * Proves to a page that this host knows the keys of its sessions.
   *
   * @throws SMCPError 400 without a nonce
   */
  ofHost(keys: readonly string[], nonce: string): Omit<HostProof, 'until'> {
    if (!NONCE.test(nonce)) throw new SMCPError('BadRequest', 'nonce: must be 16 to 64 letters, digits, "-" or "_"');
    return { start: this.start, proofs: keys.map((key) => hmac(key, `host ${nonce} ${this.start}`)) };
  }

  /** What a page of the session must send. */
  ofPage(key: string): string {
    return hmac(key, `page ${this.start}`);
  }
}

/**
 * The key that a page stores for its origin, made of the key of the session, which only open pages have. What is stored
 * can be used by every page of the origin, also by that of a program that has the port meanwhile.
 */
export function storedKey(key: string, until: string): string {
  return hmac(key, `stored ${until}`);
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url');
}
