import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { TrustGuard, UNTRUSTED } from '@a2c/config';
import { Vault } from '@a2c/login';
import { verifies } from '@a2c/requirements';
import { approve } from '@a2c/test-authorization-server';
import { expect, onTestFinished } from 'vitest';
import { hub, server, temporaryFolder, textOf, until } from './hub.js';
import { bed } from './login-bed.js';

const press = { onUrl: ({ url }: { readonly url: string }) => void approve(url) };

verifies('LOGIN-REFRESH-01', 'an access token is refreshed before it expires, without an error', async () => {
  const { authorization, notes, vault, config } = await bed({ accessTokenTtl: 2 });
  const manager = await hub([config()], { vault: vault(), autoConnect: false });
  await manager.login('notes', press);
  await manager.startClient('notes');
  const refreshed = () => (authorization.redemptions.refresh_token ?? 0) >= 2;
  await until(async () => {
    expect(textOf(await manager.executeTool('read', {}))).toBe('a note');
    await delay(50); // Several calls in the life of each token are enough.
    return refreshed();
  });
  expect(authorization.failures).toEqual([]);
  expect(notes.requests.filter(({ status, token }) => status === 401 && token !== null)).toHaveLength(0);
});

verifies('LOGIN-REFRESH-03', 'a revoked login is recognised once, and another login connects again', async () => {
  const { authorization, vault, config } = await bed();
  const manager = await hub([config()], { vault: vault(), autoConnect: false });
  await manager.login('notes', press);
  await manager.startClient('notes');
  const [login] = await vault().all();
  // Another program redeemed the refresh token: the authorization server revokes the whole grant.
  const redeem = () =>
    fetch(`${authorization.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: login?.tokens?.refresh_token ?? '',
        client_id: login?.key.client_id ?? '',
      }),
    });
  await redeem();
  await redeem();
  if (login) await vault().write({ ...login, expires_at: 0 });
  const error = { kind: 'needs-login', code: 403, message: expect.stringContaining('has expired or was revoked') };
  await expect(manager.executeTool('read', {})).rejects.toMatchObject(error);
  await until(() => manager.status()[0]?.state === 'needs-login');
  const attempts = authorization.failures.length;
  await expect(manager.request('notes', 'tools/list', {})).rejects.toMatchObject(error);
  expect(authorization.failures).toHaveLength(attempts);
  await manager.login('notes', press);
  await until(() => manager.status()[0]?.state === 'connected');
});

verifies('LOGIN-REFRESH-03', 'tokens that another process has stored meanwhile are used', async () => {
  const { authorization, vault, config } = await bed();
  const manager = await hub([config()], { vault: vault(), autoConnect: false });
  await manager.login('notes', press);
  const [old] = await vault().all();
  await manager.login('notes', press);
  const [renewed] = await vault().all();
  await manager.startClient('notes');
  expect(renewed?.tokens?.access_token).not.toBe(old?.tokens?.access_token);
  expect(textOf(await manager.executeTool('read', {}))).toBe('a note');
  expect(authorization.failures).toEqual([]);
});

verifies('LOGIN-CHECK-01', 'another resource, issuer or audience is refused with the reason', async () => {
  const other = await bed({}, { metadata: { resource: 'https://bank.example/mcp' } });
  const manager = await hub([other.config()], { vault: other.vault() });
  await expect(manager.login('notes', press)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('names the resource https://bank.example/mcp'),
  });
  const { config, vault, authorization } = await bed();
  const pinned = await hub([config({ issuer: 'https://login.example' })], { vault: vault() });
  await expect(pinned.login('notes', press)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(`${authorization.issuer}, not the configured https://login.example`),
  });
  const mixed = await hub([config()], { vault: vault() });
  const onUrl = async ({ url }: { readonly url: string }) => {
    const { searchParams } = new URL(url);
    const answer = new URL(searchParams.get('redirect_uri') ?? '');
    const params = { code: 'code', state: searchParams.get('state') ?? '', iss: 'https://evil.example' };
    answer.search = new URLSearchParams(params).toString();
    await fetch(answer);
  };
  await expect(mixed.login('notes', { onUrl })).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('https://evil.example'),
  });
  expect(await vault().all()).toEqual([]);
});

verifies(
  'LOGIN-CHECK-03',
  'credentials are sent to no authorization server that only the MCP server names',
  async () => {
    const { authorization, vault, config } = await bed();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const oauth of [
      { grant: 'client_credentials', client_id: 'robot', client_secret: 'secret' },
      { grant: 'client_credentials', client_id: 'robot', private_key },
      { grant: 'jwt_bearer', client_id: 'robot', assertion: 'e30.e30.x' },
      {
        grant: 'token_exchange',
        client_id: 'robot',
        id_token: 'e30.e30.x',
        idp_token_endpoint: `${authorization.issuer}/token`,
        idp_client_id: 'robot',
      },
    ]) {
      const manager = await hub([config(oauth)], { vault: vault() });
      const refused = `names the authorization server ${authorization.issuer}, which the configuration does not name; set oauth.issuer`;
      expect(manager.status()[0]?.cause).toContain(refused);
    }
    const asked = await hub([config({ client_id: 'robot', client_secret: 'secret' })], { vault: vault() });
    await expect(asked.login('notes', press)).rejects.toThrow('set oauth.issuer');
    expect(authorization.redemptions).toEqual({});
    const named = await hub([
      config({
        grant: 'client_credentials',
        client_id: 'robot',
        client_secret: 'secret',
        issuer: authorization.issuer,
      }),
    ]);
    expect(named.status()[0]?.cause).not.toContain('set oauth.issuer');
  },
);

