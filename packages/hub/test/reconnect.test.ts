import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolveServer, type ServerConfig } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { hub, run, server, textOf, until } from './hub.js';

verifies(['HUB-BACK-01'], 'a lost server comes back by itself', async () => {
  const manager = await hub([server('w')], { limits: { reconnectMinMs: 20 } });
  const before = manager.status()[0]?.diagnostics?.pid as number;
  process.kill(before, 'SIGKILL');
  await until(() => manager.status()[0]?.state === 'error');
  expect(manager.status()[0]).toMatchObject({ active: true, cause: expect.stringContaining('SIGKILL') });
  // A reconnect is scheduled, so its tools are still listed.
  expect(manager.availableTools().length).toBeGreaterThan(0);
  await until(() => manager.status()[0]?.state === 'connected');
  expect(manager.status()[0]).toMatchObject({ restarts: 1, cause: null });
  expect(manager.status()[0]?.diagnostics?.pid).not.toBe(before);
});

verifies(
  ['HUB-BACK-02', 'HUB-CALL-09'],
  'a call fails at once with the cause, and the next call reconnects',
  async () => {
    const manager = await hub([server('w')], { limits: { reconnectMinMs: 3_600_000, reconnectMaxMs: 3_600_000 } });
    const others = manager.executeTool('sleep', { ms: 3_600_000 });
    const lost = { kind: 'connection-lost', message: expect.stringMatching(/exited with code 3.*the roof came down/) };
    await Promise.all([
      expect(others).rejects.toMatchObject(lost),
      expect(manager.executeTool('crash', {})).rejects.toMatchObject(lost),
    ]);
    expect(manager.status()[0]).toMatchObject({ state: 'error', retryAt: expect.any(String) });
    expect(textOf(await manager.executeTool('echo', { message: 'again' }))).toBe('again');
    const earlierRun = { ended: 'exited with code 3', stderr: expect.stringContaining('the roof came down') };
    expect(manager.status()[0]).toMatchObject({ state: 'connected', restarts: 1, earlierRun });
    await manager.stopClient('w');
    await manager.startClient('w');
    expect(manager.status()[0]).toMatchObject({ state: 'connected', earlierRun: null });
  },
);

verifies(
  'HUB-BACK-03',
  'without autoReconnect it stays disconnected, and the error of a call has the cause',
  async () => {
    const manager = await hub([server('w')], { autoReconnect: false });
    await expect(manager.executeTool('crash', {})).rejects.toMatchObject({ kind: 'connection-lost' });
    expect(manager.status()[0]).toMatchObject({ state: 'error', active: false, retryAt: null });
    expect(manager.availableTools()).toEqual([]);
    await expect(manager.callTool('w', 'echo', { message: '' })).rejects.toMatchObject({
      kind: 'not-connected',
      message: expect.stringContaining('the roof came down'),
    });
    await manager.startClient('w');
    expect(textOf(await manager.executeTool('echo', { message: 'back' }))).toBe('back');
  },
);

verifies(['HUB-BACK-04', 'SMCP-CONF-03'], 'a missing program is not tried again; one that exits is', async () => {
  const manager = await hub([
    server('absent', { server_parameters: { command: 'no-such-program-anywhere' } }),
    server('ends', { server_parameters: run('workshop.mjs', { WORKSHOP_EXIT: '1' }) }),
  ]);
  expect(manager.status()).toMatchObject([
    { state: 'error', retryAt: null, cause: expect.stringContaining('no-such-program-anywhere') },
    { state: 'error', retryAt: expect.any(String) },
  ]);
});

verifies('HUB-BACK-01', 'the delay grows for a server that exits again and again', async () => {
  const manager = await hub([server('w')], { limits: { reconnectMinMs: 40 } });
  const waits: number[] = [];
  for (let round = 0; round < 4; round++) {
    process.kill(manager.status()[0]?.diagnostics?.pid as number, 'SIGKILL');
    await until(() => manager.status()[0]?.state === 'error');
    const { retryAt, failedAt } = manager.status()[0] as { retryAt: string; failedAt: string };
    waits.push(Date.parse(retryAt) - Date.parse(failedAt));
    await until(() => manager.status()[0]?.state === 'connected');
  }
  expect(waits[3]).toBeGreaterThanOrEqual(160 - 5); // At least half of 40 × 2³, minus the precision of the clock.
});

