import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Logs in a process of its own, because pino writes to the file descriptor of stderr. */
async function logged(level?: string): Promise<{ stdout: string; lines: Record<string, unknown>[] }> {
  const code = `
    import { createLogger } from '@a2c/log';
    const logger = createLogger('test');
    logger.debug({}, 'one');
    logger.info({ port: 7000 }, 'two');
    logger.warn({}, 'three');
    logger.error({ err: new Error('broken') }, 'four');`;
  const { A2C_LOG_LEVEL: _, ...env } = process.env;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: import.meta.dirname,
    env: { ...env, ...(level !== undefined && { A2C_LOG_LEVEL: level }) },
  });
  const lines = stderr.split('\n').filter((line) => line !== '');
  return { stdout, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

verifies('LOG-LINE-01', 'lines are JSON documents on stderr with name, fields and message', async () => {
  const { stdout, lines } = await logged();
  expect(stdout).toBe('');
  expect(lines).toMatchObject([
    { name: 'test', level: 30, port: 7000, msg: 'two' },
    { level: 40, msg: 'three' },
    { level: 50, msg: 'four', err: { message: 'broken' } },
  ]);
});

verifies('LOG-LINE-01', 'A2C_LOG_LEVEL sets the level', async () => {
  const messages = async (level: string) => (await logged(level)).lines.map(({ msg }) => msg);
  expect(await messages('debug')).toEqual(['one', 'two', 'three', 'four']);
  expect(await messages('error')).toEqual(['four']);
  expect(await messages('silent')).toEqual([]);
});

const LOG_EVERY_MS = `
  import { createLogger } from '@a2c/log';
  const logger = createLogger('test');
  let count = 0;
  setInterval(() => logger.info({ count: ++count }, 'tick'), 5);
  console.log('ready');`;

verifies('LOG-LINE-02', 'a process survives a full disk, reports what was lost, and ends normally', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'stderr');
  const stderr = openSync(path, 'a');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', LOG_EVERY_MS], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', stderr],
  });
  closeSync(stderr);
  onTestFinished(() => void child.kill('SIGKILL'));
  const size = () => readFileSync(path, 'utf8').length;
  await expect.poll(size).toBeGreaterThan(0);
  const limit = (bytes: string) => spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`]).status;
  expect(limit('0')).toBe(0);
  const full = size();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([child.exitCode, size()]).toEqual([null, full]);
  limit('unlimited');
  await expect.poll(() => readFileSync(path, 'utf8')).toMatch(/"lost":\d+,"msg":"log lines were lost"}\n.*"tick"/);
});

verifies('LOG-LINE-02', 'a full stderr does not keep a process from ending', async () => {
  const stderr = openSync('/dev/full', 'w');
  const code = `import { createLogger } from '@a2c/log'; createLogger('test').info({}, 'one');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', stderr],
  });
  closeSync(stderr);
  expect(await once(child, 'exit')).toEqual([0, null]);
});
