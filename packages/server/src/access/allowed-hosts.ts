import { isIP } from 'node:net';

/** Checks the `Host` header of a request. */
export type HostCheck = (header: string | undefined) => boolean;

/** Whether a host name or address is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/**
 * Against DNS rebinding, by which a web page reaches a server on this machine or network under a name of its own. Such
 * a name has a dot. So addresses, loopback names and single words pass, and names that are allowed explicitly; a server
 * on a loopback address accepts loopback names only.
 *
 * @param hosts names without port, `*` for all
 * @param address the address that the server listens on, if it is known
 */
export function hostCheck(hosts: readonly string[] = [], address = '127.0.0.1'): HostCheck {
  const names = new Set([...hosts, address].map((host) => host.toLowerCase()));
  if (names.has('*')) return () => true;
  return (header) => {
    const name = hostName(header);
    if (name === undefined) return false;
    if (names.has(name) || isLoopback(name)) return true;
    return !isLoopback(address) && (isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0 || !name.includes('.'));
  };
}

/** The name in a `Host` header, without the port. */
function hostName(header: string | undefined): string | undefined {
  const url = `http://${header ?? ''}`;
  if (header === undefined || !URL.canParse(url)) return undefined;
  const { hostname, host, pathname, username } = new URL(url);
  return host === '' || pathname !== '/' || username !== '' ? undefined : hostname.replace(/\.$/, '');
}
