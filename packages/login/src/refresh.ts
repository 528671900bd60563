import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type HeldLock, readIfPresent } from '@a2c/config';
import { type FetchLike, type OAuthTokens, refreshAuthorization } from '@modelcontextprotocol/client';
import { dpopSession } from './dpop.js';
import { LoginError } from './errors.js';
import { explain, oauthCode } from './failures.js';
import type { LoginTarget } from './target.js';
import { checkTokens, clientAuthentication } from './token-request.js';
import { idOf, isDue, type StoredLogin, timesOf } from './vault/stored-login.js';

/** The answer to a refresh as the durable request stores it. */
interface StoredAnswer {
  /** Identifies the refresh token that was sent. */
  readonly tag: string;
  readonly status: number;
  readonly body: string;
}

/**
 * Returns a login with another access token than `used`. Of all processes, exactly one redeems the refresh token; the
 * others wait and take the new tokens from the vault.
 *
 * The authorization server may revoke everything if a refresh token is redeemed twice. So the request is sent by a
 * process that survives this one and stores the answer before anything else happens: if this process is killed during
 * the refresh, the next one finds the answer and does not repeat the request.
 */
export async function refreshLogin(
  target: LoginTarget,
  { key }: StoredLogin,
  used: string | undefined,
): Promise<StoredLogin> {
  const { vault } = target;
  const id = idOf(key);
  const renewed = async (): Promise<StoredLogin | undefined> => {
    const login = await vault.read(id);
    return login?.tokens && login.tokens.access_token !== used && !isDue(login) ? login : undefined;
  };
  return vault.lock(id).run(
    async (lock) => {
      const login = (await renewed()) ?? (await recover(target, id));
      return login ?? redeem(target, id, lock);
    },
    { isObsolete: renewed },
  );
}

async function redeem(target: LoginTarget, id: string, lock: HeldLock): Promise<StoredLogin> {
  const { server, vault, http } = target;
  const login = await vault.read(id);
  const token = login?.tokens?.refresh_token;
  if (!login || token === undefined) throw expired(server);
  const file = vault.answerFileOf(id);
  const durable: FetchLike = (url, init) =>
    http.fetchDurably(url, init, { file, tag: tagOf(token), onProcess: (pid) => lock.share(pid) });
  try {
    return await store(target, login, await request(target, login, token, durable));
  } catch (error) {
    if (oauthCode(error) === 'invalid_grant') return afterInvalidGrant(target, id, token);
    const secrets = [token, login.tokens?.access_token, login.client.client_secret];
    throw explain(error, { server, what: `refreshing the login of server "${server}"`, secrets });
  }
}

/** `invalid_grant` is final only if no other program has stored new tokens meanwhile. */
async function afterInvalidGrant({ server, vault }: LoginTarget, id: string, token: string): Promise<StoredLogin> {
  const login = await vault.read(id);
  if (login?.tokens && login.tokens.refresh_token !== token) return login;
  if (login) await vault.write({ ...login, tokens: null, updated_at: new Date().toISOString() });
  throw expired(server);
}

/** Uses the answer to a refresh whose process was killed before it could store the tokens. */
async function recover(target: LoginTarget, id: string): Promise<StoredLogin | undefined> {
  const { vault } = target;
  const file = vault.answerFileOf(id);
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  const login = await vault.read(id);
  const token = login?.tokens?.refresh_token;
  const { tag, status, body } = JSON.parse(text) as StoredAnswer;
  if (login && token !== undefined && tag === tagOf(token)) {
    return store(target, login, await request(target, login, token, async () => new Response(body, { status })));
  }
  await rm(file, { force: true });
  return undefined;
}

async function request(
  { settings }: LoginTarget,
  { authorization_server, metadata, key, client, dpop_key }: StoredLogin,
  refreshToken: string,
  fetchFn: FetchLike,
): Promise<OAuthTokens> {
  const authentication = clientAuthentication(settings, client.client_id);
  return refreshAuthorization(authorization_server, {
    clientInformation: client,
    refreshToken,
    resource: key.resource,
    fetchFn,
    ...(metadata && { metadata }),
    ...(authentication && { addClientAuthentication: authentication }),
    ...(dpop_key && { dpop: await dpopSession(dpop_key) }),
  });
}

/** The new refresh token is on the disk before the new access token is used. */
async function store(target: LoginTarget, login: StoredLogin, tokens: OAuthTokens): Promise<StoredLogin> {
  const { vault } = target;
  checkTokens(target, tokens);
  const scope = tokens.scope ?? login.tokens?.scope;
  const renewed = { ...login, tokens: { ...tokens, ...(scope !== undefined && { scope }) }, ...timesOf(tokens) };
  await vault.write(renewed);
  await rm(vault.answerFileOf(idOf(login.key)), { force: true });
  return renewed;
}

function tagOf(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex');
}

/** The error for a login that has ended. */
export function expired(server: string): LoginError {
  return new LoginError('login-expired', server, `the login to server "${server}" has expired or was revoked`);
}
