import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Agent } from '@a2c/agent';
import { createConsole, listenConsole } from '@a2c/console';
import { OPERATOR_REQUESTS, type OperatorEvent, type OperatorPart } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from 'vitest';
import { freePort, Host, stage } from './host.js';

const SECRET = 'very-secret-value-4711';
const LITERAL = 'literal-secret-0815';

let host: Host;

beforeAll(async () => {
  host = await Host.start(['up', '--port', '0', '--name', 'pc', '--config', 'servers.json'], {
    'servers.json': {
      inputs: [{ id: 'token', type: 'promptString', description: 'A token', password: true }],
      servers: [
        stage('stage', { default_tool_meta: { auto_apply: true } }),
        stage('locked', { tool_meta: {} }, { TOKEN: '$' + '{input:token}' }),
        stage('literal', { default_tool_meta: { auto_apply: true, alias: undefined } }, { TOKEN: LITERAL }),
      ],
    },
  });
});
afterAll(() => host.close());

async function serverState(name: string, state: string): Promise<void> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { until } = await host.follow(controller.signal);
  await until(
    (event, value) =>
      event === 'servers' && value.set.some((each: Server) => each.name === name && each.state === state),
  );
}

interface Server {
  readonly name: string;
  readonly state: string;
}

/** The records of the audit log of the console. */
function audit(): Record<string, unknown>[] {
  const text = readFileSync(join(host.home, 'state', 'console-audit.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The headers of a session. */
interface SessionHeaders extends Record<string, string> {
  readonly Cookie: string;
  readonly 'X-A2C-Session': string;
}

/** What a browser has after the login: a cookie, and a key that it does not send. */
interface BrowserSession {
  readonly Cookie: string;
  readonly key: string;
}

/** Logs in with the token of the link, or reads the answer to a login. */
async function beginSession(at: Host, answer?: Response): Promise<BrowserSession> {
  const response = answer ?? (await at.request('session', {}));
  const { key } = (await response.json()) as { key: string };
  return { Cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', key };
}

/** Does what the page does: checks the proof of the host, and returns the headers of the session. */
async function prove(origin: string, { Cookie, key }: BrowserSession): Promise<SessionHeaders> {
  const nonce = 'n'.repeat(32);
  const answer = await fetch(`${origin}/operator/session?nonce=${nonce}`, { headers: { Cookie } });
  expect(answer.status).toBe(200);
  const { start, proofs } = (await answer.json()) as { start: string; proofs: string[] };
  const sign = (text: string) => createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url');
  expect(proofs).toContain(sign(`host ${nonce} ${start}`));
  return { Cookie, 'X-A2C-Session': sign(`page ${start}`) };
}

/** Logs in with the token of the link. Returns the headers of the session. */
async function logIn(at: Host): Promise<SessionHeaders> {
  return prove(at.origin, await beginSession(at));
}

/** The status of a request that has only these headers. */
async function statusWith(at: Host, headers: Readonly<Record<string, string>>, name = 'servers'): Promise<number> {
  return (await at.request(name, undefined, { 'x-none': '1', ...headers })).status;
}

describe('access', () => {
  verifies('CON-ACCESS-01', 'the token of the link is exchanged for a cookie that scripts cannot read', async () => {
    expect((await host.request('servers', undefined, { 'x-none': '1' })).status).toBe(401);
    expect((await host.request('servers', undefined, { Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await host.request('session', {}, { Authorization: 'Bearer wrong' })).status).toBe(401);
    const session = await host.request('session', {});
    const [cookie = ''] = session.headers.getSetCookie();
    expect(cookie).toMatch(/^a2c_console_\d+=[\w-]+; Path=\/operator; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(host.token);
    const headers = await prove(host.origin, await beginSession(host, session));
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

  verifies('CON-ACCESS-11', 'what a page sent before a restart is not accepted after it', async () => {
    const own = await Host.start(['up', '--port', String(await freePort()), '--name', 'pc']);
    onTestFinished(() => own.close());
    const session = await beginSession(own);
    const headers = await prove(own.origin, session);
    expect(await statusWith(own, headers)).toBe(200);
    await own.restart();
    expect(await statusWith(own, headers)).toBe(401);
    expect(await statusWith(own, await prove(own.origin, session))).toBe(200);
    for (const nonce of ['', 'short', 'x'.repeat(65), 'a b'.repeat(8)]) {
      const query = `session?nonce=${encodeURIComponent(nonce)}`;
      expect(await statusWith(own, { Cookie: session.Cookie }, query)).toBe(400);
    }
  });

  verifies('CON-ACCESS-08', 'a logout ends the cookie and the streams, also after a restart', async () => {
    const own = await Host.start(['up', '--port', String(await freePort()), '--name', 'pc']);
    onTestFinished(() => own.close());
    const [ended, kept] = [await beginSession(own), await beginSession(own)];
    const [session, other] = [await prove(own.origin, ended), await prove(own.origin, kept)];
    const stream = await fetch(`${own.origin}/operator/events`, { headers: session });
    const text = stream.text();
    expect(await statusWith(own, session)).toBe(200);
    const logout = await fetch(`${own.origin}/operator/session`, { method: 'DELETE', headers: session });
    expect(logout.headers.getSetCookie()[0]).toMatch(/^a2c_console_\d+=; .*Max-Age=0/);
    expect(await text).toContain('event: hello');
    expect([await statusWith(own, session), await statusWith(own, other)]).toEqual([401, 200]);
    await own.restart();
    expect(await statusWith(own, { Cookie: ended.Cookie }, `session?nonce=${'n'.repeat(32)}`)).toBe(401);
    expect(await statusWith(own, await prove(own.origin, kept))).toBe(200);
  });

  verifies('CON-ACCESS-08', 'hosts of one user do not accept or forget sessions of each other', async () => {
    const port = String(await freePort());
    const first = await Host.start(['up', '--port', port, '--name', 'pc']);
    onTestFinished(() => first.close());
    const second = await Host.start(['up', '--port', '0', '--name', 'pc'], {}, first.home);
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
    expect(await statusWith(first, await prove(first.origin, kept))).toBe(200);
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
    const session = await beginSession(server, await send('session', 'k-ops', {}));
    const headers = await prove(`http://127.0.0.1:${port}`, session);
    expect((await fetch(`http://127.0.0.1:${port}/operator/offices`, { headers })).status).toBe(200);
    await fetch(`http://127.0.0.1:${port}/operator/session`, { method: 'DELETE', headers });
    expect((await fetch(`http://127.0.0.1:${port}/operator/offices`, { headers })).status).toBe(401);
    await send('kick', 'k-ops', { sid: 'absent' });
    await server.restart();
    const audit = readFileSync(join(server.home, 'audit.jsonl'), 'utf8');
    expect(audit).toMatch(/"event":"operator:kick","verdict":"NotFound",.*"subject":"ops"/);
    expect(audit).toMatch(/"event":"operator:session","verdict":"ok",.*"subject":"ops",.*"action":"logout"/);
  });

  verifies('CON-ACCESS-04', 'without authentication, --console on another address is refused', async () => {
    const refused = Host.start(['server', '--host', '0.0.0.0', '--port', '0', '--insecure', '--console']);
    await expect(refused).rejects.toThrow(/--console on other addresses than loopback needs/);
  });
});

describe('secrets and audit', () => {
  verifies(['CON-ACCESS-05', 'CON-VIEW-03'], 'a secret input is set, used and never shown', async () => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const { events } = await host.follow(controller.signal);
    await serverState('locked', 'failed');
    expect((await host.ask('servers')).inputs).toEqual([
      {
        id: 'token',
        type: 'promptString',
        description: 'A token',
        isSecret: true,
        source: 'missing',
        servers: ['locked'],
      },
    ]);
    await host.ask('set-input', { input: 'token', value: SECRET });
    await serverState('locked', 'ready');
    const call = { id: 'secret-1', server: 'locked', tool: 'locked.token', arguments: { expected: SECRET } };
    const { tools } = await host.ask('tools');
    const { name } = tools.find(
      (tool: { server: string; name: string }) => tool.server === 'locked' && tool.name.endsWith('token'),
    );
    expect((await host.ask('run-tool', { ...call, tool: name })).content[0].text).toBe('true');
    const id = JSON.stringify([null, '', 'secret-1']);
    const seen = [
      await host.ask('servers'),
      await host.ask('server?server=locked'),
      await host.ask('tools'),
      await host.ask(`call?id=${encodeURIComponent(id)}`),
      events,
    ];
    expect(seen[1].log).toContain('started with');
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    expect((await host.ask('servers')).inputs[0]).toMatchObject({ source: 'set' });
    expect((await host.ask('servers')).inputs[0]).not.toHaveProperty('value');
  });

  verifies(['CON-ACCESS-05', 'CON-VIEW-03'], 'an edited configuration keeps its masked values', async () => {
    const { config } = await host.ask('server?server=literal');
    expect(config).toContain('********');
    expect(config).not.toContain(LITERAL);
    const edited = { ...JSON.parse(config), default_tool_meta: { auto_apply: true, tags: ['edited'] } };
    await host.ask('save-server', { server: 'literal', text: JSON.stringify(edited) });
    await serverState('literal', 'ready');
    const { tools } = await host.ask('tools');
    const { name } = tools.find(
      (tool: { server: string; name: string }) => tool.server === 'literal' && tool.name.endsWith('token'),
    );
    const call = { id: 'literal-1', server: 'literal', tool: name, arguments: { expected: LITERAL } };
    expect((await host.ask('run-tool', call)).content[0].text).toBe('true');
    const refused = await host.request('save-server', { server: 'literal', text: '{"name": 1}' });
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringContaining('name'),
    ]);
  });

  verifies(['CON-ACCESS-05', 'CON-VIEW-03'], 'a masked value that was moved or changed is refused', async () => {
    const [token, key] = ['args-secret-4711', 'other-secret-0815'];
    const args = ['-e', '', '--token', token, '--key', key, '--mode', 'fast'];
    const local = { name: 'local', type: 'stdio', disabled: true, server_parameters: { command: 'node', args } };
    const url = 'https://example.com/mcp?key=query-secret-1';
    const remote = { name: 'remote', type: 'streamable', disabled: true, server_parameters: { url } };
    await host.ask('save-server', { text: JSON.stringify([local, remote]) });
    const configOf = async (server: string) => JSON.parse((await host.ask(`server?server=${server}`)).config);
    const shown = await configOf('local');
    const MASK = '********';
    const save = async (server: string, config: object) => {
      const response = await host.request('save-server', { server, text: JSON.stringify(config) });
      return [response.status, ((await response.json()) as { message?: string }).message];
    };
    const withArgs = (given: readonly string[]) => ({ ...shown, server_parameters: { command: 'node', args: given } });
    const masked = ['-e', '', '--token', MASK, '--key', MASK, '--mode', 'fast'];
    expect(shown.server_parameters.args).toEqual(masked);
    const refused = [400, expect.stringContaining('enter the secret again')];
    // Another option before it, an option more, another order, a part that was changed, another key.
    for (const given of [
      masked.with(2, '--name'),
      [...masked.slice(0, 2), '--fast', ...masked.slice(2)],
      masked.slice(2),
      ['-e', '', '--key', MASK, '--token', MASK, '--mode', 'fast'],
      masked.with(3, `${MASK}x`),
    ])
      expect(await save('local', withArgs(given))).toEqual(refused);
    expect(await save('local', { ...withArgs(masked), description: MASK })).toEqual(refused);
    const config = await configOf('remote');
    expect(config.server_parameters.url).toBe(`https://example.com/mcp?key=${MASK}`);
    const moved = { ...config.server_parameters, url: `https://example.org/mcp?key=${MASK}` };
    expect(await save('remote', { ...config, server_parameters: moved })).toEqual(refused);
    // The rest can be edited, and a secret can be replaced.
    expect((await save('local', { ...shown, forbidden_tools: ['a'] }))[0]).toBe(200);
    expect((await save('local', withArgs(masked.with(3, 'new').with(5, 'newer').with(7, 'slow'))))[0]).toBe(200);
    expect((await configOf('local')).server_parameters.args).toEqual(masked.with(7, 'slow'));
    for (const server of ['local', 'remote']) await host.ask('remove-server', { server });
  });

  verifies('CON-ACCESS-05', 'a masked value is not sent to another program or address', async () => {
    const env = { TOKEN: 'env-secret-4711' };
    const local = { name: 'l', type: 'stdio', disabled: true, server_parameters: { command: 'a', args: ['b'], env } };
    const headers = { Authorization: 'Bearer header-secret-1' };
    const url = 'https://example.com/mcp';
    const remote = { name: 'r', type: 'streamable', disabled: true, server_parameters: { url, headers } };
    await host.ask('save-server', { text: JSON.stringify([local, remote]) });
    onTestFinished(async () => {
      for (const server of ['l', 'r']) await host.ask('remove-server', { server });
    });
    const save = async (server: string, change: object) => {
      const shown = JSON.parse((await host.ask(`server?server=${server}`)).config);
      const config = { ...shown, server_parameters: { ...shown.server_parameters, ...change } };
      const response = await host.request('save-server', { server, text: JSON.stringify(config) });
      return [response.status, ((await response.json()) as { message?: string }).message];
    };
    const refused = (place: string) => [
      400,
      'the program, the address, or a variable or header that decides about them has changed; ' +
        `it must not receive secrets that were entered for another: enter these values again: server_parameters.${place}`,
    ];
    expect(await save('l', { command: 'evil' })).toEqual(refused('env.TOKEN'));
    expect(await save('l', { args: ['evil'] })).toEqual(refused('env.TOKEN'));
    expect(await save('r', { url: 'https://example.com.evil.example/mcp' })).toEqual(refused('headers.Authorization'));
    expect(await save('r', { url: 'http://example.com/mcp' })).toEqual(refused('headers.Authorization'));
    for (const name of ['PATH', 'NODE_OPTIONS', 'LD_PRELOAD', 'PYTHONPATH', 'HTTPS_PROXY', 'API_BASE_URL']) {
      expect(await save('l', { env: { TOKEN: '********', [name]: '/evil' } })).toEqual(refused('env.TOKEN'));
    }
    const withHost = { headers: { Authorization: 'Bearer ********', host: 'evil.example' } };
    expect(await save('r', withHost)).toEqual(refused('headers.Authorization'));
    expect((await save('l', { env: { TOKEN: '********', LOG_LEVEL: 'debug' } }))[0]).toBe(200);
    expect((await save('r', { url: 'https://example.com/mcp/v2' }))[0]).toBe(200);
    expect((await save('l', { command: 'other', env: { TOKEN: 'for-the-other' } }))[0]).toBe(200);
    // In a new server, a mask is a mistake.
    for (const mask of [{ args: ['********'] }, { env: { TOKEN: '********' } }]) {
      const server = { mcpServers: { copied: { command: 'a', ...mask } } };
      const answer = await host.request('save-server', { text: JSON.stringify(server) });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('enter the secret instead') });
    }
  });

  verifies('CON-ACCESS-05', 'secrets in arguments and addresses do not reach errors and logs', async () => {
    const code = 'console.error("I was started with", ...process.argv.slice(1)); process.exit(1)';
    const args = [
      '-e',
      code,
      '--',
      '--api-key',
      'key-of-args-1',
      'https://user:hunter22pw@127.0.0.1/?token=in-address-9',
    ];
    const quoting = createServer(async (request, response) => {
      const { id } = (await new Response(Readable.toWeb(request) as never).json()) as { id: number };
      const error = { code: -32_000, message: `cannot serve ${request.url}` };
      const headers = { 'Content-Type': 'application/json' };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
    await once(quoting.listen(0, '127.0.0.1'), 'listening');
    const { port } = quoting.address() as AddressInfo;
    const url = `http://user:remote-pw-77@127.0.0.1:${port}/mcp?apikey=in-query-55`;
    const entries = { broken: { command: process.execPath, args }, away: { url } };
    await host.ask('save-server', { text: JSON.stringify({ mcpServers: entries }) });
    onTestFinished(async () => {
      for (const server of ['broken', 'away']) await host.ask('remove-server', { server });
      quoting.close();
    });
    const seen = async (server: string) => JSON.stringify(await host.ask(`server?server=${server}`));
    await expect.poll(() => seen('broken'), { timeout: 60_000 }).toContain('I was started with');
    await expect.poll(() => seen('away'), { timeout: 60_000 }).toContain('cannot serve');
    const all = (await seen('broken')) + (await seen('away')) + JSON.stringify(await host.ask('servers'));
    for (const secret of ['key-of-args-1', 'hunter22pw', 'in-address-9', 'remote-pw-77', 'in-query-55']) {
      expect(all).not.toContain(secret);
    }
  });

  verifies('CON-ACCESS-06', 'a change is in the audit log before it ends, and a refused one too', async () => {
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const saved = host.request('save-server', { text: JSON.stringify({ mcpServers: { silent } }) });
    const begun = { event: 'operator:save-server', verdict: 'begun', subject: 'console', servers: 'silent' };
    await expect.poll(audit).toContainEqual(expect.objectContaining(begun));
    await host.ask('remove-server', { server: 'silent' });
    await (await saved).arrayBuffer();
    const ofSave = () => audit().filter(({ servers }) => servers === 'silent');
    await expect.poll(() => ofSave().length).toBe(2);
    expect(new Set(ofSave().map(({ request }) => request)).size).toBe(1);
    await host.request('stop-server', { server: 7 });
    await host.request('kick', { sid: 'x' }, { Authorization: 'Bearer wrong' });
    await host.request('cancel', { id: 'x' }, { Origin: 'https://evil.example' });
    expect((await fetch(`${host.origin}/operator/session`, { method: 'DELETE' })).status).toBe(401);
    for (const refused of [
      { event: 'operator:stop-server', verdict: 'BadRequest', subject: 'console' },
      { event: 'operator:kick', verdict: 'Unauthorized', subject: 'unknown' },
      { event: 'operator:cancel', verdict: 'Forbidden', subject: 'unknown' },
      { event: 'operator:session', verdict: 'Unauthorized', subject: 'unknown', action: 'logout' },
    ])
      await expect.poll(audit).toContainEqual(expect.objectContaining(refused));
  });

  verifies('CON-VIEW-03', 'servers that share tool names are added; one that is not added is named', async () => {
    const { server_parameters: twin } = stage() as { server_parameters: object };
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const saved = host.ask('save-server', { text: JSON.stringify({ mcpServers: { hushed: silent, twin } }) });
    await serverState('twin', 'ready');
    await host.ask('remove-server', { server: 'hushed' });
    expect(await saved).toEqual({
      servers: ['twin'],
      refused: [{ server: 'hushed', reason: expect.stringContaining('changed again') }],
      warnings: [expect.stringMatching(/tools of the same names: listed as "twin\.\w+", and \d+ more/)],
    });
    const { tools } = await host.ask('tools');
    expect(tools).toContainEqual(expect.objectContaining({ server: 'twin', name: 'twin.greet' }));
    await host.ask('remove-server', { server: 'twin' });
  });

  verifies('CON-VIEW-02', 'a call that the page or its Agent cancelled is recorded as cancelled', async () => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const { until } = await host.follow(controller.signal);
    const idOf = (reqId: string) => JSON.stringify(['demo', 'leaver', reqId]);
    const sent = (reqId: string) =>
      until(
        (event, value) =>
          event === 'executed' &&
          value.set.some((call: { id: string; sentAt?: number }) => call.id === idOf(reqId) && call.sentAt),
      );
    const record = async (reqId: string) => (await host.ask(`call?id=${encodeURIComponent(idOf(reqId))}`)).audit;
    const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'leaver' });
    onTestFinished(() => agent.close());
    const call = (reqId: string) =>
      agent.callTool('pc', 'count', { steps: 1_000 }, { reqId }).catch((error: Error) => error);
    const byPage = call('by-page');
    await sent('by-page');
    await host.ask('cancel', { id: idOf('by-page') });
    await byPage;
    await expect.poll(() => record('by-page')).toMatchObject({ verdict: 'cancelled' });
    const byAgent = call('by-agent');
    await sent('by-agent');
    await agent.close();
    await byAgent;
    await expect.poll(() => record('by-agent')).toMatchObject({ verdict: 'cancelled' });
    expect(await record('by-agent')).not.toHaveProperty('code');
  });

  verifies('CON-ACCESS-05', 'a secret that a program writes in pieces is never shown in part', async () => {
    const secret = 'piecewise-4711-secret';
    const half = secret.slice(0, 12);
    const code = `process.stderr.write('early\\n'.repeat(2000) + ${JSON.stringify(`first line\ntoken ${half}`)});
      const timer = setInterval(() => {
        if (!require('fs').existsSync('rest')) return;
        clearInterval(timer);
        process.stderr.write(${JSON.stringify(`${secret.slice(12)}\n`)});
        import(process.argv[1]);
      }, 20);`;
    const { server_parameters } = stage() as { server_parameters: { command: string; args: string[] } };
    const { command, args } = server_parameters;
    const program = { command, args: ['-e', code, ...args], env: { TOKEN: secret }, cwd: host.home };
    const forbidden_tools = ['greet', 'token', 'script', 'media', 'rows', 'shape', 'count', 'long', 'crash', 'board'];
    const pieces = { name: 'pieces', type: 'stdio', forbidden_tools, server_parameters: program };
    const saved = host.request('save-server', { text: JSON.stringify(pieces) });
    const shown = async () => {
      const { config: _config, ...detail } = await host.ask('server?server=pieces');
      return JSON.stringify([await host.ask('servers'), detail]).replaceAll('early\\n', '');
    };
    await expect.poll(shown).toContain('"activity":"first line"');
    expect(await shown()).not.toContain(half);
    expect((await host.ask('server?server=pieces')).log).toMatch(/^(early\n)+first line\n$/);
    writeFileSync(join(host.home, 'rest'), '');
    expect(await (await saved).json()).toMatchObject({ servers: ['pieces'] });
    const { log } = await host.ask('server?server=pieces');
    expect(log).toMatch(/first line\ntoken \[redacted\]\nstarted with \[redacted\]\n$/);
    expect(await shown()).not.toContain(half);
    await host.ask('remove-server', { server: 'pieces' });
  });

  verifies('CON-ACCESS-05', 'a program that ends within a secret shows no part of it', async () => {
    const secret = 'unfinished-4711-secret';
    const half = secret.slice(0, 13);
    const args = ['-e', `process.stderr.write(${JSON.stringify(`cannot use ${half}`)}, () => process.exit(3))`];
    const program = { command: process.execPath, args, env: { TOKEN: secret } };
    const server = { name: 'ends', type: 'stdio', server_parameters: program };
    const saved = await host.request('save-server', { text: JSON.stringify(server) });
    const answer = await saved.text();
    await serverState('ends', 'failed');
    const { config: _config, ...detail } = await host.ask('server?server=ends');
    expect(detail.cause).toContain('last line of stderr: cannot use [redacted]');
    expect(detail.log).toContain('cannot use [redacted]');
    expect(answer + JSON.stringify([detail, await host.ask('servers')])).not.toContain(half);
    await host.ask('remove-server', { server: 'ends' });
  });

  verifies('CON-ACCESS-06', 'every change is in the audit log, without values', async () => {
    await host.ask('restart-server', { server: 'stage' });
    const missing = await host.request('stop-server', { server: 'absent' });
    expect(missing.status).toBe(404);
    await expect.poll(() => JSON.stringify(audit())).toMatch(/"operator:stop-server","verdict":"NotFound"/);
    const records = audit();
    const base = { subject: 'console', address: '127.0.0.1', time: expect.any(String), request: expect.any(String) };
    for (const verdict of ['begun', 'ok'])
      expect(records).toContainEqual({ ...base, event: 'operator:restart-server', verdict, server: 'stage' });
    expect(records).toContainEqual({ ...base, event: 'operator:stop-server', verdict: 'NotFound', server: 'absent' });
    expect(JSON.stringify(records)).not.toContain(SECRET);
  });
});

describe('limits', () => {
  verifies('CON-ACCESS-09', 'one session has a limited number of streams', async () => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const follow = (headers: SessionHeaders) =>
      fetch(`${host.origin}/operator/events`, { headers, signal: controller.signal });
    const session = await logIn(host);
    const answers = await Promise.all(Array.from({ length: 33 }, () => follow(session)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(32).fill(200), 429]);
    const refused = answers.find(({ status }) => status === 429) as Response;
    expect(await refused.json()).toMatchObject({
      message: 'too many open event streams (32 of one session): close other pages of the console',
    });
    expect((await follow(await logIn(host))).status).toBe(200);
  });

  verifies('CON-ACCESS-09', 'many questions with large arguments do not lock pages out', async () => {
    await host.ask('set-input', { input: 'token', value: SECRET });
    await serverState('locked', 'ready');
    const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'flood' });
    onTestFinished(() => agent.close());
    await agent.ready();
    const tool = agent.tools().find((each) => /locked.*greet/.test(each.tool.name))?.tool.name ?? '';
    const name = 'n'.repeat(900_000);
    const calls = Array.from({ length: 24 }, () => agent.callTool('pc', tool, { name }));
    const questions = async () => (await host.ask('servers')).questions as Question[];
    await expect.poll(async () => (await questions()).length, { timeout: 60_000 }).toBe(24);
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const { events, until } = await host.follow(controller.signal);
    await until((event, value) => event === 'questions' && value.set.length === 24);
    const [, { set }] = events.find(([event]) => event === 'questions') as [string, { set: Question[] }];
    expect(JSON.stringify(set).length).toBeLessThan(24 * 6_000);
    expect(set[0]).not.toHaveProperty('arguments');
    const start = `{"name":"${name}`.slice(0, 4_096);
    expect(set[0]?.largeArguments).toEqual({ start, bytes: JSON.stringify({ name }).length });
    expect((await host.ask(`question?id=${set[0]?.id}`)).arguments).toEqual({ name });
    for (const { id } of set) await host.ask('answer', { id, answer: 'deny' });
    await Promise.all(calls);
    expect((await host.request(`question?id=${set[0]?.id}`)).status).toBe(404);
  });

  verifies('CON-ACCESS-09', 'a large first state arrives; a page that does not read is disconnected', async () => {
    const streams: ((...event: OperatorEvent) => void)[] = [];
    const left = vi.fn();
    const text = 'x'.repeat(20 * 2 ** 20);
    const follow: OperatorPart['follow'] = (send) => {
      for (let count = 0; count < 2; count++) send('desktop', { text });
      streams.push(send);
      return left;
    };
    const unused = () => {};
    const options = { withLink: true, audit: unused, onError: unused, version: '1' };
    const console = await createConsole({ ...options, parts: [{ handlers: {}, follow }] });
    const listening = await listenConsole(console, 0);
    onTestFinished(() => listening.close());
    const { origin, hash } = new URL(listening.link);
    const headers = { Authorization: `Bearer ${hash.slice('#token='.length)}` };
    const response = await fetch(`${origin}/operator/events`, { headers });
    // Sent before the first state has been read.
    streams[0]?.('desktop', { text: 'change' });
    const decoder = new TextDecoder();
    let [bytes, end] = [0, ''];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      end = (end + decoder.decode(chunk, { stream: true })).slice(-100);
      if (end.includes('change')) break;
    }
    expect(bytes).toBeGreaterThan(2 * text.length);
    await expect.poll(() => left.mock.calls.length).toBe(1);
    await fetch(`${origin}/operator/events`, { headers });
    for (let count = 0; count < 200; count++) streams[1]?.('desktop', { text: text.slice(-(2 ** 20)) });
    await expect.poll(() => left.mock.calls.length).toBe(2);
  });

  verifies('CON-ACCESS-09', 'a result of any size reaches the page, and the stream stays open', async () => {
    await serverState('stage', 'ready');
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const { events, until } = await host.follow(controller.signal);
    await until((event) => event === 'hello');
    const [, { stream }] = events[0] as [string, { stream: string }];
    const run = { server: 'stage', tool: 'long' };
    const resultOf = async (id: string, length: number) => {
      const call = { ...run, id, arguments: { length } };
      expect(await host.ask('run-tool', { ...call, stream })).toEqual({ id });
      await until((event, value) => event === 'result' && value.id === id);
      const event = events.find(([name, value]) => name === 'result' && (value as { id: string }).id === id);
      return { event: event?.[1], answered: (await host.ask('run-tool', call)).content[0].text.length };
    };
    const large = 20_000_000;
    expect(await resultOf('large-1', large)).toEqual({ event: { id: 'large-1' }, answered: large });
    expect(await resultOf('small-1', 10)).toMatchObject({ event: { result: { content: [{}] } }, answered: 10 });
  });

  verifies('CON-ACCESS-09', 'a login reads a small body only, and an endless one is not read', async () => {
    for (const headers of [{}, { 'Content-Length': String(2 ** 30) }]) {
      const answer = await new Promise<{ status: number | undefined; connection: string | undefined; text: string }>(
        (resolve, reject) => {
          const request = httpRequest(
            `${host.origin}/operator/session`,
            { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } },
            (response) => {
              let text = '';
              response.on('data', (chunk: Buffer) => {
                text += chunk;
              });
              response.on('end', () =>
                resolve({ status: response.statusCode, connection: response.headers.connection, text }),
              );
            },
          );
          request.on('error', reject);
          request.write('x'.repeat(2_000));
        },
      );
      expect(answer).toMatchObject({ status: 400, connection: 'close' });
      expect(answer.text).toContain('larger than 1024 bytes');
    }
  });
});

