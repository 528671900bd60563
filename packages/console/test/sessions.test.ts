import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConsoleOptions, createConsole, listenConsole, type OperatorAuditRecord } from '@a2c/console';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { beginSession, logIn, prove, sign } from './browser-session.js';
import { freePort } from './host.js';

const PART: ConsoleOptions['parts'][number] = {
  handlers: { desktop: () => ({ windows: [] }), 'restart-server': () => ({}) },
  follow: () => () => {},
};

/** A console in this process. */
async function serve(options: Partial<ConsoleOptions> = {}, port = 0) {
  const records: OperatorAuditRecord[] = [];
  const errors: unknown[] = [];
  const console = await createConsole({
    parts: [PART],
    withLink: true,
    audit: (record) => records.push(record),
    onError: (error) => errors.push(error),
    version: '1',
    ...options,
  });
  const { link, url: origin, close } = await listenConsole(console, port);
  onTestFinished(close);
  const { hash } = new URL(link);
  const token = hash.slice('#token='.length);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return { origin, link, token, headers, records, errors, close };
}

function keyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'console.key');
}

/** The status of a request whose headers `fetch` would not send. */
function statusOf(url: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end(body);
  });
}

verifies('CON-ACCESS-08', 'a logout that cannot be stored ends the streams, and is reported', async () => {
  const path = keyFile();
  const { origin, token, records } = await serve({ keyFile: path });
  const headers = await logIn({ origin, token });
  const stream = await fetch(`${origin}/operator/events`, { headers });
  writeFileSync(`${path}-ended`, 'in the way');
  const answer = await fetch(`${origin}/operator/session`, { method: 'DELETE', headers });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('valid again after a restart') });
  expect(await stream.text()).toContain('event: hello');
  expect(await statusOf(`${origin}/operator/desktop`, headers)).toBe(401);
  expect(records.at(-1)).toMatchObject({ action: 'logout', verdict: 'InternalError', subject: 'console' });
});

verifies(
  'CON-ACCESS-08',
  'if ended sessions cannot be read, the host starts and accepts no earlier session',
  async () => {
    const path = keyFile();
    const first = await serve({ keyFile: path });
    const { Cookie = '' } = await logIn(first);
    writeFileSync(`${path}-ended`, 'in the way');
    const second = await serve({ keyFile: path });
    expect(second.errors).toMatchObject([{ code: 'ENOTDIR' }]);
    const moved = Cookie.replace(/^\w+=/, `a2c_console_${new URL(second.origin).port}=`);
    const session = `${second.origin}/operator/session?nonce=${'n'.repeat(20)}`;
    expect(await statusOf(session, { Cookie: moved })).toBe(401);
    const headers = await logIn(second);
    expect(await statusOf(`${second.origin}/operator/desktop`, headers)).toBe(200);
  },
);

verifies('CON-ACCESS-08', 'a stream ends when the session of a link expires', async () => {
  const { origin, token } = await serve();
  // A clock that does not move: nothing expires too early on a loaded machine.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const headers = await logIn({ origin, token });
  const expiry = Date.now() + 7 * 24 * 3_600_000;
  vi.setSystemTime(expiry - 300);
  const stream = await fetch(`${origin}/operator/events`, { headers });
  expect(await stream.text()).toContain('event: hello');
  vi.setSystemTime(expiry + 1);
  expect(await statusOf(`${origin}/operator/desktop`, headers)).toBe(401);
});

verifies(
  'CON-ACCESS-02',
  'on loopback, Host is checked also with authentication; other names can be allowed',
  async () => {
    const authenticate = async () => ({ subject: 'ops' });
    const { origin } = await serve({ authenticate, hosts: ['console.example'] });
    const status = (Host: string) => statusOf(`${origin}/operator/desktop`, { Host, Authorization: 'Bearer k' });
    expect(await status('evil.example')).toBe(403);
    expect(await status('evil.console.example')).toBe(403);
    expect([await status('Console.Example:443'), await status('localhost:1')]).toEqual([200, 200]);
  },
);

verifies('CON-ACCESS-02', 'only JSON is accepted, with any parameters', async () => {
  const { origin, headers } = await serve();
  const status = (type: string) =>
    statusOf(`${origin}/operator/restart-server`, { ...headers, 'Content-Type': type }, 'POST', '{"server":"s"}');
  for (const type of ['application/json-seq', 'application/json+x', 'application/jsonp', 'text/plain', ' ']) {
    expect(await status(type)).toBe(400);
  }
  for (const type of ['application/json', 'Application/JSON', 'application/json ; charset=utf-8']) {
    expect(await status(type)).toBe(200);
  }
});

