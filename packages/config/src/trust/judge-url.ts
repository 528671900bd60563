import { isIP } from 'node:net';
import { isSocketUrl } from '../model/socket-url.js';
import { classifyAddress } from './ip-rules.js';
import { BY_TRUST, type Refusal, type TrustPolicy } from './policy.js';

type Verdict = Omit<Refusal, 'server'>;

/** The first rule of the untrusted that a URL breaks, judged without the network; undefined when it may be dialled. */
export function judgeUrl(text: string, policy: TrustPolicy): Verdict | undefined {
  if (!URL.canParse(text)) return { rule: 'url', message: 'the URL cannot be read', allow_with: null };
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
  if (!policy.allow_localhost && isLocalName(host)) {
    return { rule: 'local-host', message: `"${host}" is a local host name`, allow_with: '--allow-localhost' };
  }
  if (policy.allowed_hosts.length > 0 && !policy.allowed_hosts.some((allowed) => covers(allowed, host))) {
    const message = `"${host}" is not among the allowed hosts`;
    return { rule: 'allowed-hosts', message, allow_with: `--allow-host ${host}` };
  }
  return isIP(host) ? judgeAddress(host, host, policy) : undefined;
}

/** Judges one address that `host` stands for, be it written there or resolved. */
export function judgeAddress(address: string, host: string, policy: TrustPolicy): Verdict | undefined {
  const kind = classifyAddress(address);
  const what = host === address ? `"${host}"` : `"${host}" resolves to an address that`;
  if (kind === 'forbidden') {
    return { rule: 'forbidden-address', message: `${what} is never a server's address`, allow_with: '--trust' };
  }
  if (kind === 'private' && !policy.allow_private_ip) {
    return { rule: 'private-address', message: `${what} is not public`, allow_with: '--allow-private-ip' };
  }
  return undefined;
}

/** In lower case, without the brackets of IPv6 and without trailing dots. `URL` has already undone odd spellings of IPv4. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}

const LOCAL_SUFFIXES = ['.localhost', '.local', '.localdomain'];

function isLocalName(host: string): boolean {
  if (isIP(host)) return false;
  return !host.includes('.') || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

/** The host itself or one below it. No wildcards: `*.x` would look like more care than it is. */
function covers(allowed: string, host: string): boolean {
  const wanted = allowed.trim().replace(/\.+$/, '').toLowerCase();
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}
