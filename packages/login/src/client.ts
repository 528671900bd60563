import { OAUTH_SECRETS } from '@a2c/config';
import {
  isStrictScopeSuperset,
  registerClient,
  resolveClientMetadata,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import type { Discovery } from './discovery.js';
import { LoginError } from './errors.js';
import { explain } from './failures.js';
import type { LoginTarget } from './target.js';
import type { StoredLogin } from './vault/stored-login.js';

/** The OAuth client that logs in, and how the authorization server knows it. */
export type KnownClient = Pick<StoredLogin, 'client' | 'registration' | 'redirect_uri'>;

/** What a dynamic registration asks for. */
export interface ClientNeeds {
  readonly redirect_uri: string | null;
  readonly grant: 'authorization_code' | 'urn:ietf:params:oauth:grant-type:device_code';
  readonly scope: string | undefined;
}

/**
 * The client for a login: the configured one, else a client ID metadata document, else an earlier dynamic registration,
 * else a new one.
 */
export async function clientFor(
  target: LoginTarget,
  discovery: Discovery,
  { redirect_uri, grant, scope }: ClientNeeds,
): Promise<KnownClient> {
  const { settings } = target;
  const { issuer, metadata } = discovery;
  const configured = configuredClient(target, discovery);
  if (configured) return { client: configured, registration: 'configured', redirect_uri };
  const { client_metadata_url } = settings;
  if (client_metadata_url !== undefined && metadata?.client_id_metadata_document_supported === true) {
    return { client: { client_id: client_metadata_url, issuer }, registration: 'metadata-url', redirect_uri };
  }
  const earlier = await registeredClient(target, issuer, redirect_uri, scope);
  return earlier ?? register(target, discovery, { redirect_uri, grant, scope });
}

/**
 * The client of the configuration, if it has one. Its credentials go to the configured issuer, or to the MCP server
 * itself: an MCP server must not have them sent to another host.
 *
 * @throws LoginError that names the issuer, if it must be configured.
 */
export function configuredClient(
  { server, url, settings }: LoginTarget,
  { issuer, authorization_server }: Discovery,
): StoredOAuthClientInformation | undefined {
  const { client_id, client_secret } = settings;
  const hasCredentials = OAUTH_SECRETS.some((name) => settings[name] !== undefined);
  const isNamed = settings.issuer !== undefined || new URL(authorization_server).origin === new URL(url).origin;
  if (!isNamed && hasCredentials) {
    const message = `server "${server}" names the authorization server ${issuer}, which the configuration does not name; set oauth.issuer to it, if your credentials may be sent there`;
    throw new LoginError('refused', server, message);
  }
  if (client_id === undefined) return undefined;
  return { client_id, issuer, ...(client_secret !== undefined && { client_secret }) };
}

/** A dynamic registration of an earlier login. It is bound to its issuer, its redirect URI and its scopes. */
async function registeredClient(
  { vault }: LoginTarget,
  issuer: string,
  redirect_uri: string | null,
  scope: string | undefined,
): Promise<KnownClient | undefined> {
  const logins = await vault.all();
  const earlier = logins.find(
    (login) =>
      login.registration === 'dynamic' &&
      login.key.issuer === issuer &&
      login.redirect_uri === redirect_uri &&
      coversScope(login.client, scope) &&
      !hasExpiredSecret(login.client),
  );
  return earlier && { client: earlier.client, registration: 'dynamic', redirect_uri };
}

/** The redirect URI of an earlier dynamic registration: its port is used again if it is free. */
export async function earlierRedirectUri({ vault }: LoginTarget, issuer: string): Promise<string | undefined> {
  const logins = await vault.all();
  const earlier = logins.find(
    ({ registration, key, redirect_uri }) =>
      registration === 'dynamic' && key.issuer === issuer && redirect_uri !== null,
  );
  return earlier?.redirect_uri ?? undefined;
}

function coversScope(client: StoredOAuthClientInformation, scope: string | undefined): boolean {
  const { scope: registered } = client as { scope?: string };
  return registered === undefined || !isStrictScopeSuperset(scope, registered);
}

function hasExpiredSecret(client: StoredOAuthClientInformation): boolean {
  const { client_secret_expires_at: end = 0 } = client as { client_secret_expires_at?: number };
  return end !== 0 && end * 1_000 < Date.now();
}

async function register(target: LoginTarget, discovery: Discovery, needs: ClientNeeds): Promise<KnownClient> {
  const { server, http } = target;
  const { authorization_server, metadata, issuer, resource_metadata } = discovery;
  const { redirect_uri, grant, scope } = needs;
  if (metadata && !metadata.registration_endpoint) {
    const message = `the authorization server ${issuer} accepts only known clients: register a2c there, and set oauth.client_id for server "${server}"`;
    throw new LoginError('not-offered', server, message);
  }
  const redirect_uris = redirect_uri === null ? [] : [redirect_uri];
  const clientMetadata = resolveClientMetadata({
    redirectUrl: redirect_uri ?? undefined,
    clientMetadata: {
      client_name: 'a2c',
      redirect_uris,
      grant_types: [grant, 'refresh_token'],
      response_types: redirect_uri === null ? [] : ['code'],
      token_endpoint_auth_method: authMethod(metadata?.token_endpoint_auth_methods_supported),
      application_type: 'native',
    },
  });
  const client = await registerClient(authorization_server, {
    clientMetadata,
    ...(metadata && { metadata }),
    ...(scope !== undefined && { scope }),
    fetchFn: http.fetch,
  }).catch((error: unknown) => {
    const explained = explain(error, { server, what: 'registering at the authorization server' });
    if (metadata ?? resource_metadata) throw explained;
    const message = `server "${server}" names no authorization server, and its address is none: if it needs a token, configure it in "headers"`;
    throw new LoginError('not-offered', server, message, { cause: explained.message });
  });
  return { client: { ...client, issuer }, registration: 'dynamic', redirect_uri };
}

/** A program on a person's machine cannot keep a secret, so it asks for none if it may. */
function authMethod(supported: readonly string[] = ['none']): string {
  return ['none', 'client_secret_basic', 'client_secret_post'].find((method) => supported.includes(method)) ?? 'none';
}
