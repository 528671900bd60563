import type { ApprovalLists } from '../settings/scopes.js';

/** What a configuration source may do. Everything that is not explicitly allowed is forbidden. */
export interface TrustPolicy {
  /** A trusted source may start programs, use sockets, read secrets, expand placeholders and connect to any URL. */
  readonly trusted: boolean;
  /** When not empty, an untrusted source may connect only to these hosts and their subdomains. */
  readonly allowed_hosts: readonly string[];
  /** Allows local host names (`localhost`, `*.local`, names without a dot) for an untrusted source. */
  readonly allow_localhost: boolean;
  /** Allows private addresses for an untrusted source. Forbidden addresses stay forbidden. */
  readonly allow_private_ip: boolean;
  /** Resolve host names, check every address, and connect only to the checked addresses. */
  readonly dns_check: boolean;
  /** The time limit for one DNS lookup. */
  readonly dns_timeout_ms: number;
  /** MCP servers that the user or the administrator switched off; they apply to trusted sources too. */
  readonly lists?: ApprovalLists;
}

/** The policy of a source without any permission. */
export const UNTRUSTED: TrustPolicy = Object.freeze({
  trusted: false,
  allowed_hosts: Object.freeze([]) as readonly string[],
  allow_localhost: false,
  allow_private_ip: false,
  dns_check: true,
  dns_timeout_ms: 2_000,
});

/** The rules for untrusted sources; docs/trust.md explains each. */
export type TrustRule =
  | 'approval'
  | 'spawn'
  | 'unix-socket'
  | 'env-secret'
  | 'placeholder'
  | 'sensitive-header'
  | 'login'
  | 'url'
  | 'url-credentials'
  | 'https-only'
  | 'local-host'
  | 'allowed-hosts'
  | 'private-address'
  | 'forbidden-address'
  | 'dns-lookup'
  | 'followed-address';

/** The remedy for rules that only full trust lifts. */
export const BY_TRUST = '--trust, or a2c config trust FILE';

/** One violation of a trust rule by a server, and how to allow it. */
export interface Refusal {
  readonly rule: TrustRule;
  /** The name of the server. */
  readonly server: string;
  readonly message: string;
  /** The command-line option that allows it; null when none does. */
  readonly allow_with: string | null;
}

/** One line for a person: server, message, rule and remedy. */
export function formatRefusal({ rule, server, message, allow_with }: Refusal): string {
  return `${server}: ${message} (rule ${rule}; ${allow_with === null ? 'nothing allows it' : `allowed by ${allow_with}`})`;
}

/**
 * A server needs something that its source is not trusted with. The error is permanent: it stays until the source is
 * trusted or the policy changes.
 */
export class TrustError extends Error {
  override readonly name = 'TrustError';
  /** All violations, at least one. */
  readonly refusals: readonly Refusal[];
  constructor(refusals: readonly Refusal[]) {
    super(refusals.map(formatRefusal).join('\n'));
    this.refusals = refusals;
  }
}
