import { generateKeyPairSync } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifies } from '@a2c/requirements';
import { approve, approveDevice } from '@a2c/test-authorization-server';
import { expect } from 'vitest';
import { hub, textOf, until } from './hub.js';
import { bed } from './login-bed.js';

const press = { onUrl: ({ url }: { readonly url: string }) => void approve(url) };

verifies('LOGIN-STATE-01', 'a server that answers 401 needs a login, and is not asked again', async () => {
  const { notes, vault, config } = await bed();
  const manager = await hub([config()], { vault: vault(), limits: { reconnectMinMs: 1, reconnectMaxMs: 1 } });
  expect(manager.status()[0]).toMatchObject({
    state: 'needs-login',
    cause: 'server "notes" needs a login: run "a2c login notes"',
    retryAt: null,
  });
  const asked = notes.requests.length;
  const error = {
    kind: 'needs-login',
    code: 401,
    server: 'notes',
    message: expect.stringContaining('a2c login notes'),
  };
  await expect(manager.request('notes', 'tools/list', {})).rejects.toMatchObject(error);
  await sleep(200);
  expect(notes.requests).toHaveLength(asked);
  await expect(manager.startClient('notes')).rejects.toMatchObject(error);
  expect(notes.requests.length).toBeGreaterThan(asked);
});

verifies('LOGIN-STATE-02', 'after a login the server connects in every hub', async () => {
  const { authorization, vault, config } = await bed();
  const hubs = [await hub([config()], { vault: vault() }), await hub([config()], { vault: vault() })];
  await hubs[0]?.login('notes', press);
  await until(() => hubs.every((each) => each.status()[0]?.state === 'connected'));
  for (const each of hubs) expect(textOf(await each.executeTool('read', {}))).toBe('a note');
  expect(authorization.redemptions).toEqual({ authorization_code: 1 });
});

verifies('LOGIN-FLOW-01', 'the redirect is accepted only with the state of the login', async () => {
  const { vault, config } = await bed();
  const manager = await hub([config()], { vault: vault(), autoConnect: false });
  const pages: string[] = [];
  const onUrl = async ({ url }: { readonly url: string }) => {
    const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
    const forged = await fetch(`${redirect}?code=stolen&state=guessed`);
    pages.push(`${forged.status} ${await forged.text()}`);
    pages.push((await approve(url)).html);
  };
  let shown = Promise.resolve();
  await manager.login('notes', {
    onUrl: (page) => {
      shown = onUrl(page);
    },
  });
  await shown;
  expect(pages[0]).toMatch(/^400 .*not the answer to the present login/s);
  expect(pages[1]).toContain('You are logged in');
});

verifies('LOGIN-FLOW-07', 'requests with invalid targets are answered, and the login goes on', async () => {
  const { vault, config } = await bed();
  const manager = await hub([config()], { vault: vault(), autoConnect: false });
  const answers: string[] = [];
  const onUrl = async ({ url }: { readonly url: string }) => {
    const { port } = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    for (const target of ['//', '///', 'http://[', '//@', '*', '/%', '/callback', '//callback?state=']) {
      answers.push(await rawAnswer(Number(port), target));
    }
    await approve(url);
  };
  let shown = Promise.resolve();
  await manager.login('notes', {
    onUrl: (page) => {
      shown = onUrl(page);
    },
  });
  await shown;
  expect(answers).toHaveLength(8);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
});

verifies('LOGIN-FLOW-07', 'a login ends also if the browser disconnects before the page is sent', async () => {
  const { authorization, vault, config } = await bed();
  const manager = await hub([config()], { vault: vault(), autoConnect: false });
  const onUrl = ({ url }: { readonly url: string }) => {
    const { searchParams } = new URL(url);
    const { port, pathname } = new URL(searchParams.get('redirect_uri') ?? '');
    const state = searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'unknown', iss: authorization.issuer, state });
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname}?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, () => socket.destroy());
  };
  await expect(manager.login('notes', { onUrl })).rejects.toMatchObject({ kind: 'failed' });
});

/** The start of the answer to a request with this target, which no HTTP client would send. */
async function rawAnswer(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return text(socket);
}

verifies('LOGIN-FLOW-01', 'a refusal of the authorization server is shown in the browser and reported', async () => {
  const { authorization, vault, config } = await bed();
  const manager = await hub([config()], { vault: vault(), autoConnect: false });
  const onUrl = async ({ url }: { readonly url: string }) => {
    const { searchParams } = new URL(url);
    const answer = new URL(searchParams.get('redirect_uri') ?? '');
    const params = { error: 'access_denied', error_description: '<b>no</b>', iss: authorization.issuer };
    answer.search = new URLSearchParams({ ...params, state: searchParams.get('state') ?? '' }).toString();
    expect(await (await fetch(answer)).text()).toContain('&lt;b&gt;no&lt;/b&gt;');
  };
  await expect(manager.login('notes', { onUrl })).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('access_denied'),
  });
});

verifies('LOGIN-FLOW-02', 'a pasted redirect logs in', async () => {
  const { vault, config } = await bed();
  const manager = await hub([config()], { vault: vault() });
  let pasted = Promise.resolve('');
  await manager.login('notes', {
    way: 'paste',
    // Nothing listens at the redirect URI: the browser shows an error, and its address bar has the URL.
    onUrl: ({ url }) => {
      pasted = approve(url).then((page) => page.url);
    },
    readRedirect: () => pasted,
  });
  await until(() => manager.status()[0]?.state === 'connected');
});

