import { setTimeout as sleep } from 'node:timers/promises';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { clientFor } from '../client.js';
import { LoginError } from '../errors.js';
import { explain, oauthCode } from '../failures.js';
import type { LoginTarget } from '../target.js';
import { requestToken } from '../token-request.js';
import type { StoredLogin } from '../vault/stored-login.js';
import { completeLogin, type LogInOptions, type LoginPlan, storeLogin } from './plan.js';
import { checkPage, checkServiceOfPage } from './web-address.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DEFAULT_INTERVAL_S = 5;
const DEFAULT_LIFETIME_S = 600;
const MAX_INTERVAL_S = 60;
const MAX_LIFETIME_S = 3_600;

/** Both are printed: they must not contain other lines. */
const USER_CODE = /^[!-~ ]{1,64}$/;
const PAGE = /^https?:\/\/[!-~]+$/;

/** RFC 8628, section 3.2. */
interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in?: unknown;
  readonly interval?: unknown;
}

/** The device flow: the person opens a page on any device and types in a code. */
export async function logInWithDevice(
  target: LoginTarget,
  plan: LoginPlan,
  { onUrl, signal }: LogInOptions,
): Promise<StoredLogin> {
  const { server } = target;
  const { discovery, scope, dpop_key } = plan;
  const { metadata, issuer, authorization_server, resource } = discovery;
  const endpoint = (metadata as { device_authorization_endpoint?: unknown } | null)?.device_authorization_endpoint;
  if (typeof endpoint !== 'string') {
    throw new LoginError('not-offered', server, `the authorization server ${issuer} does not offer the device flow`);
  }
  const known = await clientFor(target, discovery, { redirect_uri: null, grant: DEVICE_GRANT, scope });
  const device = await requestCode(target, plan, endpoint, known.client);
  const { verification_uri, verification_uri_complete: url = verification_uri } = device;
  for (const page of new Set([verification_uri, url])) {
    await checkPage(target, page);
    checkServiceOfPage(target, new URL(page), issuer);
  }
  await onUrl({ url, code: device.user_code });
  const params = () => new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: device.device_code });
  const context = { authorization_server, metadata, resource, client: known.client, dpop_key };
  const tokens = await poll(target, device, () => requestToken(target, context, params()), signal);
  return storeLogin(target, completeLogin(target, plan, known, tokens));
}

async function requestCode(
  { server, http }: LoginTarget,
  { discovery: { resource }, scope }: LoginPlan,
  endpoint: string,
  { client_id, client_secret }: { client_id: string; client_secret?: string | undefined },
): Promise<DeviceAuthorization> {
  const body = new URLSearchParams({ client_id, resource, ...(scope !== undefined && { scope }) });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' });
  if (client_secret !== undefined) {
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`);
  }
  try {
    const response = await http.fetch(endpoint, { method: 'POST', headers, body });
    const answer = (await response.json()) as Partial<DeviceAuthorization> & { error?: string };
    const { device_code, user_code, verification_uri, verification_uri_complete = verification_uri } = answer;
    const isShowable =
      USER_CODE.test(String(user_code)) &&
      PAGE.test(String(verification_uri)) &&
      PAGE.test(String(verification_uri_complete));
    if (device_code && isShowable) return answer as DeviceAuthorization;
    throw new Error(answer.error ?? `HTTP ${response.status} without a device code, a user code and a page`);
  } catch (error) {
    throw explain(error, { server, what: 'requesting a device code', secrets: [client_secret] });
  }
}

/** Asks for the token until the person has decided, in the interval that the authorization server sets. */
async function poll(
  { server }: LoginTarget,
  { device_code, interval, expires_in }: DeviceAuthorization,
  ask: () => Promise<OAuthTokens>,
  signal: AbortSignal | undefined,
): Promise<OAuthTokens> {
  const end = performance.now() + secondsIn(expires_in, DEFAULT_LIFETIME_S, MAX_LIFETIME_S) * 1_000;
  let seconds = secondsIn(interval, DEFAULT_INTERVAL_S, MAX_INTERVAL_S);
  while (performance.now() < end) {
    await sleep(seconds * 1_000, undefined, signal ? { signal } : {});
    try {
      return await ask();
    } catch (error) {
      const code = oauthCode(error);
      if (code === 'slow_down') seconds = Math.min(seconds + 5, MAX_INTERVAL_S);
      else if (code !== 'authorization_pending') {
        throw explain(error, { server, what: 'the device login', secrets: [device_code] });
      }
    }
  }
  throw new LoginError('failed', server, 'the device code has expired: start the login again');
}

/** A time that the authorization server sets: at least a second, so that it cannot ask for a flood of requests. */
function secondsIn(given: unknown, usual: number, max: number): number {
  return typeof given === 'number' && given > 0 ? Math.min(Math.max(given, 1), max) : usual;
}
