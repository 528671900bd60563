import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StdoutLog as LogConfig } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { StdoutLog } from '../../src/transports/log/stdout-log.js';
import { call, connect, odd, open, temporaryFolder, until } from './harness.js';

const LINE_FEED = Buffer.from('\n');
const LEGACY = { versionNegotiation: { mode: 'legacy' } } as const;

/** Writes lines to a log and closes it. */
async function logged(config: LogConfig, root: string, lines: readonly string[]): Promise<StdoutLog> {
  const log = await StdoutLog.open(config, root);
  for (const line of lines) log.write(Buffer.from(line), LINE_FEED);
  await log.close();
  return log;
}

async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  );
}

describe('the parts of a log', () => {
  verifies(['KIT-STDIO-08', 'HUB-LOG-01'], 'are cut to the byte and give the stream back', async () => {
    const root = await temporaryFolder();
    const config = { path: join(root, 'server.out.txt'), max_bytes_per_part: 8, max_parts: null };
    await logged(config, root, ['0123456', 'abcdefghij', 'z']);
    expect(await contents(root)).toEqual({
      'server.out.segment-0001.log': '0123456\n',
      'server.out.segment-0002.log': 'abcdefgh',
      'server.out.txt': 'ij\nz\n',
    });
  });

  verifies(['KIT-STDIO-08', 'HUB-LOG-01'], 'are numbered on from earlier runs, and the oldest go', async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, 's.segment-0041.log'), 'old');
    await writeFile(join(root, 's.segment-abc.log'), 'not ours');
    await writeFile(join(root, 's.log'), '12345');
    const config = { path: join(root, 's.log'), max_bytes_per_part: 6, max_parts: 2 };
    await logged(config, root, ['aaaaa', 'bbbbb', 'c']);
    expect(await contents(root)).toEqual({
      's.log': '\n',
      's.segment-0043.log': 'aaaa\nb',
      's.segment-0044.log': 'bbbb\nc',
      's.segment-abc.log': 'not ours',
    });
  });
});

describe('the file of a log', () => {
  const logAt = (path: string): LogConfig => ({ path, max_bytes_per_part: 100, max_parts: 3 });

  verifies('HUB-LOG-02', 'is readable by its owner only, and its folders are created', async () => {
    const root = await temporaryFolder();
    const path = join(root, 'a/b/server.log');
    await logged(logAt(path), root, ['x'.repeat(150)]);
    for (const file of [path, join(root, 'a/b/server.segment-0001.log')]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
  });

  verifies('HUB-LOG-02', 'is not outside of the root', async () => {
    const root = await temporaryFolder();
    for (const path of [join(root, '../x.log'), '/tmp/x.log', root, `${root}-beside/x.log`]) {
      await expect(StdoutLog.open(logAt(path), root)).rejects.toThrow('choose a path below it');
    }
  });

  verifies('HUB-LOG-02', 'is not reached through a symbolic link', async () => {
    const root = await temporaryFolder();
    await mkdir(join(root, 'real'));
    await symlink(join(root, 'real'), join(root, 'link'));
    await symlink(join(root, 'real/target'), join(root, 'file.log'));
    await expect(StdoutLog.open(logAt(join(root, 'link/x.log')), root)).rejects.toThrow('choose a path without links');
    await expect(StdoutLog.open(logAt(join(root, 'link/deep/x.log')), root)).rejects.toThrow('without links');
    await expect(StdoutLog.open(logAt(join(root, 'file.log')), root)).rejects.toThrow('is a symbolic link');
    expect(await readdir(join(root, 'real'))).toEqual([]);
  });

  verifies('HUB-LOG-02', 'is a regular file', async () => {
    const root = await temporaryFolder();
    await mkdir(join(root, 'folder'));
    await expect(StdoutLog.open(logAt(join(root, 'folder')), root)).rejects.toThrow();
  });
});

describe('the log of a server', () => {
  verifies(['KIT-STDIO-08', 'HUB-LOG-01'], 'holds every line but the blank ones', async () => {
    const root = await temporaryFolder();
    const path = join(root, 'server.log');
    const stdout_log = { path, max_bytes_per_part: 1_000_000, max_parts: 1 };
    const { client } = await connect({ ...odd('junk'), stdout_log }, { root }, LEGACY);
    await call(client, 'echo', { text: 'hello' });
    await client.close();
    const lines = (await readFile(path, 'utf8')).split('\n');
    expect(lines.slice(0, 3)).toEqual(['Starting…', '[1, "x"]', '{"jsonrpc": "2.0"}']);
    expect(lines.slice(3).filter((line) => line.includes('hello'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('');
    expect(lines.join('')).not.toContain('\r');
  });

  verifies('HUB-LOG-03', 'is closed when it cannot be written, and the connection goes on', async () => {
    const root = await temporaryFolder();
    const path = join(root, 'logs/server.log');
    const stdout_log = { path, max_bytes_per_part: 100_000, max_parts: 1 };
    const { client, transport } = await connect({ ...odd(), stdout_log }, { root }, LEGACY);
    // The next rotation cannot rename the file.
    await rm(join(root, 'logs'), { recursive: true });
    await call(client, 'echo', { text: 'x'.repeat(200_000) });
    await until(() => transport.diagnostics().stdoutLogError !== null, 'the report');
    expect(transport.diagnostics().stdoutLogError).toContain(`the log ${path} was closed`);
    expect(await call(client, 'echo', { text: 'still here' })).toBe('still here');
  });

  verifies('HUB-LOG-03', 'that cannot be opened fails the start', async () => {
    const root = await temporaryFolder();
    const stdout_log = { path: join(root, '../elsewhere.log'), max_bytes_per_part: 100, max_parts: 1 };
    await expect(open({ ...odd(), stdout_log }, { root })).rejects.toThrow('choose a path below it');
  });
});
