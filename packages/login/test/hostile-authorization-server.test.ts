import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { type LogInOptions, ServerLogin, Vault } from '../src/index.js';

const ORIGIN = 'https://mcp.example';
const DISGUISED = 'https://accounts.google.com@evil.example';
const METADATA = {
  issuer: ORIGIN,
  authorization_endpoint: `${ORIGIN}/authorize`,
  token_endpoint: `${ORIGIN}/token`,
  registration_endpoint: `${ORIGIN}/register`,
  device_authorization_endpoint: `${ORIGIN}/device`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};
const DEVICE = { device_code: 'd', user_code: 'AB-CD', verification_uri: `${ORIGIN}/go`, interval: 1 };

interface Answers {
  readonly metadata?: object;
  readonly device?: object;
  readonly resource?: object;
  readonly client?: object;
  readonly token?: object;
}

/** A login to an MCP server that is its own authorization server and answers as given. */
async function loginTo({ metadata = METADATA, device = DEVICE, resource, client, token }: Answers) {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-login-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const requests: string[] = [];
  const answerTo = (path: string): object | undefined => {
    if (path.includes('oauth-protected-resource')) return resource;
    if (path.includes('oauth-authorization-server')) return metadata;
    if (path === '/register') return { client_id: 'c', redirect_uris: [], ...client };
    if (path === '/token') return token;
    return path === '/device' ? device : undefined;
  };
  const fetch = async (url: string | URL) => {
    requests.push(String(url));
    const answer = answerTo(new URL(url).pathname);
    return answer ? Response.json(answer) : new Response(null, { status: 401 });
  };
  const vault = new Vault(folder, 'file');
  const login = new ServerLogin({
    server: 'notes',
    url: `${ORIGIN}/mcp`,
    account: '',
    settings: {},
    vault,
    http: { approve: async () => {}, fetch, fetchDurably: fetch },
  });
  const shown: string[] = [];
  const logIn = (options: Partial<LogInOptions> = {}) =>
    login.logIn({ way: 'paste', onUrl: ({ url }) => void shown.push(url), ...options });
  /** What the person pastes after a login at the page that was shown. */
  const readRedirect = async () => {
    const { searchParams } = new URL(shown[0] ?? '');
    const params = { state: searchParams.get('state') ?? '', code: 'x', iss: ORIGIN };
    return `http://127.0.0.1:33418/callback?${new URLSearchParams(params)}`;
  };
  return { login, logIn, shown, requests, readRedirect, vault };
}

verifies('LOGIN-CHECK-04', 'an address with a user name, or of another scheme, is neither shown nor used', async () => {
  const names = ['authorization', 'token', 'registration', 'device_authorization', 'revocation'];
  const addresses = [`${DISGUISED}/x`, `https://a:b@evil.example/x`, 'file:///etc/passwd', 'javascript:alert(1)'];
  for (const name of names) {
    for (const address of addresses) {
      const { logIn, shown, requests } = await loginTo({ metadata: { ...METADATA, [`${name}_endpoint`]: address } });
      const way = name === 'device_authorization' ? 'device' : 'paste';
      await expect(logIn({ way })).rejects.toMatchObject({ name: 'LoginError' });
      expect(shown).toEqual([]);
      expect(requests.filter((url) => url.includes('evil') || url.endsWith('/register'))).toEqual([]);
    }
  }
  const { logIn } = await loginTo({ metadata: { ...METADATA, authorization_endpoint: `${DISGUISED}/x` } });
  await expect(logIn()).rejects.toMatchObject({
    kind: 'refused',
    message:
      'the authorization_endpoint of the authorization server has a user name, which hides that its host is evil.example; it is not used',
  });
});

