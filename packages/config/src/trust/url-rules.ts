import { isIP } from 'node:net';
import { isSocketUrl } from '../model/socket-url.js';
import { classifyAddress } from './ip-rules.js';
import { BY_TRUST, type Refusal, type TrustPolicy } from './policy.js';

/** The maximum length of a host name in DNS. */
const MAX_HOST_LENGTH = 253;

type Violation = Omit<Refusal, 'server'>;

/** The first rule for untrusted sources that a URL violates, without a DNS lookup; undefined when it is allowed. */
export function checkUrl(text: string, policy: TrustPolicy): Violation | undefined {
  if (!URL.canParse(text)) return { rule: 'url', message: 'the URL is invalid', allow_with: null };
  if (isSocketUrl(text)) {
    return { rule: 'unix-socket', message: 'would connect to a local socket', allow_with: BY_TRUST };
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { rule: 'url-credentials', message: 'the URL contains credentials', allow_with: '--trust' };
  }
  if (url.protocol !== 'https:') {
    return { rule: 'https-only', message: 'the URL is not https', allow_with: '--trust' };
  }
  const host = hostOf(url);
  if (host === '') return { rule: 'url', message: 'the URL has no host', allow_with: null };
  if (host.length > MAX_HOST_LENGTH) {
    const message = `the host name has more than ${MAX_HOST_LENGTH} characters`;
    return { rule: 'url', message, allow_with: null };
  }
  if (!policy.allow_localhost && isLocalName(host)) {
    return { rule: 'local-host', message: `"${host}" is a local host name`, allow_with: '--allow-localhost' };
  }
  if (policy.allowed_hosts.length > 0 && !policy.allowed_hosts.some((allowed) => covers(allowed, host))) {
    const message = `"${host}" is not among the allowed hosts`;
    return { rule: 'allowed-hosts', message, allow_with: `--allow-host ${host}` };
  }
  return isIP(host) ? checkAddress(host, host, policy) : undefined;
}

/** Checks one address of `host`: the host itself, or a result of its DNS lookup. */
export function checkAddress(address: string, host: string, policy: TrustPolicy): Violation | undefined {
  const kind = classifyAddress(address);
  const what = host === address ? `"${host}"` : `"${host}" resolves to an address that`;
  if (kind === 'forbidden') {
    return {
      rule: 'forbidden-address',
      message: `${what} is never the address of an MCP server`,
      allow_with: '--trust',
    };
  }
  if (kind === 'private' && !policy.allow_private_ip) {
    return { rule: 'private-address', message: `${what} is not public`, allow_with: '--allow-private-ip' };
  }
  return undefined;
}

/**
 * The host name in lower case, without IPv6 brackets and trailing dots. `URL` has already normalised IPv4 notations.
 */
export function hostOf(url: URL): string {
  return withoutTrailingDots(url.hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** In linear time: `/\.+$/` tries each dot of a long row of them that is not at the end. */
function withoutTrailingDots(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end -= 1;
  return host.slice(0, end);
}

const LOCAL_SUFFIXES = ['.localhost', '.local', '.localdomain'];

function isLocalName(host: string): boolean {
  if (isIP(host)) return false;
  return !host.includes('.') || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

/** True for the host itself and its subdomains. Wildcards are not supported. */
function covers(allowed: string, host: string): boolean {
  const wanted = withoutTrailingDots(allowed.trim()).toLowerCase();
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}
