import {
  type AuthProvider,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  isStrictScopeSuperset,
  withDpop,
} from '@modelcontextprotocol/client';
import { saveChallenge } from './challenge.js';
import { challengeIn } from './discovery.js';
import { dpopSession } from './dpop.js';
import { LoginError } from './errors.js';
import { logInWithCode } from './flows/authorization-code.js';
import { logInWithDevice } from './flows/device.js';
import { type LogInOptions, planLogin } from './flows/plan.js';
import { logInUnattended } from './flows/unattended.js';
import { plainHttp } from './flows/web-address.js';
import { expired, refreshLogin } from './refresh.js';
import { isUnattended, type LoginTarget } from './target.js';
import { checkTokens } from './token-request.js';
import { idOf, isDue, isExpired, type StoredLogin } from './vault/stored-login.js';
import { withoutSecrets } from './without-secrets.js';

/** A token that is rejected so soon after it was issued would be rejected again: it is not refreshed. */
const MIN_AGE_MS = 5_000;
const MAX_REMEMBERED_SECRETS = 16;

/**
 * The login of one MCP server: provides its access token, refreshes it, and logs in and out.
 *
 * @example
 * ```ts
 * import { type LoginTarget, ServerLogin } from '@a2c/login';
 *
 * export async function logIn(target: LoginTarget): Promise<void> {
 *   const login = new ServerLogin(target);
 *   await login.logIn({ onUrl: ({ url }) => console.log(`Open ${url}`) });
 * }
 * ```
 */
export class ServerLogin implements AuthProvider {
  readonly #target: LoginTarget;
  /** The token that a request was sent with, by its response. */
  readonly #tokens = new WeakMap<Response, string>();
  readonly #secrets = new Set<string>();

  constructor(target: LoginTarget) {
    this.#target = { ...target, http: plainHttp(target) };
  }

  /** The stored login; undefined if there is none for this server, client and account. */
  async find(): Promise<StoredLogin | undefined> {
    const { url, account, settings, vault } = this.#target;
    const logins = await vault.all();
    return logins.find(
      ({ key, server_url }) =>
        server_url === url &&
        key.account === account &&
        (settings.client_id === undefined || settings.client_id === key.client_id) &&
        (settings.issuer === undefined || settings.issuer === key.issuer),
    );
  }

