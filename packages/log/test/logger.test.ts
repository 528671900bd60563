import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

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