verifies('LOGIN-CHECK-01', 'a token for another server is not stored', async () => {
  const jwt = (aud: string) => `e30.${Buffer.from(JSON.stringify({ aud })).toString('base64url')}.sig`;
  const listener = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/mcp') response.writeHead(401).end();
    else if (request.url === '/token')
      response.end(JSON.stringify({ access_token: jwt('https://bank.example/api'), token_type: 'Bearer' }));
    else if (request.url?.includes('oauth-authorization-server'))
      response.end(
        JSON.stringify({
          issuer: base,
          authorization_endpoint: `${base}/a`,
          token_endpoint: `${base}/token`,
          response_types_supported: ['code'],
        }),
      );
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  const base = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const oauth = { grant: 'client_credentials', client_id: 'robot', client_secret: 'secret' };
  const manager = await hub([
    server('notes', { type: 'streamable', server_parameters: { url: `${base}/mcp`, oauth } }),
  ]);
  expect(manager.status()[0]).toMatchObject({
    state: 'error',
    cause: expect.stringContaining('a token for https://bank.example/api, not for server "notes"'),
  });
});

verifies('LOGIN-CHECK-02', 'a server cannot name an address that is nearer than its own', async () => {
  const metadata = await bed({}, { metadataUrl: 'http://169.254.169.254/latest/meta-data' });
  const issuer = await bed({}, { metadata: { authorization_servers: ['https://10.1.2.3'] } });
  for (const [{ vault, config }, host] of [
    [metadata, '169.254.169.254'],
    [issuer, '10.1.2.3'],
  ] as const) {
    const manager = await hub([config()], { vault: vault() });
    await expect(manager.login('notes', press)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining(`finding the authorization server failed: notes: leads to "${host}"`),
    });
  }
});

verifies('LOGIN-CHECK-09', 'a login page at an address that is nearer than the server is not shown', async () => {
  const folder = await temporaryFolder();
  const page = (host: string) => `http://${host}/login`;
  for (const [host, way] of ['169.254.169.254', '10.0.0.1', '[fd00::1]'].flatMap((each) =>
    (['browser', 'paste', 'device'] as const).map((one) => [each, one] as const),
  )) {
    const base = await listening((request, response) => {
      const { pathname, origin } = new URL(request.url ?? '', `http://${request.headers.host}`);
      const answers: Readonly<Record<string, object>> = {
        '/.well-known/oauth-authorization-server': {
          issuer: origin,
          authorization_endpoint: page(host),
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          device_authorization_endpoint: `${origin}/device`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        },
        '/register': { client_id: 'c', redirect_uris: ['http://127.0.0.1/callback'] },
        '/device': { device_code: 'd', user_code: 'AB', verification_uri: page(host) },
      };
      const answer = answers[pathname];
      response.writeHead(answer ? 200 : pathname === '/mcp' ? 401 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    });
    const config = server('notes', { type: 'streamable', server_parameters: { url: base } });
    const manager = await hub([config], { vault: new Vault(folder, 'file'), autoConnect: false });
    const shown: string[] = [];
    const onUrl = ({ url }: { readonly url: string }) => void shown.push(url);
    await expect(manager.login('notes', { way, onUrl, signal: AbortSignal.timeout(2_000) })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/^the login page of the authorization server is not opened: notes: leads to "/),
    });
    expect(shown).toEqual([]);
  }
});

verifies('LOGIN-CHECK-06', 'a login is sent to the origin of the server only, not to that of sse_url', async () => {
  const { vault, config } = await bed();
  await (await hub([config()], { vault: vault(), autoConnect: false })).login('notes', press);
  const received: Record<'posts' | 'stream', (string | undefined)[]> = { posts: [], stream: [] };
  const url = await listening(async (request, response) => {
    if (request.method !== 'POST') return void response.end();
    received.posts.push(request.headers.authorization);
    const { id, method } = JSON.parse(await text(request));
    const serverInfo = { name: 'notes', version: '1' };
    const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } : {};
    const headers = { 'content-type': 'application/json', 'mcp-session-id': 's' };
    response.writeHead(id === undefined ? 202 : 200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const sse_url = await listening((request, response) => {
    received.stream.push(request.headers.authorization ?? request.headers.dpop?.toString());
    response.writeHead(401).end();
  });
  const [login] = await vault().all();
  if (login) await vault().write({ ...login, server_url: url });
  const manager = await hub([server('notes', { type: 'streamable', server_parameters: { url, sse_url } })], {
    vault: vault(),
    limits: { reconnectMinMs: 1, reconnectMaxMs: 1 },
  });
  await until(() => received.stream.length > 0);
  expect(received.stream[0]).toBeUndefined();
  expect(received.posts[0]).toBe(`Bearer ${login?.tokens?.access_token}`);
  await manager.close();
});

async function listening(answer: RequestListener): Promise<string> {
  const http = createServer(answer);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** Allows the server of the test, which has no certificate. */
class HttpGuard extends TrustGuard {
  override check() {
    return [];
  }

  override async approveUrl(url: string) {
    return { url, addresses: null };
  }
}

verifies('LOGIN-CHECK-06', 'a configuration that is not trusted uses no login', async () => {
  const { notes, vault, config } = await bed();
  await (await hub([config()], { vault: vault(), autoConnect: false })).login('notes', press);
  const asked = notes.requests.length;
  const manager = await hub([config()], { vault: vault(), guard: new HttpGuard(UNTRUSTED) });
  expect(manager.status()[0]).toMatchObject({ cause: expect.stringContaining('rule login; allowed by --trust') });
  await expect(manager.login('notes', press)).rejects.toThrow('notes: would use a login of yours (rule login');
  expect(notes.requests.slice(asked).map(({ token }) => token)).toEqual(notes.requests.slice(asked).map(() => null));
  expect(await manager.logout('notes')).toBe(true);
});
