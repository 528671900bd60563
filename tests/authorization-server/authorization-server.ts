import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type TokenContext } from 'oidc-provider';

export interface AuthorizationServerOptions {
  /** Seconds that access tokens are valid. Default 3600. */
  readonly accessTokenTtl?: number;
  /** Clients that are known in advance. */
  readonly clients?: readonly object[];
  /** Called when a refresh is about to be processed; the answer waits for it. */
  readonly onRefresh?: () => Promise<void>;
  /** Dynamic registration. Default true. */
  readonly registration?: boolean;
  /** More fields of its metadata. */
  readonly discovery?: object;
}

/** A running authorization server: oidc-provider with rotation of refresh tokens and reuse detection. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly provider: Provider;
  /** Successful redemptions, by grant type. */
  readonly redemptions: Record<string, number>;
  /** Errors of the token endpoint. */
  readonly failures: string[];
  /** Seconds that access tokens are valid from now on. */
  accessTokenTtl: number;
  close(): Promise<void>;
}

const SCOPES = ['openid', 'offline_access', 'notes:read', 'notes:write'];

export async function startAuthorizationServer({
  accessTokenTtl = 3_600,
  clients = [],
  onRefresh = async () => {},
  registration = true,
  discovery = {},
}: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const server = createServer();
  server.keepAliveTimeout = 120_000; // As long as that of the MCP server.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients,
    discovery,
    scopes: SCOPES,
    routes: { registration: '/register' },
    cookies: { keys: ['test'] },
    ttl: {
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 600,
      DeviceCode: 600,
      AuthorizationCode: 60,
    },
    rotateRefreshToken: true,
    findAccount: (_ctx: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registration },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      dPoP: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: unknown, resource: string) => ({
          scope: 'notes:read notes:write',
          audience: resource,
          accessTokenTTL: state.accessTokenTtl,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  });
  const state: AuthorizationServer = {
    issuer,
    provider,
    redemptions: {},
    failures: [],
    accessTokenTtl,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const grantOf = ({ oidc }: TokenContext) => oidc.params.grant_type ?? '';
  provider.use(async (ctx, next) => {
    if (ctx.path === '/token') await onRefresh();
    await next();
  });
  provider.on('grant.success', (ctx) => {
    state.redemptions[grantOf(ctx)] = (state.redemptions[grantOf(ctx)] ?? 0) + 1;
  });
  provider.on('grant.error', (_ctx, error) => state.failures.push(String(error)));
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response);
    else callback(request, response);
  });
  return state;
}

/** A page with one button. Pressing it logs in and grants everything that is asked for. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Log in</title><form method="post"><button>Allow</button></form>');
    return;
  }
  const { prompt, params, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
    return;
  }
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = existing ?? new provider.Grant({ accountId: 'ada', clientId: params.client_id });
  grant.addOIDCScope(params.scope ?? '');
  if (params.resource) grant.addResourceScope(params.resource, params.scope ?? '');
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}