  /** The access token, refreshed if it is about to expire; undefined if there is no login. */
  async token(): Promise<string | undefined> {
    const login = await this.find();
    if (!login) return undefined;
    const { tokens } = await this.#current(login);
    // An earlier version stored what it received.
    if (tokens) checkTokens(this.#target, tokens);
    return this.#remember(tokens?.access_token);
  }

  async #current(login: StoredLogin): Promise<StoredLogin> {
    const { settings, server } = this.#target;
    if (!isDue(login)) return login;
    try {
      if (isUnattended(settings)) return await logInUnattended(this.#target, login, login.tokens?.access_token);
      if (!login.tokens?.refresh_token) throw expired(server);
      return await refreshLogin(this.#target, login, login.tokens.access_token);
    } catch (error) {
      // It was tried ahead of time: the present token is still good.
      if (!isExpired(login)) return login;
      throw error;
    }
  }

  /** Called by the transport after a 401. When it resolves, the request is repeated with the token of the vault. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const { settings, server } = this.#target;
    const used = this.#tokens.get(response);
    const challenge = challengeIn(response);
    const login = await this.find();
    if (login?.tokens && login.tokens.access_token !== used && !isDue(login)) return;
    await saveChallenge(this.#target, challenge);
    if (isUnattended(settings)) {
      if (login && isNew(login)) throw rejected(server);
      await logInUnattended(this.#target, login, used);
      return;
    }
    if (!login) {
      // Older servers that support login name no metadata either.
      const header = challenge.resource_metadata_url === undefined ? ', or a token in its headers' : '';
      throw new LoginError('login-required', server, `server "${server}" needs a login${header}`);
    }
    if (!login.tokens?.refresh_token) throw expired(server);
    if (isNew(login)) throw rejected(server);
    await refreshLogin(this.#target, login, used);
  }

  /** Wraps the `fetch` of a transport: adds proofs for tokens that are bound to a key, and reads challenges. */
  wrap(next: FetchLike): FetchLike {
    const bound = withDpop(
      async () => {
        const key = (await this.find())?.dpop_key;
        return key && dpopSession(key);
      },
      async () => {
        const tokens = (await this.find())?.tokens;
        return tokens?.token_type.toLowerCase() === 'dpop' ? tokens.access_token : undefined;
      },
    )(next);
    return async (url, init) => {
      const response = await bound(url, init);
      const sent = new Headers(init?.headers).get('authorization')?.replace(/^\w+ /, '');
      if (sent) this.#tokens.set(response, sent);
      if (response.status === 403) await this.#onForbidden(response);
      return response;
    };
  }

  /** Keeps the scopes that are missing for the next login. */
  async #onForbidden(response: Response): Promise<void> {
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope') return;
    const { server } = this.#target;
    const login = await this.find();
    if (login && !isStrictScopeSuperset(scope, login.requested_scope ?? undefined)) {
      const message = `server "${server}" requires the scopes "${scope}", which the login already requested: another login does not help`;
      throw new LoginError('refused', server, message);
    }
    const { is_required: _never, ...challenge } = challengeIn(response);
    const union = computeScopeUnion(login?.requested_scope ?? undefined, scope);
    await saveChallenge(this.#target, { ...challenge, ...(union !== undefined && { scope: union }) });
    throw new LoginError('scope-required', server, `server "${server}" requires more scopes: ${scope ?? 'unknown'}`, {
      ...(scope !== undefined && { scope }),
    });
  }

  /** Logs in. Resolves when the tokens are stored; every process that uses the server connects then. */
  async logIn(options: LogInOptions): Promise<StoredLogin> {
    const present = await this.find();
    if (isUnattended(this.#target.settings)) {
      return logInUnattended(this.#target, present, present?.tokens?.access_token);
    }
    const { way = 'browser', issuer } = options;
    const settings = { ...this.#target.settings, ...(issuer !== undefined && { issuer }) };
    const target = { ...this.#target, settings };
    const plan = await planLogin(target, present);
    const login =
      way === 'device'
        ? await logInWithDevice(target, plan, options)
        : await logInWithCode(target, plan, { ...options, way });
    if (present && idOf(present.key) !== idOf(login.key)) await this.#target.vault.remove(present);
    return login;
  }

  /** Deletes the login and revokes its tokens where the authorization server offers it. False if there was none. */
  async logOut(): Promise<boolean> {
    const login = await this.find();
    if (!login) return false;
    const { vault } = this.#target;
    await vault.lock(idOf(login.key)).run(() => vault.remove(login));
    await this.#revoke(login);
    return true;
  }

  /** RFC 7009. Best effort: the login is already deleted here. */
  async #revoke({ metadata, tokens, client }: StoredLogin): Promise<void> {
    const endpoint = (metadata as { revocation_endpoint?: unknown } | null)?.revocation_endpoint;
    const token = tokens?.refresh_token ?? tokens?.access_token;
    if (typeof endpoint !== 'string' || token === undefined) return;
    const { client_id, client_secret } = client;
    const body = new URLSearchParams({ token, client_id, ...(client_secret !== undefined && { client_secret }) });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await this.#target.http.fetch(endpoint, { method: 'POST', headers, body }).catch(() => {});
  }

  /** A text that changes with every new login and every refresh; undefined without a login. */
  async version(): Promise<string | undefined> {
    const login = await this.find();
    return login?.tokens ? `${idOf(login.key)} ${login.updated_at}` : undefined;
  }

  /** Replaces the tokens that this process has used. */
  redact(text: string): string {
    return withoutSecrets(text, this.#secrets);
  }

  #remember(token: string | undefined): string | undefined {
    if (token === undefined || this.#secrets.has(token)) return token;
    this.#secrets.add(token);
    const [oldest] = this.#secrets;
    if (this.#secrets.size > MAX_REMEMBERED_SECRETS && oldest !== undefined) this.#secrets.delete(oldest);
    return token;
  }
}

function isNew({ updated_at, lifetime }: StoredLogin): boolean {
  const age = Date.now() - Date.parse(updated_at);
  return age < Math.min(MIN_AGE_MS, (lifetime ?? Number.POSITIVE_INFINITY) / 2);
}

function rejected(server: string): LoginError {
  return new LoginError('login-expired', server, `server "${server}" rejects the token that was just issued for it`);
}