verifies('CON-ACCESS-06', 'attempts without credentials do not fill the audit log', async () => {
  const { origin, headers: token, records } = await serve();
  const attempt = (headers: Record<string, string>) =>
    statusOf(`${origin}/operator/restart-server`, headers, 'POST', '{"server":"s"}');
  for (let count = 0; count < 130; count++) {
    expect(await attempt({ ...token, Authorization: 'Bearer wrong' })).toBe(401);
  }
  expect(await attempt(token)).toBe(200);
  const unknown = records.filter(({ subject }) => subject === 'unknown');
  // One more for each minute that the test takes.
  expect(unknown.length).toBeLessThan(110);
  expect(records.at(-2)).toMatchObject({ verdict: 'begun', server: 's', omitted: 130 - unknown.length });
  expect(records.at(-1)).toMatchObject({ verdict: 'ok', subject: 'console' });
  expect(records.at(-1)).not.toHaveProperty('omitted');
});

verifies('CON-ACCESS-02', 'the page is served only under names of this machine, and no service worker', async () => {
  const { origin, link } = await serve();
  for (const path of ['/', '/console', '/console/', '/console/absent.js']) {
    expect(await statusOf(`${origin}${path}`, { Host: 'evil.example' })).toBe(403);
    expect(await statusOf(`${origin}${path}`, { Host: 'evil.localhost' })).toBe(403);
    expect(await statusOf(`${origin}${path}`, { Host: new URL(link).host, 'Service-Worker': 'script' })).toBe(403);
  }
  expect(await statusOf(`${origin}/console/`, { Host: new URL(link).host, 'Sec-Fetch-Site': 'cross-site' })).toBe(200);
});

verifies('CON-ACCESS-12', 'each start has a name of its own, on both loopback addresses', async () => {
  const [first, second] = [await serve(), await serve()];
  const names = [first, second].map(({ link }) => new URL(link).hostname);
  for (const name of names) expect(name).toMatch(/^a2c-[\da-f]{10}\.localhost$/);
  expect(new Set(names).size).toBe(2);
  // With the indentation of `a2c up`, it fits into a line of 80 characters.
  expect(first.link.length).toBeLessThanOrEqual(78);
  const { port } = new URL(first.origin);
  for (const address of ['127.0.0.1', '[::1]']) {
    const Host = `${names[0]}:${port}`;
    expect(await statusOf(`http://${address}:${port}/operator/desktop`, { ...first.headers, Host })).toBe(200);
  }
});

verifies('CON-ACCESS-12', 'the console does not start if another program has the port on ::1', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '::1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  await expect(serve({}, port)).rejects.toMatchObject({ code: 'EADDRINUSE', message: expect.stringContaining('::1') });
});

verifies('CON-ACCESS-12', 'a stored key is valid until the host stops, that of an open page longer', async () => {
  const [port, path] = [await freePort(), keyFile()];
  const hosts = ['console.example'];
  const first = await serve({ keyFile: path, hosts }, port);
  const session = await beginSession(first);
  const { until } = session;
  const stored = { ...session, key: sign(session.key, `stored ${until}`) };
  const desktop = `${first.origin}/operator/desktop`;
  const headers = await prove(first, stored, until);
  expect(await statusOf(desktop, headers)).toBe(200);
  // A page that is loaded again gets the key of its session.
  const again = await fetch(`${first.origin}/operator/session`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{}',
  });
  expect(await again.json()).toEqual({ key: session.key, until });
  await first.close();
  await serve({ keyFile: path, hosts }, port);
  // The host proves itself with the old key too, so that the page knows that its session is over.
  expect(await statusOf(desktop, await prove(first, stored, until))).toBe(401);
  expect(await statusOf(desktop, await prove(first, session))).toBe(200);
});

verifies('CON-ACCESS-10', 'a session is valid at the name where it began', async () => {
  const { origin, token } = await serve();
  const headers = await logIn({ origin, token });
  const { port } = new URL(origin);
  const status = (Host: string) => statusOf(`${origin}/operator/desktop`, { ...headers, Host });
  expect(await status(`127.0.0.1:${port}`)).toBe(200);
  for (const name of ['localhost', '127.0.0.2', '[::1]', 'a2c-0123456789.localhost']) {
    expect(await status(`${name}:${port}`)).toBe(401);
  }
});
