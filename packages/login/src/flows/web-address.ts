import type { FetchLike } from '@modelcontextprotocol/client';
import { LoginError } from '../errors.js';
import { shortened } from '../failures.js';
import type { LoginHttp, LoginTarget } from '../target.js';

/** The addresses of an authorization server that a login uses. */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'device_authorization_endpoint',
  'revocation_endpoint',
] as const;

/**
 * Refuses an address that is not HTTP, or that has a user name: a person and a browser see another host in
 * `https://bank.example@evil.example`.
 */
export function checkWebAddress(server: string, what: string, address: unknown): void {
  const url = parsed(address);
  if (url && isWeb(url) && !hasUserInfo(url)) return;
  throw refused(server, what, url);
}

/**
 * Refuses a login page that the trust policy forbids, as requests to it would be: the browser of the person would send
 * one into a network that the authorization server does not reach.
 */
export async function checkPage({ server, http }: LoginTarget, page: string | URL): Promise<void> {
  const what = 'the login page of the authorization server';
  checkWebAddress(server, what, page);
  try {
    await http.approve(page);
  } catch (error) {
    throw new LoginError('refused', server, `${what} is not opened: ${(error as Error).message}`);
  }
}

/**
 * Refuses a login page of another service than the issuer, unless the issuer is configured. A hostile authorization
 * server could name the page of an honest one: the code that the person gets there would be sent to the hostile one, or
 * the person would confirm a device login that the hostile one has begun there.
 */
export function checkServiceOfPage({ server, settings }: LoginTarget, page: URL, issuer: string): void {
  const own = new URL(issuer);
  // `discover` has compared a configured issuer.
  if (settings.issuer !== undefined || isWithin(page, own) || isWithin(own, page)) return;
  const remedy = `if you expect that, set oauth.issuer of the server to ${shortened(issuer)}, or log in with --issuer`;
  const message = `the login page is on ${page.host}, but what it permits goes to another service, ${own.host}: ${remedy}`;
  throw new LoginError('refused', server, message);
}

/** Whether an address is on the host of another one, or on a subdomain of it. */
function isWithin(inner: URL, outer: URL): boolean {
  return inner.host === outer.host || inner.host.endsWith(`.${outer.host}`);
}

/** Refuses metadata in which one of the addresses is no plain web address. */
export function checkEndpoints(server: string, metadata: object | null): void {
  const given = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  for (const name of ENDPOINTS) {
    if (given[name] !== undefined) checkWebAddress(server, `the ${name} of the authorization server`, given[name]);
  }
}

/** Sends requests to plain web addresses only. The configured address of the MCP server may have a user name. */
export function plainHttp({ server, url: own, http }: Pick<LoginTarget, 'server' | 'url' | 'http'>): LoginHttp {
  const check = (address: string | URL) => {
    const url = parsed(address);
    if (url && isWeb(url) && (!hasUserInfo(url) || isSameUser(url, new URL(own)))) return;
    throw refused(server, 'the address of a request for the login', url);
  };
  const fetch: FetchLike = async (url, init) => {
    check(url);
    return http.fetch(url, init);
  };
  const fetchDurably: LoginHttp['fetchDurably'] = async (url, init, durable) => {
    check(url);
    return http.fetchDurably(url, init, durable);
  };
  return { approve: http.approve, fetch, fetchDurably };
}

function parsed(address: unknown): URL | undefined {
  return URL.canParse(String(address)) ? new URL(String(address)) : undefined;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

function hasUserInfo({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function isSameUser(a: URL, b: URL): boolean {
  return a.origin === b.origin && a.username === b.username && a.password === b.password;
}

function refused(server: string, what: string, url: URL | undefined): LoginError {
  const reason =
    !url || !isWeb(url) ? 'is no web address' : `has a user name, which hides that its host is ${url.host}`;
  return new LoginError('refused', server, `${what} ${reason}; it is not used`);
}