verifies('LOGIN-FLOW-03', 'the device flow logs in', async () => {
  const { authorization, vault, config } = await bed();
  const manager = await hub([config()], { vault: vault() });
  const codes: (string | null)[] = [];
  await manager.login('notes', {
    way: 'device',
    onUrl: ({ url, code }) => {
      codes.push(code);
      void approveDevice(url);
    },
  });
  expect(codes[0]).toMatch(/\w{4}-\w{4}/);
  await until(() => manager.status()[0]?.state === 'connected');
  expect(authorization.redemptions).toEqual({ 'urn:ietf:params:oauth:grant-type:device_code': 1 });
});

verifies('LOGIN-FLOW-04', 'client credentials connect without a person, and hubs share the token', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const machine = { redirect_uris: [], response_types: [], grant_types: ['client_credentials'] };
  const { authorization, vault, config } = await bed({
    clients: [
      { ...machine, client_id: 'robot', client_secret: 'robot-secret', scope: 'notes:read notes:write' },
      {
        ...machine,
        client_id: 'signer',
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [publicKey.export({ format: 'jwk' })] },
        scope: 'notes:read',
      },
    ],
  });
  const { issuer } = authorization;
  const secret = { grant: 'client_credentials', client_id: 'robot', client_secret: 'robot-secret', issuer };
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const signed = { grant: 'client_credentials', client_id: 'signer', private_key: pem, issuer };
  for (const oauth of [secret, signed]) {
    const first = await hub([config(oauth)], { vault: vault() });
    expect(first.status()[0]?.cause).toBe(null);
    expect(textOf(await first.executeTool('read', {}))).toBe('a note');
    await hub([config(oauth)], { vault: vault() });
  }
  expect(authorization.redemptions).toEqual({ client_credentials: 2 });
});

verifies('LOGIN-FLOW-05', 'a dynamic registration is used again, and a known client is not registered', async () => {
  const native = { token_endpoint_auth_method: 'none', application_type: 'native' };
  const { vault, config } = await bed({
    clients: [
      {
        ...native,
        client_id: 'known',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  const manager = await hub([config(), config({ client_id: 'known' }, 'other')], { vault: vault() });
  await manager.login('notes', press);
  const [registered] = await vault().all();
  await manager.login('notes', press);
  await manager.login('other', press);
  const clients = (await vault().all()).map(({ key, registration }) => [registration, key.client_id]);
  expect(clients.toSorted()).toEqual([
    ['configured', 'known'],
    ['dynamic', registered?.key.client_id],
  ]);
});

verifies(
  'LOGIN-FLOW-05',
  'a metadata document identifies the client where the authorization server supports it',
  async () => {
    const url = 'https://a2c.example/client.json';
    const clientAt = async (client_id_metadata_document_supported: boolean) => {
      const { vault, config } = await bed({ discovery: { client_id_metadata_document_supported } });
      const manager = await hub([config({ client_metadata_url: url })], { vault: vault() });
      let client: string | null = null;
      const stop = new AbortController();
      const login = manager.login('notes', {
        signal: stop.signal,
        onUrl: (page) => {
          client = new URL(page.url).searchParams.get('client_id');
          stop.abort(new Error('seen'));
        },
      });
      await expect(login).rejects.toThrow();
      return client;
    };
    expect(await clientAt(true)).toBe(url);
    expect(await clientAt(false)).not.toBe(url);
  },
);

verifies('LOGIN-FLOW-06', 'two accounts of one server are used at the same time', async () => {
  const { notes, vault, config } = await bed();
  const manager = await hub([config(), config({ account: 'work' }, 'work')], { vault: vault() });
  await manager.login('notes', press);
  await until(() => manager.status()[0]?.state === 'connected');
  expect(manager.status()[1]?.state).toBe('needs-login');
  await manager.login('work', press);
  await until(() => manager.status()[1]?.state === 'connected');
  const before = notes.requests.length;
  await manager.callTool('notes', 'read', {});
  await manager.callTool('work', 'read', {});
  expect(new Set(notes.requests.slice(before).map(({ token }) => token)).size).toBe(2);
  expect(await manager.logout('work')).toBe(true);
  expect((await vault().all()).map(({ key }) => key.account)).toEqual(['default']);
});

verifies('LOGIN-STEP-01', 'a tool that needs more scopes asks for a login with all of them', async () => {
  const { notes, vault, config } = await bed();
  const manager = await hub([config()], { vault: vault() });
  await manager.login('notes', press);
  await until(() => manager.status()[0]?.state === 'connected');
  await expect(manager.executeTool('write', {})).rejects.toMatchObject({
    kind: 'needs-login',
    code: 403,
    message: 'server "notes" requires more scopes: notes:write: run "a2c login notes"',
  });
  expect(textOf(await manager.executeTool('read', {}))).toBe('a note');
  const urls: string[] = [];
  const onUrl = ({ url }: { readonly url: string }) => {
    urls.push(url);
    void approve(url);
  };
  // Another process knows what is missing.
  const other = await hub([config()], { vault: vault(), autoConnect: false });
  await other.login('notes', { onUrl });
  expect(new URL(urls[0] ?? '').searchParams.get('scope')?.split(' ')).toEqual(
    expect.arrayContaining(['notes:read', 'notes:write', 'offline_access']),
  );
  expect(textOf(await manager.executeTool('write', {}))).toBe('written');
  expect(textOf(await manager.executeTool('read', {}))).toBe('a note');
  expect(notes.requests.at(-1)?.status).toBe(200);
});
