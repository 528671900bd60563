import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { beginSession, logIn, prove, type SessionHeaders } from './browser-session.js';
import { freePort, Host } from './host.js';
import { startOperatorHost } from './operator-host.js';

let host: Host;

beforeAll(async () => {
  host = await startOperatorHost();
});
afterAll(() => host.close());

/** The status of a request that has only these headers. */
async function statusWith(at: Host, headers: Readonly<Record<string, string>>, name = 'servers'): Promise<number> {
  return (await at.request(name, undefined, { 'x-none': '1', ...headers })).status;
}

verifies('CON-ACCESS-01', 'the token of the link is exchanged for a cookie that scripts cannot read', async () => {
  expect((await host.request('servers', undefined, { 'x-none': '1' })).status).toBe(401);
  expect((await host.request('servers', undefined, { Authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await host.request('session', {}, { Authorization: 'Bearer wrong' })).status).toBe(401);
  const session = await host.request('session', {});
  const [cookie = ''] = session.headers.getSetCookie();
  expect(cookie).toMatch(/^a2c_console_\d+=[\w-]+; Path=\/operator; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
  expect(cookie).not.toContain(host.token);
  const { key } = (await session.json()) as { key: string };
  const headers = await prove(host, { Cookie: cookie.split(';')[0] as string, key });
  expect(await statusWith(host, headers)).toBe(200);
  const { Cookie } = headers;
  const forged = Cookie.slice(0, -4) + (Cookie.endsWith('AAAA') ? 'BBBB' : 'AAAA');
  expect(await statusWith(host, { ...headers, Cookie: forged })).toBe(401);
});

verifies('CON-ACCESS-10', 'a cookie that another port received is useless', async () => {
  const { Cookie, 'X-A2C-Session': proof } = await logIn(host);
  const other = await logIn(host);
  for (const name of ['servers', 'events']) {
    expect(await statusWith(host, { Cookie }, name)).toBe(401);
    expect(await statusWith(host, { 'X-A2C-Session': proof }, name)).toBe(401);
    expect(await statusWith(host, { Cookie, 'X-A2C-Session': other['X-A2C-Session'] }, name)).toBe(401);
  }
  const change = (headers: Record<string, string>) =>
    host.request('restart-server', { server: 'none' }, { 'x-none': '1', ...headers });
  expect([(await change({ Cookie })).status, (await change(other)).status]).toEqual([401, 404]);
  // It cannot be exchanged or ended either.
  expect((await host.request('session', {}, { 'x-none': '1', Cookie })).status).toBe(401);
  const ended = await fetch(`${host.origin}/operator/session`, { method: 'DELETE', headers: { Cookie } });
  expect(ended.status).toBe(401);
  expect(await statusWith(host, { Cookie, 'X-A2C-Session': proof })).toBe(200);
});

verifies('CON-ACCESS-10', 'a cookie of the same name that another port set does not end the session', async () => {
  const { Cookie, ...proof } = await logIn(host);
  const [name] = Cookie.split('=');
  const foreign = (await logIn(host)).Cookie;
  expect(await statusWith(host, { ...proof, Cookie: `${name}=evil; ${name}=; ${foreign}; ${Cookie}` })).toBe(200);
});

/** Starts `a2c up` without MCP servers. */
function startEmpty(port: number, home?: string): Promise<Host> {
  const args = ['up', '--port', String(port), '--name', 'pc', '--config', 'none.json'];
  return Host.start(args, { 'none.json': { mcpServers: {} } }, home);
}

verifies(
  ['CON-ACCESS-08', 'CON-ACCESS-11'],
  'a logout ends the cookie and the streams, also after a restart; what a page sent before it is not accepted',
  async () => {
    const own = await startEmpty(await freePort());
    onTestFinished(() => own.close());
    const [ended, kept] = [await beginSession(own), await beginSession(own)];
    const [session, other] = [await prove(own, ended), await prove(own, kept)];
    const stream = await fetch(`${own.origin}/operator/events`, { headers: session });
    const text = stream.text();
    expect(await statusWith(own, session)).toBe(200);
    const logout = await fetch(`${own.origin}/operator/session`, { method: 'DELETE', headers: session });
    expect(logout.headers.getSetCookie()[0]).toMatch(/^a2c_console_\d+=; .*Max-Age=0/);
    expect(await text).toContain('event: hello');
    expect([await statusWith(own, session), await statusWith(own, other)]).toEqual([401, 200]);
    await own.restart();
    expect(await statusWith(own, { Cookie: ended.Cookie }, `session?nonce=${'n'.repeat(32)}`)).toBe(401);
    expect(await statusWith(own, other)).toBe(401);
    expect(await statusWith(own, await prove(own, kept))).toBe(200);
    for (const nonce of ['', 'short', 'x'.repeat(65), 'a b'.repeat(8)]) {
      const query = `session?nonce=${encodeURIComponent(nonce)}`;
      expect(await statusWith(own, { Cookie: kept.Cookie }, query)).toBe(400);
    }
  },
);

verifies('CON-ACCESS-08', 'hosts of one user do not accept or forget sessions of each other', async () => {
  const first = await startEmpty(await freePort());
  onTestFinished(() => first.close());
  const second = await startEmpty(0, first.home);
  onTestFinished(() => second.close());
  const [ofFirst, kept, ofSecond] = [await logIn(first), await beginSession(first), await logIn(second)];
  const name = `a2c_console_${new URL(second.origin).port}`;
  const moved = { ...ofFirst, Cookie: ofFirst.Cookie.replace(/^\w+/, name) };
  expect(await statusWith(second, moved)).toBe(401);
  const logOut = (host: Host, headers: SessionHeaders) =>
    fetch(`${host.origin}/operator/session`, { method: 'DELETE', headers });
  expect((await logOut(first, ofFirst)).status).toBe(200);
  expect((await logOut(second, ofSecond)).status).toBe(200);
  await first.restart();
  const nonce = `session?nonce=${'n'.repeat(32)}`;
  expect(await statusWith(first, { Cookie: ofFirst.Cookie }, nonce)).toBe(401);
  expect(await statusWith(first, await prove(first, kept))).toBe(200);
});

verifies('CON-ACCESS-02', 'pages of other origins and other host names are refused', async () => {
  const { host: own } = new URL(host.origin);
  const status = (headers: Record<string, string>, method = 'GET', path = 'servers') =>
    new Promise<number>((resolve, reject) => {
      const all = { Authorization: `Bearer ${host.token}`, 'Content-Type': 'application/json', ...headers };
      httpRequest(`${host.origin}/operator/${path}`, { method, headers: all }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end(method === 'POST' ? '{"server":"stage"}' : undefined);
    });
  expect(await status({})).toBe(200);
  expect(await status({ Origin: `http://${own}` })).toBe(200);
  expect(await status({ Origin: 'https://evil.example' })).toBe(403);
  expect(await status({ Origin: 'null' })).toBe(403);
  expect(await status({ Origin: 'http://127.0.0.1:1' })).toBe(403);
  expect(await status({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  expect(await status({ Host: `evil.example:${new URL(host.origin).port}` })).toBe(403);
  expect(await status({ 'Content-Type': 'text/plain' }, 'POST', 'restart-server')).toBe(400);
  expect(await status({}, 'GET', 'restart-server')).toBe(400);
  const answer = await host.request('servers');
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

verifies('CON-ACCESS-03', 'the page has a strict policy, no inline script, and at most 60 KB', async () => {
  const page = await fetch(`${host.origin}/console/`);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|https?:\/\//);
  const folder = fileURLToPath(new URL('../dist/page/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(60_000);
  for (const name of ['assets/..%2f..%2fpackage.json', 'nothing.js', `${'a'.repeat(300)}.js`]) {
    expect((await fetch(`${host.origin}/console/${name}`)).status).toBe(404);
  }
  expect((await fetch(`${host.origin}/console/`)).status).toBe(200);
  const redirect = await fetch(host.origin, { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/console/']);
});

verifies('CON-ACCESS-04', 'a Server on another address accepts only identities with the operator right', async () => {
  const args = [
    'server',
    '--host',
    '0.0.0.0',
    '--port',
    '0',
    '--insecure',
    '--auth-file',
    'keys.json',
    '--console',
    '--drain-seconds',
    '0',
  ];
  const { hashApiKey } = await import('@a2c/server');
  const keys = [
    { subject: 'ops', sha256: hashApiKey('k-ops'), operator: true },
    { subject: 'pc', sha256: hashApiKey('k-pc') },
  ];
  const server = await Host.start([...args, '--audit', 'audit.jsonl'], { 'keys.json': { keys } });
  onTestFinished(() => server.close());
  expect(server.link).not.toContain('token');
  const port = new URL(server.url).port;
  const send = (name: string, key: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}/operator/${name}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...(key && { Authorization: `Bearer ${key}` }), 'Content-Type': 'application/json' },
    });
  expect((await send('offices', '')).status).toBe(401);
  expect((await send('offices', 'k-pc')).status).toBe(403);
  expect(await (await send('offices', 'k-ops')).json()).toMatchObject({ members: [], node: { isReady: true } });
  expect((await send('servers', 'k-ops')).status).toBe(404);
  const headers = await logIn({ origin: `http://127.0.0.1:${port}`, token: 'k-ops' });
  expect((await fetch(`http://127.0.0.1:${port}/operator/offices`, { headers })).status).toBe(200);
  await fetch(`http://127.0.0.1:${port}/operator/session`, { method: 'DELETE', headers });
  expect((await fetch(`http://127.0.0.1:${port}/operator/offices`, { headers })).status).toBe(401);
  await send('kick', 'k-ops', { sid: 'absent' });
  await server.end();
  const audit = readFileSync(join(server.home, 'audit.jsonl'), 'utf8');
  expect(audit).toMatch(/"event":"operator:kick","verdict":"NotFound",.*"subject":"ops"/);
  expect(audit).toMatch(/"event":"operator:session","verdict":"ok",.*"subject":"ops",.*"action":"logout"/);
});

verifies('CON-ACCESS-04', 'without authentication, --console on another address is refused', async () => {
  const refused = Host.start(['server', '--host', '0.0.0.0', '--port', '0', '--insecure', '--console']);
  await expect(refused).rejects.toThrow(/--console on other addresses than loopback needs/);
});
