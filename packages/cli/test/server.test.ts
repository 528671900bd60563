import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { verifies } from '@a2c/requirements';
import { hashApiKey } from '@a2c/server';
import { io } from 'socket.io-client';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { createView } from '../src/computer/shell/view.js';
import { announceConsole } from '../src/console/host-console.js';
import { sessionsTable } from '../src/server/operate.js';
import { COMMAND, type Reply, Workplace } from './a2c.js';

/** Starts `a2c server …` and waits until it is ready. */
function start(place: Workplace, ...args: string[]) {
  return startWith({ A2C_LOG_LEVEL: 'error' }, place, ...args);
}

async function startWith(more: Readonly<Record<string, string>>, place: Workplace, ...args: string[]) {
  const env = { ...process.env, A2C_HOME: place.home, ...more };
  const child = spawn(process.execPath, [COMMAND, 'server', '--port', '0', ...args], { cwd: place.folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const [line] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })) as [Buffer];
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, stderr };
  };
  const url = String(line).slice('ready '.length).trim();
  /** The log lines so far. */
  const logs = () =>
    stderr
      .split('\n')
      .slice(0, -1)
      .map((text) => JSON.parse(text) as Reply);
  return { line: String(line), url, logs, stop };
}

async function join(url: string, auth: Record<string, string> = {}, member: object = {}): Promise<unknown> {
  const socket = io(`${url}/smcp`, { auth, reconnection: false, forceNew: true });
  onTestFinished(() => void socket.disconnect());
  return new Promise((resolve) => {
    socket.on('connect_error', (error) => resolve((error as Error & { data?: { code: number } }).data?.code));
    socket.emit('server:join_office', { role: 'agent', name: 'a', office_id: 'o', ...member }, resolve);
  });
}

