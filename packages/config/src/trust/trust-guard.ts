import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ServerConfig } from '../model/server-config.js';
import { isSocketUrl } from '../model/socket-url.js';
import { placeholderFields } from '../placeholders/placeholder-fields.js';
import { hasPlaceholder } from '../placeholders/syntax.js';
import { idsOf } from '../settings/own-bundle-id.js';
import type { ApprovalLists } from '../settings/scopes.js';
import { type AddressRealm, realmOf } from './ip-rules.js';
import { BY_TRUST, type Refusal, TrustError, type TrustPolicy } from './policy.js';
import { checkAddress, checkUrl, hostOf } from './url-rules.js';

/** Resolves a host name to all of its addresses. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** A URL that may be connected to. */
export interface ApprovedTarget {
  readonly url: string;
  /**
   * The only addresses to connect to: a second DNS lookup could return unchecked ones. null when no address was
   * checked, because the source is trusted or the DNS check is off.
   */
  readonly addresses: readonly string[] | null;
}

const SENSITIVE_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * Enforces the trust policy of a configuration source before servers are started and URLs are connected to.
 *
 * @example
 * ```ts
 * const guard = new TrustGuard(await policyFor(config.source, { allow_localhost: true }));
 * for (const refusal of guard.check(server)) console.error(formatRefusal(refusal));
 * const targets = await guard.approve(server);
 * ```
 */
export class TrustGuard {
  readonly policy: TrustPolicy;
  readonly #resolve: ResolveHost;

  /** @param resolve Replaces the DNS lookup of the system. */
  constructor(policy: TrustPolicy, resolve: ResolveHost = systemLookup) {
    this.policy = policy;
    this.#resolve = resolve;
  }

  /**
   * The same rules without the trust in the source: for addresses that a server names, which the trust in its
   * configuration does not cover.
   */
  asUntrusted(): TrustGuard {
    return new TrustGuard({ ...this.policy, trusted: false }, this.#resolve);
  }

  /** The refusal of a login, which is a secret of the user; undefined if the source may use one. */
  checkLogin(server: string): Refusal | undefined {
    if (this.policy.trusted) return undefined;
    return { rule: 'login', server, message: 'would use a login of yours', allow_with: BY_TRUST };
  }

  /** All violations of a server that can be found without a DNS lookup; empty when it may be started. */
  check(server: ServerConfig): readonly Refusal[] {
    const off = switchedOff(server, this.policy.lists);
    if (off) return [{ rule: 'approval', server: server.name, message: off, allow_with: null }];
    if (this.policy.trusted) return [];
    const refuse = (rule: Refusal['rule'], message: string): Refusal => {
      return { rule, server: server.name, message, allow_with: BY_TRUST };
    };
    const { transport } = server;
    if (transport.type === 'stdio') return [refuse('spawn', 'would start a program')];
    if (transport.type === 'unix') return [refuse('unix-socket', 'would connect to a local socket')];
    const refusals = urlsOf(server).flatMap((url): Refusal[] => {
      // A URL with a placeholder is refused below.
      const violation = hasPlaceholder(url) ? undefined : checkUrl(url, this.policy);
      return violation ? [{ ...violation, server: server.name }] : [];
    });
    for (const header of Object.keys(transport.http_headers)) {
      if (SENSITIVE_HEADERS.includes(header.trim().toLowerCase())) {
        refusals.push(refuse('sensitive-header', `would send the header ${header}`));
      }
    }
    if (transport.bearer_token_env_var !== null) {
      refusals.push(refuse('env-secret', 'would send a token from the environment'));
    }
    for (const header of Object.keys(transport.env_http_headers)) {
      refusals.push(refuse('env-secret', `would send the header ${header} with a value from the environment`));
    }
    for (const field of placeholderFields(server)) {
      refusals.push(refuse('placeholder', `${field} contains a placeholder, which only a trusted source may use`));
    }
    return refusals;
  }

  /**
   * Checks a server including its DNS names and returns the targets that may be connected to.
   *
   * @throws TrustError when the policy forbids the server.
   */
  async approve(server: ServerConfig): Promise<readonly ApprovedTarget[]> {
    const refusals = this.check(server);
    if (refusals.length > 0) throw new TrustError(refusals);
    return Promise.all(urlsOf(server).map((url) => this.approveUrl(url, server.name)));
  }

  /**
   * Checks one URL. For a URL that comes from a server instead of the configuration, such as a redirect or an
   * authorization server, pass the configured URL too: trust in a file covers the origins it names and public
   * addresses, not a way from there to loopback, link-local or private addresses.
   *
   * @param server The name of the server, for the error.
   * @param configured The URL in the configuration that led to this one.
   * @throws TrustError when the policy forbids the URL.
   */
  async approveUrl(url: string, server: string, configured: string = url): Promise<ApprovedTarget> {
    if (this.policy.trusted) {
      return isSameOrigin(url, configured) ? { url, addresses: null } : this.#approveFollowed(url, server, configured);
    }
    const violation = checkUrl(url, this.policy);
    if (violation) throw new TrustError([{ ...violation, server }]);
    const host = hostOf(new URL(url));
    if (isIP(host)) return { url, addresses: [host] };
    if (!this.policy.dns_check) return { url, addresses: null };
    const addresses = await this.#lookUp(host, server);
    const refused = addresses.map((address) => checkAddress(address, host, this.policy)).find(Boolean);
    if (refused) throw new TrustError([{ ...refused, server }]);
    return { url, addresses };
  }

  async #approveFollowed(url: string, server: string, configured: string): Promise<ApprovedTarget> {
    const host = hostOf(new URL(url));
    const addresses = await this.#addressesOf(host, server);
    if (addresses.every((address) => realmOf(address) === 'public')) return { url, addresses };
    const named = isSocketUrl(configured) ? [] : await this.#addressesOf(hostOf(new URL(configured)), server);
    const realms = new Set<AddressRealm>(['public', ...named.map(realmOf)]);
    realms.delete('forbidden');
    const refused = addresses.map(realmOf).find((realm) => !realms.has(realm));
    if (refused === undefined) return { url, addresses };
    const message = `leads to "${host}", a ${refused} address that the configuration does not name; configure it if you want it`;
    throw new TrustError([{ rule: 'followed-address', server, message, allow_with: null }]);
  }

