import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import type { Challenge } from './challenge.js';
import { LoginError } from './errors.js';
import { explain } from './failures.js';
import { checkEndpoints, checkWebAddress } from './flows/web-address.js';
import type { LoginTarget } from './target.js';

/** The authorization server of an MCP server, after all checks. */
export interface Discovery {
  readonly authorization_server: string;
  readonly metadata: AuthorizationServerMetadata | null;
  readonly issuer: string;
  readonly resource: string;
  readonly resource_metadata: OAuthProtectedResourceMetadata | null;
  /** True if access tokens must be bound to a key (RFC 9449). */
  readonly needs_dpop: boolean;
}

/**
 * Finds the authorization server: through protected resource metadata (RFC 9728), else at the origin of the MCP server
 * as in MCP 2025-03-26.
 */
export async function discover(target: LoginTarget, challenge: Challenge): Promise<Discovery> {
  const { server, url, http, settings } = target;
  const from = challenge.resource_metadata_url;
  const info = await discoverOAuthServerInfo(url, {
    fetchFn: http.fetch,
    ...(from !== undefined && { resourceMetadataUrl: new URL(from) }),
  }).catch((error: unknown) => {
    throw explain(error, { server, what: 'finding the authorization server' });
  });
  const metadata = info.authorizationServerMetadata ?? null;
  const resourceMetadata = info.resourceMetadata ?? null;
  if (!metadata && !resourceMetadata && !challenge.is_required) {
    const remedy = 'if it needs a token, configure a header';
    throw new LoginError(
      'not-offered',
      server,
      `server "${server}" does not ask for a login and offers none; ${remedy}`,
    );
  }
  const [named] = resourceMetadata?.authorization_servers ?? [];
  if (named !== undefined) checkWebAddress(server, 'the address of the authorization server', named);
  checkEndpoints(server, metadata);
  const issuer = metadata?.issuer ?? info.authorizationServerUrl;
  if (settings.issuer !== undefined && settings.issuer !== issuer) {
    const found = `server "${server}" names the authorization server ${issuer}, not the configured ${settings.issuer}`;
    throw new LoginError('refused', server, found);
  }
  return {
    authorization_server: info.authorizationServerUrl,
    metadata,
    issuer,
    resource: resourceOf(target, resourceMetadata),
    resource_metadata: resourceMetadata,
    needs_dpop: needsDpop(metadata, resourceMetadata, challenge),
  };
}

/** The resource indicator as the server writes it. Some authorization servers compare it as text. */
function resourceOf({ server, url }: LoginTarget, metadata: OAuthProtectedResourceMetadata | null): string {
  const own = resourceUrlFromServerUrl(url);
  if (!metadata) return own.href;
  if (checkResourceAllowed({ requestedResource: own, configuredResource: metadata.resource })) return metadata.resource;
  const message = `server "${server}" names the resource ${metadata.resource}, which does not cover its address ${own.origin}`;
  throw new LoginError('refused', server, message);
}

function needsDpop(
  metadata: AuthorizationServerMetadata | null,
  resource: OAuthProtectedResourceMetadata | null,
  { scheme }: Challenge,
): boolean {
  const supported = (metadata as { dpop_signing_alg_values_supported?: unknown } | null)
    ?.dpop_signing_alg_values_supported;
  if (!Array.isArray(supported) || !supported.includes('ES256')) return false;
  return scheme === 'dpop' || resource?.dpop_bound_access_tokens_required === true;
}

/** Asks the MCP server what it requires: an unauthenticated request, whose answer names scopes and metadata. */
export async function probe({ server, url, http }: LoginTarget): Promise<Challenge> {
  const response = await http
    .fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    .catch((error: unknown) => {
      throw explain(error, { server, what: `reaching server "${server}"` });
    });
  await response.body?.cancel();
  return challengeIn(response);
}

/** What a response says about the login that the server requires. */
export function challengeIn(response: Response): Challenge {
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  const header = response.headers.get('www-authenticate') ?? '';
  return {
    is_required: response.status === 401,
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl && { resource_metadata_url: resourceMetadataUrl.href }),
    ...(/(?:^|,)\s*dpop\b/i.test(header) && { scheme: 'dpop' as const }),
  };
}
