import { requestJwtAuthorizationGrant } from '@modelcontextprotocol/client';
import { forgetChallenge } from '../challenge.js';
import { configuredClient } from '../client.js';
import { LoginError } from '../errors.js';
import { explain } from '../failures.js';
import type { LoginTarget } from '../target.js';
import { requestToken } from '../token-request.js';
import { idOf, isDue, type StoredLogin } from '../vault/stored-login.js';
import { completeLogin, type LoginPlan, planLogin } from './plan.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Requests a token without a person, as `oauth.grant` says. Processes share the token; one of them requests it. */
export async function logInUnattended(
  target: LoginTarget,
  present: StoredLogin | undefined,
  used: string | undefined,
): Promise<StoredLogin> {
  const { server, vault } = target;
  const plan = await planLogin(target, present);
  const { issuer, resource, authorization_server, metadata } = plan.discovery;
  const client = configuredClient(target, plan.discovery);
  if (!client) throw new LoginError('not-offered', server, `server "${server}": set oauth.client_id for this grant`);
  if (present && present.key.issuer !== issuer) {
    const message = `server "${server}" now names the authorization server ${issuer}, before it was ${present.key.issuer}: set oauth.issuer, or run a2c logout ${server}, if that is right`;
    throw new LoginError('refused', server, message);
  }
  const id = idOf({ issuer, resource, client_id: client.client_id, account: target.account });
  const renewed = async () => {
    const login = await vault.read(id);
    return login?.tokens && login.tokens.access_token !== used && !isDue(login) ? login : undefined;
  };
  const request = async (): Promise<StoredLogin> => {
    const endpoint = { authorization_server, metadata, resource, client, dpop_key: plan.dpop_key };
    try {
      const tokens = await requestToken(target, endpoint, await paramsFor(target, plan));
      const known = { client, registration: 'configured', redirect_uri: null } as const;
      const login = completeLogin(target, plan, known, tokens);
      await vault.write(login);
      await forgetChallenge(target);
      return login;
    } catch (error) {
      const { client_secret, assertion, id_token } = target.settings;
      throw explain(error, {
        server,
        what: `requesting a token for server "${server}"`,
        secrets: [client_secret, assertion, id_token],
      });
    }
  };
  return vault.lock(id).run(async () => (await renewed()) ?? request(), { isObsolete: renewed });
}

async function paramsFor(target: LoginTarget, { scope, discovery }: LoginPlan): Promise<URLSearchParams> {
  const { settings } = target;
  const scopes = { ...(scope !== undefined && { scope }) };
  switch (settings.grant) {
    case 'jwt_bearer':
      return new URLSearchParams({ grant_type: JWT_BEARER, assertion: required(target, 'assertion'), ...scopes });
    case 'token_exchange':
      return new URLSearchParams({ grant_type: JWT_BEARER, assertion: await exchange(target, discovery), ...scopes });
    default:
      return new URLSearchParams({ grant_type: 'client_credentials', ...scopes });
  }
}

/** Enterprise-managed authorization: the identity provider exchanges the ID token for an assertion. */
async function exchange(target: LoginTarget, discovery: LoginPlan['discovery']): Promise<string> {
  const { idp_client_secret } = target.settings;
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint: required(target, 'idp_token_endpoint'),
    audience: discovery.issuer,
    resource: discovery.resource,
    idToken: required(target, 'id_token'),
    clientId: required(target, 'idp_client_id'),
    ...(idp_client_secret !== undefined && { clientSecret: idp_client_secret }),
    fetchFn: target.http.fetch,
  });
  return jwtAuthGrant;
}

function required(
  { settings, server }: LoginTarget,
  name: 'assertion' | 'id_token' | 'idp_client_id' | 'idp_token_endpoint',
): string {
  const value = settings[name];
  if (value !== undefined) return value;
  throw new LoginError('not-offered', server, `server "${server}": set oauth.${name} for the grant ${settings.grant}`);
}
