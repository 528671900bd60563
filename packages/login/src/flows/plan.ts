import type { OAuthTokens } from '@modelcontextprotocol/client';
import { type Challenge, forgetChallenge, readChallenge } from '../challenge.js';
import type { KnownClient } from '../client.js';
import { type Discovery, discover, probe } from '../discovery.js';
import { type DpopKey, newDpopKey } from '../dpop.js';
import type { LoginTarget } from '../target.js';
import { checkAudience, checkTokens } from '../token-request.js';
import { idOf, type StoredLogin, timesOf } from '../vault/stored-login.js';
import { scopeFor } from './scope.js';

/** How a person logs in: the browser of this machine, a pasted redirect, or a code typed on another device. */
export type LoginWay = 'browser' | 'paste' | 'device';

/** Options of an interactive login. */
export interface LogInOptions {
  /** Default: `browser`. */
  readonly way?: LoginWay;
  /** The issuer that the person names, in place of the configured one. */
  readonly issuer?: string;
  /** Shows the address to the person, or opens it. With `device`, `code` is what the person compares or types in. */
  readonly onUrl: (page: { readonly url: string; readonly code: string | null }) => void | Promise<void>;
  /** Returns the redirected URL that the person pastes; required for `paste`. */
  readonly readRedirect?: () => Promise<string>;
  readonly signal?: AbortSignal;
}

/** What is known before the first token request. */
export interface LoginPlan {
  readonly discovery: Discovery;
  readonly scope: string | undefined;
  readonly dpop_key: DpopKey | undefined;
}

/** Discovers the authorization server and decides the scopes. */
export async function planLogin(target: LoginTarget, present: StoredLogin | undefined): Promise<LoginPlan> {
  const stored = await readChallenge(target);
  const challenge: Challenge =
    stored?.resource_metadata_url === undefined ? merged(await probe(target), stored) : stored;
  const discovery = await discover(target, challenge);
  return {
    discovery,
    scope: scopeFor(target, discovery, challenge, present),
    dpop_key: discovery.needs_dpop ? await newDpopKey() : undefined,
  };
}

/** The stored challenge may be one of a step-up, which lists other scopes than the first one. */
function merged(probed: Challenge, stored: Challenge | undefined): Challenge {
  return stored ? { ...probed, ...stored } : probed;
}

/** The login that the tokens belong to. */
export function completeLogin(
  target: LoginTarget,
  { discovery, scope, dpop_key }: LoginPlan,
  known: KnownClient,
  tokens: OAuthTokens,
): StoredLogin {
  const { url, account } = target;
  const { issuer, resource, authorization_server, metadata } = discovery;
  checkTokens(target, tokens);
  checkAudience(target, tokens, resource);
  return {
    key: { issuer, resource, client_id: known.client.client_id, account },
    server_url: url,
    authorization_server,
    metadata,
    requested_scope: scope ?? null,
    ...known,
    tokens,
    ...(dpop_key && { dpop_key }),
    ...timesOf(tokens),
  };
}

/** Stores a new login, but not during a refresh, which would replace it by the older one. */
export async function storeLogin(target: LoginTarget, login: StoredLogin): Promise<StoredLogin> {
  const { vault } = target;
  await vault.lock(idOf(login.key)).run(() => vault.write(login));
  await forgetChallenge(target);
  return login;
}