  async #addressesOf(host: string, server: string): Promise<readonly string[]> {
    return isIP(host) ? [host] : this.#lookUp(host, server);
  }

  /** Fails closed: an error, a timeout and an empty answer are refusals. */
  async #lookUp(host: string, server: string): Promise<readonly string[]> {
    const refuse = (message: string) =>
      new TrustError([{ rule: 'dns-lookup', server, message, allow_with: '--no-dns-check' }]);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(refuse(`looking up "${host}" took too long`)), this.policy.dns_timeout_ms);
    });
    try {
      const addresses = await Promise.race([this.#resolve(host), late]);
      if (addresses.length === 0) throw refuse(`"${host}" has no address`);
      return addresses;
    } catch (error) {
      throw error instanceof TrustError ? error : refuse(`"${host}" could not be looked up`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Why the settings switch a server off: denied, not among the allowed ones, or disabled, in this order. */
function switchedOff(server: ServerConfig, lists: ApprovalLists | undefined): string | undefined {
  if (!lists) return undefined;
  const ids = idsOf(server);
  const isIn = (list: readonly string[]) => ids.some((id) => list.includes(id));
  if (isIn(lists.denied)) return 'is in deniedMcpServers of the settings of this machine';
  if (lists.allowed.length > 0 && !isIn(lists.allowed))
    return 'is not in allowedMcpServers of the settings of this machine';
  return isIn(lists.disabled) ? 'is in disabledMcpjsonServers of your settings' : undefined;
}

function isSameOrigin(a: string, b: string): boolean {
  return a === b || new URL(a).origin === new URL(b).origin;
}

function urlsOf({ transport }: ServerConfig): readonly string[] {
  if (transport.type === 'sse') return [transport.url];
  if (transport.type !== 'streamable_http') return [];
  const { url, sse_url } = transport;
  return sse_url === null || sse_url === url ? [url] : [sse_url, url];
}

async function systemLookup(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}