verifies('LOGIN-CHECK-04', 'an authorization server with a user name in its address is refused', async () => {
  const resource = { resource: `${ORIGIN}/mcp`, authorization_servers: [DISGUISED] };
  for (const metadata of [undefined, { ...METADATA, issuer: DISGUISED }]) {
    const { logIn, shown, requests } = await loginTo({ resource, ...(metadata && { metadata }) });
    await expect(logIn()).rejects.toMatchObject({ name: 'LoginError' });
    expect(shown).toEqual([]);
    expect(requests.filter((url) => url.includes('@') || url.endsWith('/register'))).toEqual([]);
  }
});

verifies('LOGIN-CHECK-04', 'the page of the device flow is a plain web address too', async () => {
  const pages = [`${DISGUISED}/go`, 'javascript:alert(1)', `${ORIGIN}/go\nlogged in to notes`];
  for (const page of pages) {
    for (const field of ['verification_uri', 'verification_uri_complete']) {
      const { logIn, shown } = await loginTo({ device: { ...DEVICE, [field]: page } });
      await expect(logIn({ way: 'device' })).rejects.toMatchObject({ name: 'LoginError' });
      expect(shown).toEqual([]);
    }
  }
});

verifies('LOGIN-CHECK-10', 'the page of another service is not shown, unless the issuer is named', async () => {
  const withPage = (host: string) =>
    loginTo({ metadata: { ...METADATA, authorization_endpoint: `https://${host}/authorize` }, token: TOKEN });
  for (const host of ['mcp.example', 'login.mcp.example', 'example']) {
    const { logIn, readRedirect } = await withPage(host);
    await logIn({ readRedirect });
  }
  for (const host of ['bank.example', 'notmcp.example', 'mcp.example.bank.example', 'mcp.example:8443']) {
    const { logIn, shown, readRedirect } = await withPage(host);
    const message = `the login page is on ${host}, but what it permits goes to another service, mcp.example: if you expect that, set oauth.issuer of the server to ${ORIGIN}, or log in with --issuer`;
    for (const way of ['paste', 'browser'] as const)
      await expect(logIn({ way, readRedirect })).rejects.toMatchObject({ kind: 'refused', message });
    await expect(logIn({ readRedirect, issuer: 'https://bank.example' })).rejects.toThrow('not the configured');
    expect(shown).toEqual([]);
    await logIn({ readRedirect, issuer: ORIGIN });
    expect(shown).toHaveLength(1);
  }
  // The issuer is the address where its metadata is: it cannot be another one.
  const { logIn, shown } = await loginTo({
    metadata: { ...METADATA, issuer: 'https://bank.example', authorization_endpoint: 'https://bank.example/authorize' },
  });
  await expect(logIn()).rejects.toMatchObject({ name: 'LoginError' });
  expect(shown).toEqual([]);
});

verifies('LOGIN-CHECK-30', 'the device login of another service is not shown, unless the issuer is named', async () => {
  const withPage = (field: string, host: string) =>
    loginTo({ device: { ...DEVICE, [field]: `https://${host}/device` }, token: TOKEN });
  const isShown = async (field: string, host: string, options: Partial<LogInOptions> = {}) => {
    const { logIn, shown } = await withPage(field, host);
    await logIn({ way: 'device', ...options });
    expect(shown).toHaveLength(1);
  };
  const isRefused = async (field: string, host: string) => {
    const { logIn, shown } = await withPage(field, host);
    const message = `the login page is on ${host}, but what it permits goes to another service, mcp.example: if you expect that, set oauth.issuer of the server to ${ORIGIN}, or log in with --issuer`;
    await expect(logIn({ way: 'device' })).rejects.toMatchObject({ kind: 'refused', message });
    expect(shown).toEqual([]);
  };
  const others = ['bank.example', 'notmcp.example', 'mcp.example.bank.example', 'mcp.example:8443'];
  const attempts = ['verification_uri', 'verification_uri_complete'].flatMap((field) => [
    ...['mcp.example', 'login.mcp.example', 'example'].map((host) => isShown(field, host)),
    ...others.map((host) => isShown(field, host, { issuer: ORIGIN })),
    ...others.map((host) => isRefused(field, host)),
  ]);
  await Promise.all(attempts);
});