describe('a2c server', () => {
  verifies('CLI-SERVER-01', 'prints when it is ready, serves, and exits cleanly on SIGINT and SIGTERM', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { line, stop } = await start(new Workplace());
      const url = /^ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1] as string;
      expect(await join(url)).toBe(true);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await stop(signal)).toEqual({ code: 0, stderr: '' });
    }
  });

  verifies('CLI-SERVER-01', 'exits after a signal also when something keeps the process alive', async () => {
    const place = new Workplace({ 'keep-alive.mjs': 'setInterval(() => {}, 1_000);' });
    const options = { A2C_LOG_LEVEL: 'error', NODE_OPTIONS: `--import=${place.path('keep-alive.mjs')}` };
    const { stop } = await startWith(options, place);
    expect(await stop('SIGTERM')).toEqual({ code: 0, stderr: '' });
  });

  verifies('CLI-SERVER-02', 'lets several Agents, or one Computer only, into the offices of its options', async () => {
    const { url, stop } = await start(new Workplace(), '--many-agents', 'team', '--one-computer', 'kiosk');
    const joined = async (role: string, office_id: string) => {
      const first = await join(url, {}, { role, office_id, name: `${role} 1` });
      return [first, await join(url, {}, { role, office_id, name: `${role} 2` })];
    };
    expect(await joined('agent', 'team')).toEqual([true, true]);
    expect(await joined('agent', 'kiosk')).toEqual([true, false]);
    expect(await joined('computer', 'team')).toEqual([true, true]);
    expect(await joined('computer', 'kiosk')).toEqual([true, false]);
    await stop('SIGINT');
  });

  verifies('GEN-INTEROP-02', 'with the policy strict, refuses versions of other generations over HTTP', async () => {
    const { url, stop } = await start(new Workplace(), '--version-policy', 'strict');
    const handshake = async (query: string) => {
      const response = await fetch(`${url}/socket.io/?EIO=4&transport=polling${query}`);
      const body = response.ok ? undefined : ((await response.json()) as object);
      return { status: response.status, code: response.headers.get('x-a2c-error-code'), body };
    };
    expect(await handshake('&a2c_version=0.4.9')).toMatchObject({ status: 200 });
    expect(await handshake('')).toEqual({
      ...{ status: 400, code: null },
      body: { code: 400, message: 'Missing a2c_version query parameter' },
    });
    const versions = {
      server_version: '0.4.0',
      client_version: '0.3.1',
      min_supported: '0.4.0',
      max_supported: '0.4.999',
    };
    expect(await handshake('&a2c_version=0.3.1')).toEqual({
      ...{ status: 400, code: '4008' },
      body: { code: 4008, message: 'Protocol version mismatch', ...versions },
    });
    await stop('SIGINT');
  });

  verifies('GEN-ROOM-03', 'with the policy preview, the first member decides how many Computers join', async () => {
    const { url, stop } = await start(new Workplace(), '--version-policy', 'preview', '--many-computers', 'team');
    const announced = { protocol: 'a2c-smcp', version: '0.5.0' };
    const second = async (office_id: string) => {
      const computer = (name: string) => join(url, announced, { role: 'computer', office_id, name });
      expect(await computer('C1')).toBeUndefined();
      return computer('C2');
    };
    expect(await second('o')).toMatchObject({ code: 4101 });
    expect(await second('team')).toBeUndefined();
    await stop('SIGINT');
  });

  verifies('CLI-SERVER-01', 'with --json prints the ready event as JSON', async () => {
    const { line, stop } = await start(new Workplace(), '--json');
    expect(JSON.parse(line)).toEqual({ event: 'ready', url: expect.stringMatching(/^http:/) });
    await stop('SIGINT');
  });

  verifies('CLI-SERVER-02', 'takes authentication, limits and audit from its options', async () => {
    const place = new Workplace({
      'keys.json': { keys: [{ subject: 'ann', sha256: hashApiKey('k-ann'), roles: ['agent'] }] },
    });
    const { line, stop } = await start(
      place,
      '--auth-file',
      'keys.json',
      '--api-key',
      'k-all',
      '--audit',
      'audit.jsonl',
      '--limit',
      'callsPerSecond=5',
    );
    const url = line.slice('ready '.length).trim();
    expect(await join(url)).toBe(401);
    expect(await join(url, { api_key: 'k-ann' })).toBe(true);
    expect(await join(url, { api_key: 'k-all' })).toBe(false);
    await stop('SIGTERM');
    const verdicts = readFileSync(place.path('audit.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((text) => (JSON.parse(text) as { verdict: string }).verdict);
    expect(verdicts).toEqual(['Unauthorized', 'ok', 'RoomFull']);
  });

  verifies('CLI-SERVER-03', 'rejects wrong options with exit code 2 and a remedy', async () => {
    const place = new Workplace({ 'broken.json': '{ "keys": 7 }' });
    const { line, stop } = await start(place);
    const taken = new URL(line.slice('ready '.length).trim()).port;
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['--port', taken], /port \d+ is in use; choose another \(--port\)/],
      [['--port', 'many'], /expected a number from 0 to 65535/],
      [['--host', '0.0.0.0', '--port', '0'], /refusing to serve without TLS on 0\.0\.0\.0.*--insecure/],
      [['--tls-cert', 'x.pem'], /TLS needs both --tls-cert and --tls-key/],
      [['--auth-file', 'broken.json'], /broken\.json: \/keys: expected an array/],
      [['--auth-file', 'missing.json'], /^--auth-file: cannot read "missing\.json" \(ENOENT\); check the path/],
      [['--limit', 'nonsense=1'], /there is no limit "nonsense"/],
      [['--limit', 'callsPerSecnd=1'], /did you mean "callsPerSecond"\?/],
      [['--no-such-option'], /unknown option/],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await place.a2c('server', ...args);
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    await stop('SIGINT');
    expect((await place.a2c('server', '--help')).stdout).toContain('Example:\n  $ npx a2c server');
  });

  verifies('SRV-OPS-05', 'logs start, join, refusal and stop as JSON lines', async () => {
    const { url, logs, stop } = await startWith({ A2C_LOG_LEVEL: 'info' }, new Workplace(), '--api-key', 'k-all');
    expect(await join(url, { api_key: 'wrong' })).toBe(401);
    expect(await join(url, { api_key: 'k-all' })).toBe(true);
    await stop('SIGTERM');
    expect(logs().map(({ level, name, msg }) => [level, name, msg])).toEqual(
      ['server started', 'connection refused', 'member joined', 'server draining', 'member left', 'server stopped'].map(
        (message) => [30, 'a2c-server', message],
      ),
    );
  });

  verifies('SRV-OPS-08', 'logs a broken key file once, and keeps the old keys', async () => {
    const place = new Workplace({ 'keys.json': { keys: [{ subject: 'ann', sha256: hashApiKey('k-ann') }] } });
    const started = await startWith({ A2C_LOG_LEVEL: 'info' }, place, '--auth-file', 'keys.json');
    const { url, stop } = started;
    const logs = () => started.logs().filter(({ msg }) => String(msg).includes('key file'));
    const keys = readFileSync(place.path('keys.json'), 'utf8');
    place.write('keys.json', '{\n  "keys": [7 8]\n}');
    expect(await join(url, { api_key: 'k-ann' })).toBe(true);
    await vi.waitUntil(() => logs().length > 0, { timeout: 30_000 });
    expect(await join(url, { api_key: 'k-ann' })).toBe(true);
    place.write('keys.json', keys);
    await vi.waitUntil(() => logs().length > 1, { timeout: 30_000 });
    await stop('SIGTERM');
    expect(logs()).toEqual([
      expect.objectContaining({
        level: 50,
        path: 'keys.json',
        msg: 'cannot use the changed key file; the old keys stay in force',
        reason: 'keys.json:2:14: not JSON: unexpected text',
      }),
      expect.objectContaining({ msg: 'the changed key file is in force', keys: 1, certificates: 0 }),
    ]);
  });

  verifies(
    ['SRV-OPS-06', 'SRV-OPS-07'],
    'lists and kicks sessions with a key that has the operator right',
    async () => {
      const place = new Workplace();
      const key = async (...args: string[]) =>
        (await place.a2c('key', 'new', ...args, '--file', 'keys.json')).stdout.trim();
      const ops = await key('ops', '--operator');
      const pc = await key('pc', '--role', 'agent');
      const { url, stop } = await start(place, '--auth-file', 'keys.json');
      expect(await join(url, { api_key: pc })).toBe(true);
      const env = { A2C_URL: url, A2C_API_KEY: ops };
      const listed = await place.a2cWith(env, 'server', 'sessions', '--json');
      const [session] = JSON.parse(listed.stdout) as Reply;
      expect(session).toMatchObject({ subject: 'pc', office: 'o', role: 'agent', name: 'a' });
      const table = await place.a2cWith(env, 'server', 'sessions');
      expect(table.stdout).toMatch(/^session\tsubject\toffice\t.*\n\S+\tpc\to\tagent\ta\t127\.0\.0\.1\t/);
      const refused = await place.a2cWith({ A2C_URL: url, A2C_API_KEY: pc }, 'server', 'kick', session.sid);
      expect(refused).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^403 .*operator right.*A2C_API_KEY/),
      });
      expect(await place.a2cWith(env, 'server', 'kick', session.sid)).toMatchObject({
        code: 0,
        stdout: `kicked ${session.sid}\n`,
      });
      expect((await place.a2cWith(env, 'server', 'kick', session.sid)).stderr).toMatch(/^404 .*no session/);
      expect((await place.a2cWith(env, 'server', 'sessions')).stderr).toBe('no sessions\n');
      expect((await fetch(`${url}/metrics`)).status).toBe(401);
      await stop('SIGTERM');
      expect((await place.a2cWith(env, 'server', 'sessions')).stderr).toMatch(/cannot reach http/);

      const open = await start(place, '--metrics');
      expect((await fetch(`${open.url}/metrics`)).status).toBe(200);
      await open.stop('SIGTERM');
    },
  );

  verifies('SRV-AUTH-08', 'an Agent with an expired key learns that it has expired', async () => {
    const past = { subject: 'past', sha256: hashApiKey('k-past'), expires: '2001-01-01' };
    const place = new Workplace({ 'keys.json': { keys: [past] } });
    const { url, stop } = await start(place, '--auth-file', 'keys.json');
    const { code, stderr } = await place.a2cWith(
      { A2C_API_KEY: 'k-past' },
      'agent',
      'room',
      '--url',
      url,
      '--office',
      'o',
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(/401 .*this key expired at 2001-01-01T00:00:00\.000Z/)]);
    await stop('SIGTERM');
  });
});

