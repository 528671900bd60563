import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConsoleOptions, createConsole, listenConsole, type OperatorAuditRecord } from '@a2c/console';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';

const PART: ConsoleOptions['parts'][number] = {
  handlers: { desktop: () => ({ windows: [] }), 'restart-server': () => ({}) },
  follow: () => () => {},
};

/** A console in this process. */
async function serve(options: Partial<ConsoleOptions> = {}) {
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
  const { link, close } = await listenConsole(console, 0);
  onTestFinished(close);
  const { origin, hash } = new URL(link);
  const token = { Authorization: `Bearer ${hash.slice('#token='.length)}`, 'Content-Type': 'application/json' };
  return { origin, token, records, errors };
}

function keyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'console.key');
}

/** Logs in, and returns the headers of the session. */
async function logIn(origin: string, token: Record<string, string>): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/operator/session`, { method: 'POST', headers: token, body: '{}' });
  const { key } = (await answer.json()) as { key: string };
  const Cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const proved = await fetch(`${origin}/operator/session?nonce=${'n'.repeat(20)}`, { headers: { Cookie } });
  const { start } = (await proved.json()) as { start: string };
  const hmac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`page ${start}`);
  return { Cookie, 'X-A2C-Session': hmac.digest('base64url') };
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
  const headers = await logIn(origin, token);
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
    const { Cookie = '' } = await logIn(first.origin, first.token);
    writeFileSync(`${path}-ended`, 'in the way');
    const second = await serve({ keyFile: path });
    expect(second.errors).toMatchObject([{ code: 'ENOTDIR' }]);
    const moved = Cookie.replace(/^\w+=/, `a2c_console_${new URL(second.origin).port}=`);
    const session = `${second.origin}/operator/session?nonce=${'n'.repeat(20)}`;
    expect(await statusOf(session, { Cookie: moved })).toBe(401);
    const headers = await logIn(second.origin, second.token);
    expect(await statusOf(`${second.origin}/operator/desktop`, headers)).toBe(200);
  },
);

verifies('CON-ACCESS-08', 'a stream ends when the session of a link expires', async () => {
  const { origin, token } = await serve();
  // A clock that does not move: nothing expires too early on a loaded machine.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const headers = await logIn(origin, token);
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
  const { origin, token } = await serve();
  const status = (type: string) =>
    statusOf(`${origin}/operator/restart-server`, { ...token, 'Content-Type': type }, 'POST', '{"server":"s"}');
  for (const type of ['application/json-seq', 'application/json+x', 'application/jsonp', 'text/plain', ' ']) {
    expect(await status(type)).toBe(400);
  }
  for (const type of ['application/json', 'Application/JSON', 'application/json ; charset=utf-8']) {
    expect(await status(type)).toBe(200);
  }
});

verifies('CON-ACCESS-06', 'attempts without credentials do not fill the audit log', async () => {
  const { origin, token, records } = await serve();
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
