import type { OAuthSettings } from '@a2c/config';
import {
  type AddClientAuthentication,
  type AuthorizationServerMetadata,
  createPrivateKeyJwtAuth,
  fetchToken,
  type OAuthTokens,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { type DpopKey, dpopSession } from './dpop.js';
import { LoginError } from './errors.js';
import type { LoginTarget } from './target.js';

/** What every request to one token endpoint has in common. */
export interface TokenEndpoint {
  readonly authorization_server: string;
  readonly metadata: AuthorizationServerMetadata | null;
  readonly resource: string;
  readonly client: StoredOAuthClientInformation;
  readonly dpop_key?: DpopKey | undefined;
}

/** Requests a token with these parameters. The client authenticates as configured or registered. */
export async function requestToken(
  { settings, http }: LoginTarget,
  { authorization_server, metadata, resource, client, dpop_key }: TokenEndpoint,
  params: URLSearchParams,
): Promise<OAuthTokens> {
  const authentication = clientAuthentication(settings, client.client_id);
  return fetchToken(
    {
      redirectUrl: undefined,
      clientMetadata: { redirect_uris: [] },
      clientInformation: () => client,
      tokens: () => undefined,
      saveTokens: () => {},
      redirectToAuthorization: () => {},
      saveCodeVerifier: () => {},
      codeVerifier: () => '',
      prepareTokenRequest: () => params,
      ...(authentication && { addClientAuthentication: authentication }),
      ...(dpop_key && { dpop: () => dpopSession(dpop_key) }),
    },
    authorization_server,
    { ...(metadata && { metadata }), resource, fetchFn: http.fetch },
  );
}

/** `private_key_jwt`, if a key is configured; otherwise undefined, and the SDK chooses by secret and metadata. */
export function clientAuthentication(settings: OAuthSettings, clientId: string): AddClientAuthentication | undefined {
  const { private_key, private_key_algorithm = 'ES256' } = settings;
  if (private_key === undefined) return undefined;
  const sign = createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: private_key,
    alg: private_key_algorithm,
  });
  return async (headers, params, url, metadata) => {
    params.set('client_id', clientId);
    await sign(headers, params, url, metadata);
  };
}

/** RFC 6749, appendix A: the characters of tokens. */
const LEGAL = /^[\x20-\x7e]+$/;

/**
 * Refuses tokens with other characters than OAuth allows. `Headers` rejects them with an error that quotes the token
 * and lines that it contains. The type is not compared: some authorization servers name another one than `Bearer`.
 */
export function checkTokens({ server }: LoginTarget, { access_token, refresh_token, token_type }: OAuthTokens): void {
  for (const [what, text] of Object.entries({ access_token, refresh_token, token_type })) {
    if (text === undefined || LEGAL.test(text)) continue;
    const message = `the ${what} that the authorization server issued for server "${server}" is empty or has characters that OAuth does not allow; it is not used`;
    throw new LoginError('refused', server, message);
  }
}

/**
 * Refuses an access token for another server: it would be handed to this one, which could use it there. Only a JWT with
 * URLs as audience can be checked; other tokens are opaque to clients.
 */
export function checkAudience(
  { server, settings }: LoginTarget,
  { access_token }: OAuthTokens,
  resource: string,
): void {
  const audiences = audiencesIn(access_token);
  const urls = audiences.filter((audience) => /^https?:/.test(audience) && URL.canParse(audience));
  if (urls.length === 0 || urls.length < audiences.length) return;
  const allowed = [resource, ...(settings.audience === undefined ? [] : [settings.audience])];
  const { origin } = new URL(resource);
  if (urls.some((url) => allowed.includes(url) || new URL(url).origin === origin)) return;
  const message = `the authorization server issued a token for ${urls.join(' and ')}, not for server "${server}" (${resource}); if that is right, set oauth.audience`;
  throw new LoginError('refused', server, message);
}

function audiencesIn(token: string): string[] {
  const [, payload = ''] = token.split('.');
  try {
    const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud?: unknown };
    return [aud].flat().filter((each) => typeof each === 'string');
  } catch {
    return []; // Not a JWT.
  }
}