verifies(['HUB-STATE-04', 'HUB-BACK-04'], 'the HTTP status of a refusing server is reported', async () => {
  const listener = createServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end('no'));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  const at = (name: string, url: string) => server(name, { type: 'streamable', server_parameters: { url } });
  const base = `http://127.0.0.1:${port}`;
  const manager = await hub([
    server('a401', {
      type: 'streamable',
      server_parameters: { url: `${base}/401`, headers: { Authorization: 'Bearer wrong' } },
    }),
    at('a404', `${base}/404`),
    at('a500', `${base}/500`),
    at('gone', 'http://127.0.0.1:1/x'),
  ]);
  const [a401, a404, a500, gone] = manager.status();
  expect(a401).toMatchObject({ cause: expect.stringContaining('rejected the credentials (HTTP 401)'), retryAt: null });
  expect(a404?.cause).toContain('404');
  expect(a500).toMatchObject({ cause: expect.stringContaining('500'), retryAt: expect.any(String) });
  expect(gone?.cause).toContain('could not be started: cannot reach http://127.0.0.1:1: the connection is refused');
  await expect(manager.startClient('a401')).rejects.toMatchObject({ kind: 'unauthorized' });
});

verifies('HUB-STATE-04', 'the quoted line of stderr has words and no secrets', async () => {
  const parameters = (code: string, env = {}) => ({
    server_parameters: { command: process.execPath, args: ['-e', code], env },
  });
  const manager = await hub([
    server('throws', parameters('throw new Error("boom")')),
    server(
      'leaks',
      parameters('console.error("bad key", process.env.API_KEY); process.exit(1)', { API_KEY: 'hunter22' }),
    ),
  ]);
  const [throws, leaks] = manager.status();
  expect(throws?.cause).toMatch(/last line of stderr: Error: boom$/);
  expect(leaks?.cause).toMatch(/last line of stderr: bad key /);
  expect(JSON.stringify(manager.status())).not.toContain('hunter22');

  const running = await hub([server('w', { server_parameters: run('workshop.mjs', { API_KEY: 'hunter22' }) })], {
    autoReconnect: false,
  });
  const leaking = { words: 'no such key: hunter22' };
  const refused = await running.executeTool('refuse', leaking).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: 'no such key: [redacted]', data: { words: 'no such key: [redacted]' } });
  await expect(running.executeTool('crash', leaking)).rejects.toThrow(
    /last line of stderr: no such key: \[redacted\]$/,
  );
  expect(running.status()[0]?.diagnostics).toMatchObject({
    stderr: 'no such key: [redacted]\n',
    ended: 'exited with code 3',
  });
});

verifies('SEC-MASK-02', 'a value inside a longer text is removed where a program prints it alone', async () => {
  const code = 'console.error("bad key", process.argv[1].split(":")[1]); process.exit(1)';
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder
  const args = ['-e', code, 'key:${KEY}'];
  const config = server('w', { server_parameters: { command: process.execPath, args } });
  const prepare = (raw: ServerConfig) =>
    resolveServer(raw, { env: { KEY: 'orange-hunter-violet' }, root: '.', trusted: true, warn: () => {} });
  const manager = await hub([config], { prepare, autoReconnect: false });
  expect(manager.status()[0]?.cause).toContain('last line of stderr: bad key [redacted]');
});

verifies('SEC-LINES-01', 'no line of a secret with several lines is quoted, however it is printed', async () => {
  const key = 'KEY-aaaa1111 bbbb2222\nKEY-cccc3333 dddd4444\nKEY-eeee5555 ffff6666';
  const words = Array.from({ length: 40 }, (_, at) => `KEY-word${at}`).join(' ');
  const failing = (name: string, code: string) =>
    server(name, {
      server_parameters: {
        command: process.execPath,
        args: ['-e', `const { KEY, WORDS } = process.env; ${code}; process.exit(1)`],
        env: { KEY: key, WORDS: words },
      },
    });
  const manager = await hub([
    failing('whole', 'console.error("cannot sign in with " + KEY)'),
    failing('ending', 'console.error("Error: cannot sign in with " + KEY + " as user")'),
    failing('lines', 'for (const line of KEY.split("\\n")) console.error("[auth] " + line)'),
    failing('cut', 'console.error("Error: " + "a/".repeat(115) + " cannot sign in with " + WORDS)'),
  ]);
  const status = JSON.stringify(manager.status());
  expect(status).toContain('last line of stderr: cannot sign in with [redacted]');
  expect(status).not.toContain('KEY-');
});