verifies('LOGIN-CHECK-05', 'texts of the authorization server stay on the line of the error', async () => {
  const { logIn, shown } = await loginTo({});
  const error = 'denied\r\nlogged in to notes\u2028\u202e\u001b[2K';
  const readRedirect = async () => {
    const { searchParams } = new URL(shown[0] ?? '');
    const params = { state: searchParams.get('state') ?? '', error, error_description: 'x'.repeat(100_000) };
    return `http://127.0.0.1:33418/callback?${new URLSearchParams(params)}`;
  };
  const message = await logIn({ readRedirect }).then(
    () => '',
    (thrown: Error) => thrown.message,
  );
  expect(message).toContain('denied\\u000d\\u000alogged in to notes\\u2028\\u202e\\u001b[2K: xxx');
  expect(message.length).toBeLessThan(400);
});

verifies('LOGIN-CHECK-07', 'a short client secret does not mask the letters of messages', async () => {
  const messageWith = async (client_secret: string) => {
    const { logIn, readRedirect } = await loginTo({
      client: { client_secret, token_endpoint_auth_method: 'client_secret_post' },
    });
    return logIn({ readRedirect }).then(
      () => '',
      (thrown: Error) => thrown.message,
    );
  };
  const usual = await messageWith('a long secret of the server');
  expect(usual).toContain('HTTP 401');
  for (const secret of ['e', '401']) expect(await messageWith(secret)).toBe(usual);
  expect(await messageWith('HTTP')).toBe(usual.replaceAll('HTTP', '***'));
});

const TOKEN = { access_token: 'good-token', token_type: 'Bearer', expires_in: 3_600, refresh_token: 'good-refresh' };
const FORGED = 'SECRET12345\r\nserver "good" needs a new version\u001b]0;title\u0007';

verifies('LOGIN-CHECK-08', 'a token that cannot be in a header is refused when it is received', async () => {
  const illegal = [FORGED, '\u4f60\u597d', 'caf\u00e9', 'a\tb', ''];
  const fields = ['access_token', 'refresh_token', 'token_type'];
  for (const field of fields) {
    for (const value of illegal) {
      const token = { ...TOKEN, [field]: value };
      const message = `the ${field} that the authorization server issued for server "notes" is empty or has characters that OAuth does not allow; it is not used`;
      const { logIn, readRedirect, vault } = await loginTo({ token });
      await expect(logIn({ readRedirect })).rejects.toMatchObject({ kind: 'refused', message });
      expect(await vault.all()).toEqual([]);
    }
  }
});

verifies('LOGIN-CHECK-08', 'a refresh stores no such token, and one that is stored is not sent', async () => {
  const { logIn, readRedirect } = await loginTo({ token: TOKEN });
  const good = await logIn({ readRedirect });
  const expired = { ...good, expires_at: Date.now() - 1 };
  const hostile = await loginTo({ token: { ...TOKEN, access_token: FORGED } });
  const refused = { kind: 'refused', message: expect.stringMatching(/^the access_token (?!.*SECRET).*$/) };
  await hostile.vault.write(expired);
  await expect(hostile.login.token()).rejects.toMatchObject(refused);
  expect(await hostile.vault.all()).toMatchObject([{ tokens: { access_token: 'good-token' } }]);
  await hostile.vault.write({ ...good, tokens: { ...TOKEN, access_token: FORGED } });
  await expect(hostile.login.token()).rejects.toMatchObject(refused);
});

verifies('LOGIN-CHECK-08', 'a token of an unusual type is used', async () => {
  const { login, logIn, readRedirect } = await loginTo({ token: { ...TOKEN, token_type: 'user' } });
  await logIn({ readRedirect });
  expect(await login.token()).toBe('good-token');
});
