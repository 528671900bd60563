/** What a configuration source may do. Everything a person did not allow is off. */
export interface TrustPolicy {
  /** A trusted source may spawn, use sockets, read secrets, expand placeholders and reach any URL. */
  readonly trusted: boolean;
  /** When not empty, an untrusted source reaches only these hosts and what is below them. */
  readonly allowed_hosts: readonly string[];
  /** Opens local host names (`localhost`, `*.local`, single labels) to an untrusted source. */
  readonly allow_localhost: boolean;
  /** Opens private addresses, but never the forbidden ones. */
  readonly allow_private_ip: boolean;
  /** Resolve host names, judge every answer, and pin the connection to them. */
  readonly dns_check: boolean;
  readonly dns_timeout_ms: number;
}

export const UNTRUSTED: TrustPolicy = Object.freeze({
  trusted: false,
  allowed_hosts: Object.freeze([]) as readonly string[],
  allow_localhost: false,
  allow_private_ip: false,
  dns_check: true,
  dns_timeout_ms: 2_000,
});

export type TrustRule =
  | 'spawn'
  | 'unix-socket'
  | 'env-secret'
  | 'placeholder'
  | 'sensitive-header'
  | 'url'
  | 'url-credentials'
  | 'https-only'
  | 'local-host'
  | 'allowed-hosts'
  | 'private-address'
  | 'forbidden-address'
  | 'dns-lookup';

/** What a person says to allow everything. */
export const BY_TRUST = '--trust, or a2c config trust FILE';

/** One thing an untrusted source may not do: which rule says so, and what a person could say to allow it. */
export interface Refusal {
  readonly rule: TrustRule;
  readonly server: string;
  readonly message: string;
  /** The flag that would allow it; null when nothing does. */
  readonly allow_with: string | null;
}

export function formatRefusal({ rule, server, message, allow_with }: Refusal): string {
  return `${server}: ${message} (rule ${rule}; ${allow_with === null ? 'nothing allows it' : `allowed by ${allow_with}`})`;
}

/** The source is not trusted with what the server needs. */
export class TrustError extends Error {
  override readonly name = 'TrustError';
  readonly refusals: readonly Refusal[];
  constructor(refusals: readonly Refusal[]) {
    super(refusals.map(formatRefusal).join('\n'));
    this.refusals = refusals;
  }
}
