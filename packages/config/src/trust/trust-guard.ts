import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ServerConfig } from '../model/server-config.js';
import { hasPlaceholder } from '../placeholders/expand.js';
import { placeholderFields } from '../placeholders/server-fields.js';
import { hostOf, judgeAddress, judgeUrl } from './judge-url.js';
import { BY_TRUST, type Refusal, TrustError, type TrustPolicy } from './policy.js';

/** Every address a host name stands for. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** A URL that may be dialled. */
export interface ApprovedTarget {
  readonly url: string;
  /**
   * Dial only these: they were judged, and a second DNS answer was not. null when nothing was judged, because the source is
   * trusted or the DNS check is off.
   */
  readonly addresses: readonly string[] | null;
}

const SENSITIVE_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

/** Stands between a configuration source and the world. */
export class TrustGuard {
  readonly policy: TrustPolicy;
  readonly #resolve: ResolveHost;

  constructor(policy: TrustPolicy, resolve: ResolveHost = systemLookup) {
    this.policy = policy;
    this.#resolve = resolve;
  }

  /** Everything that forbids this server, as far as can be said without the network. Empty: it may be tried. */
  judge(server: ServerConfig): readonly Refusal[] {
    if (this.policy.trusted) return [];
    const refuse = (rule: Refusal['rule'], message: string): Refusal => {
      return { rule, server: server.name, message, allow_with: BY_TRUST };
    };
    const { transport } = server;
    if (transport.type === 'stdio') return [refuse('spawn', 'would start a program')];
    if (transport.type === 'unix') return [refuse('unix-socket', 'would connect to a local socket')];
    const refusals = urlsOf(server).flatMap((url): Refusal[] => {
      // What a placeholder would make of the URL is not known, and refused below.
      const verdict = hasPlaceholder(url) ? undefined : judgeUrl(url, this.policy);
      return verdict ? [{ ...verdict, server: server.name }] : [];
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
      refusals.push(refuse('env-secret', `would fill the header ${header} from the environment`));
    }
    for (const field of placeholderFields(server)) {
      refusals.push(refuse('placeholder', `${field} holds a placeholder, which is not filled in for the untrusted`));
    }
    return refusals;
  }

  /** The targets of a server that may be dialled; throws `TrustError` otherwise. */
  async approve(server: ServerConfig): Promise<readonly ApprovedTarget[]> {
    const refusals = this.judge(server);
    if (refusals.length > 0) throw new TrustError(refusals);
    return Promise.all(urlsOf(server).map((url) => this.approveUrl(url, server.name)));
  }

  /** For every URL that the configuration does not name itself: a redirect, or the address an SSE server tells to post to. */
  async approveUrl(url: string, server: string): Promise<ApprovedTarget> {
    if (this.policy.trusted) return { url, addresses: null };
    const verdict = judgeUrl(url, this.policy);
    if (verdict) throw new TrustError([{ ...verdict, server }]);
    const host = hostOf(new URL(url));
    if (isIP(host)) return { url, addresses: [host] };
    if (!this.policy.dns_check) return { url, addresses: null };
    const addresses = await this.#lookUp(host, server);
    const refused = addresses.map((address) => judgeAddress(address, host, this.policy)).find(Boolean);
    if (refused) throw new TrustError([{ ...refused, server }]);
    return { url, addresses };
  }

  /** Fails closed: no answer, no answer in time and an empty answer are all refusals. */
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
