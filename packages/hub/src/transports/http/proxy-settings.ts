/** A proxy of the environment. */
export interface HttpProxy {
  readonly url: URL;
  /** `Proxy-Authorization`, if the URL has credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL, from `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in lower or upper case; undefined
 * for a direct connection. This machine is always reached directly.
 */
export function proxyFor({ protocol, hostname, port }: URL, env: Environment = process.env): HttpProxy | undefined {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const read = (name: string) => env[name.toLowerCase()] || env[name.toUpperCase()];
  const text = read(`${protocol.slice(0, -1)}_proxy`) ?? read('all_proxy');
  const target = { host, port: port || (protocol === 'https:' ? '443' : '80') };
  if (!text || isLoopback(host) || isExcluded(target, read('no_proxy') ?? '')) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Error(`the proxy in ${protocol.slice(0, -1).toUpperCase()}_PROXY is not an http:// or https:// URL`);
  }
  const url = new URL(address);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url, headers: credentials === ':' ? {} : { 'proxy-authorization': basic } };
}

function isLoopback(host: string): boolean {
  return /^127\.|^::1$|^(?:.+\.)?localhost$/.test(host);
}

/** `NO_PROXY`: host names with their subdomains, with or without a port, or `*`. */
function isExcluded({ host, port }: { readonly host: string; readonly port: string }, list: string): boolean {
  const entries = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return entries.some((entry) => {
    const [, name = '', onlyPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    if (entry === '*') return true;
    return (onlyPort === undefined || onlyPort === port) && (host === name || host.endsWith(`.${name}`));
  });
}