verifies('LOG-LINE-02', 'serves and ends normally while the disk of its log is full', async () => {
  const stderr = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [COMMAND, 'server', '--port', '0'], { stdio: ['ignore', 'pipe', stderr] });
  closeSync(stderr);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout as Readable, 'data')) as [Buffer];
  const url = /^ready (\S+)/.exec(String(line))?.[1];
  for (let i = 0; i < 3; i++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

verifies('NEW-OUTPUT-04', 'sessions are a table that fits the terminal', () => {
  const since = '2026-11-16T09:30:00.000Z';
  const view = createView({ language: 'en', colour: false, width: () => 80 });
  const listed = ['pc', 'a-long-subject'].map((subject) => ({
    ...{ sid: '9vWm2XqT0aBcAAAB0001', subject, address: '10.0.0.7', since, calls: 0 },
    ...{ office: 'demo', role: 'computer' as const, name: subject },
  }));
  const lines = sessionsTable(listed, view).split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(new Set(lines.map((line) => line.search(/office|demo/))).size).toBe(1);
});

verifies('CON-ACCESS-05', 'the log has the address of the console without its token', () => {
  const logged: unknown[] = [];
  const log = (fields: object, message: string) => void logged.push([fields, message]);
  const logger = { debug: log, info: log, warn: log, error: log };
  announceConsole('http://a2c-1.localhost:7000/console/#token=secret', logger);
  expect(logged).toEqual([[{ url: 'http://a2c-1.localhost:7000/console/' }, 'console started']]);
});