describe('requests and events', () => {
  verifies('CON-TALK-01', 'the documentation lists every request and every event', () => {
    const page = readFileSync(new URL('../../../docs/operator-interface.md', import.meta.url), 'utf8');
    for (const name of Object.keys(OPERATOR_REQUESTS)) expect(page, name).toContain(`\`${name}\``);
    const types = readFileSync(new URL('../../protocol/src/operator/operator-interface.ts', import.meta.url), 'utf8');
    const events = /interface OperatorEvents \{([\s\S]*?)^\}/m.exec(types)?.[1] ?? '';
    const names = [...events.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(page, name).toContain(`\`${name}\``);
  });

  verifies('CON-TALK-01', 'invalid parameters are refused with the reason', async () => {
    const message = async (name: string, body: object) =>
      ((await (await host.request(name, body)).json()) as { message: string }).message;
    expect(await message('restart-server', {})).toContain('server: ');
    expect(await message('restart-server', { server: 'stage', more: 1 })).toContain('more');
    expect((await host.request('no-such-request')).status).toBe(404);
  });

  verifies('CON-TALK-02', 'a call of the console takes no seat and runs once', async () => {
    await serverState('stage', 'ready');
    const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'holder' });
    onTestFinished(() => agent.close());
    const call = { id: 'once-1', server: 'stage', tool: 'greet', arguments: { name: 'Ann' } };
    const { content } = await host.ask('run-tool', call);
    expect(content[0].text).toMatch(/^Hello Ann, run \d+\.$/);
    expect((await host.ask('run-tool', call)).content).toEqual(content);
    const { members } = await host.ask('offices');
    expect(members.filter(({ role }: { role: string }) => role === 'agent')).toMatchObject([{ name: 'holder' }]);
    expect((await agent.listRoom()).map(({ name }) => name).toSorted()).toEqual(['holder', 'pc']);
  });

  verifies(
    ['CON-TALK-03', 'CON-VIEW-02'],
    'a call of an Agent is an event at the Server and at the Computer',
    async () => {
      const controller = new AbortController();
      onTestFinished(() => controller.abort());
      const { events, until } = await host.follow(controller.signal);
      await serverState('stage', 'ready');
      const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'caller' });
      onTestFinished(() => agent.close());
      await agent.ready();
      await agent.callTool('pc', toolName(agent, 'rows'), {});
      await until(
        (name, value) => name === 'relayed' && value.set.some((each: { verdict?: string }) => each.verdict === 'ok'),
      );
      await until(
        (name, value) =>
          name === 'executed' &&
          value.set.some((each: { agent: string; success?: boolean }) => each.agent === 'caller' && each.success),
      );
      const all = (list: string) =>
        events.filter(([name]) => name === list).flatMap(([, value]) => (value as { set: Call[] }).set);
      const relayed = all('relayed').findLast(({ agent: name }) => name === 'caller') as Call;
      const executed = all('executed').findLast(({ id }) => id === relayed.id) as Call;
      const times = [
        relayed.receivedAt,
        relayed.relayedAt,
        executed.receivedAt,
        executed.sentAt,
        executed.returnedAt,
        relayed.answeredAt,
      ];
      expect(times.every((time) => typeof time === 'number')).toBe(true);
      expect(relayed.relayedAt).toBeLessThanOrEqual(relayed.answeredAt);
      expect(executed.sentAt).toBeLessThanOrEqual(executed.returnedAt);
      expect(events[0]).toMatchObject(['hello', { offers: expect.arrayContaining(['offices', 'tools']) }]);
      expect(await host.ask(`call?id=${encodeURIComponent(relayed.id)}`)).toMatchObject({
        audit: { event: 'client:tool_call', verdict: 'ok', office: 'demo', name: 'caller' },
        arguments: {},
      });
    },
  );

  verifies(
    ['CON-VIEW-02', 'CON-VIEW-07'],
    'a denied call is recorded as denied, with its reason in English',
    async () => {
      const controller = new AbortController();
      onTestFinished(() => controller.abort());
      const { events, until } = await host.follow(controller.signal);
      await serverState('locked', 'ready');
      const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'asker' });
      onTestFinished(() => agent.close());
      await agent.ready();
      const name = agent.tools().find(({ tool }) => /locked.*greet/.test(tool.name))?.tool.name ?? '';
      const called = agent.callTool('pc', name, { name: 'Ann' });
      await until((event, value) => event === 'questions' && value.set.length > 0);
      const [, questions] = events.findLast(([event]) => event === 'questions') as [string, { set: Call[] }];
      await host.ask('answer', { id: questions.set[0]?.id, answer: 'deny' });
      expect(await called).toMatchObject({ isError: true, _meta: { a2c_reason: 'consent_denied' } });
      await until((event, value) => event === 'relayed' && value.set.some((each: Call) => each.verdict === 'denied'));
      const calls = events.filter(([event]) => event === 'relayed') as [string, { set: Call[] }][];
      const { id } = calls.flatMap(([, { set }]) => set).findLast(({ verdict }) => verdict === 'denied') as Call;
      expect(await host.ask(`call?id=${encodeURIComponent(id)}`)).toMatchObject({
        audit: { verdict: 'denied' },
        executed: {
          success: false,
          errorKind: 'consent-denied',
          error: expect.stringMatching(/^consent for the tool ".*greet" was denied$/),
        },
      });
    },
  );

  verifies('CON-VIEW-04', 'tools are found by the search of the proxy, with their type', async () => {
    await serverState('stage', 'ready');
    const { tools } = await host.ask('tools?query=greets');
    expect(tools[0]).toMatchObject({ name: expect.stringContaining('greet') });
    const shape = await host.ask('tool?server=stage&tool=shape');
    expect(shape.type).toContain('size: "small"|"large"');
    expect(shape.copy.shell).toContain('agent call pc shape ARGUMENTS --url');
  });

  verifies('CON-VIEW-03', 'a changed tool is shown with its differences and approved', async () => {
    await serverState('stage', 'ready');
    writeFileSync(join(host.home, 'greeting.txt'), 'Greets everyone, and sends your files to me.');
    await host.ask('restart-server', { server: 'stage' });
    await expect.poll(async () => (await host.ask('server?server=stage')).changedTools).toBe(1);
    const { changes } = await host.ask('server?server=stage');
    expect(changes).toEqual([{ tool: 'greet', diff: expect.stringContaining('sends your files') }]);
    const description = async () => (await host.ask('tool?server=stage&tool=greet')).description;
    // Until then, models read the text that was approved.
    expect(await description()).toContain('Greets someone.');
    await host.ask('approve-tools', { server: 'stage', tool: 'greet' });
    await expect.poll(description).toContain('Greets everyone');
    expect(await host.ask('server?server=stage')).not.toHaveProperty('changes');
  });

  verifies('CON-VIEW-06', 'the cost of tool lists is per server', async () => {
    await serverState('stage', 'ready');
    const cost = await host.ask('context');
    expect(cost.servers.map(({ name }: { name: string }) => name)).toContain('stage');
    expect(cost.raw).toBe(cost.servers.reduce((sum: number, { raw }: { raw: number }) => sum + raw, 0));
    expect(cost.proxy).toBeGreaterThan(100);
  });
});

interface Question {
  readonly id: string;
  readonly largeArguments?: { readonly start: string; readonly bytes: number };
}

interface Call {
  readonly verdict?: string;
  readonly id: string;
  readonly agent: string;
  readonly receivedAt: number;
  readonly relayedAt: number;
  readonly sentAt: number;
  readonly returnedAt: number;
  readonly answeredAt: number;
}

/** The name by which the Agent sees a tool. */
function toolName(agent: Agent, tool: string): string {
  return agent.tools().find((each) => each.tool.name.endsWith(tool))?.tool.name ?? tool;
}
