import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { hashApiKey } from '@a2c/server';
import { io } from 'socket.io-client';
import { describe, expect, onTestFinished } from 'vitest';
import { BINARY, Workplace } from './a2c.js';

/** Starts `a2c server …` and waits until it is ready. */
async function start(place: Workplace, ...args: string[]) {
  const env = { ...process.env, A2C_HOME: place.home, A2C_LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [BINARY, 'server', '--port', '0', ...args], { cwd: place.folder, env });
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
  return { line: String(line), stop };
}

async function join(url: string, auth: Record<string, string> = {}): Promise<unknown> {
  const socket = io(`${url}/smcp`, { auth, reconnection: false, forceNew: true });
  onTestFinished(() => void socket.disconnect());
  return new Promise((resolve) => {
    socket.on('connect_error', (error) => resolve((error as Error & { data?: { code: number } }).data?.code));
    socket.emit('server:join_office', { role: 'agent', name: 'a', office_id: 'o' }, resolve);
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
      [['--port', taken], /port \d+ is taken; choose another \(--port\)/],
      [['--port', 'many'], /expected a number from 0 to 65535/],
      [['--host', '0.0.0.0', '--port', '0'], /refusing to serve without TLS on 0\.0\.0\.0.*--insecure/],
      [['--tls-cert', 'x.pem'], /TLS needs both --tls-cert and --tls-key/],
      [['--auth-file', 'broken.json'], /broken\.json: \/keys: expected an array/],
      [['--auth-file', 'missing.json'], /^--auth-file: cannot read "missing\.json" \(ENOENT\); check the path/],
      [['--limit', 'nonsense=1'], /there is no limit "nonsense"/],
      [['--limit', 'callsPerSecnd=1'], /did you mean "callsPerSecond"\?/],
      [
        ['--redis', 'redis://127.0.0.1:1'],
        /^cannot reach Redis at redis:\/\/127\.0\.0\.1:1: connect ECONNREFUSED.*\n$/,
      ],
      [['--no-such-option'], /unknown option/],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await place.a2c('server', ...args);
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    await stop('SIGINT');
    expect((await place.a2c('server', '--help')).stdout).toContain('Example:\n  $ a2c server');
  });
});
