import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { otherWriter } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { ConfigError, checkPrograms, loadConfig, loadRequiredConfig, MAX_CONFIG_BYTES } from '../src/index.js';
import { temporaryFolder } from './reading.js';

const map = (command: string) => ({ s: { command } });

async function commandOf(root: string, config?: string): Promise<string | undefined> {
  const loaded = await loadConfig({ root, ...(config === undefined ? {} : { config }) });
  const transport = loaded?.servers[0]?.transport;
  return transport?.type === 'stdio' ? transport.argv[0] : undefined;
}

async function refusal(root: string, config?: string): Promise<string> {
  const error = await loadConfig({ root, ...(config === undefined ? {} : { config }) }).catch(
    (caught: unknown) => caught,
  );
  if (!(error instanceof ConfigError)) throw new Error('was accepted', { cause: error });
  return error.problems.map(({ file, message }) => `${file.slice(root.length + 1)}: ${message}`).join('\n');
}

describe('discovery', () => {
  verifies('KIT-FIND-01', '.mcp.json comes before mcp.json', async () => {
    expect(await commandOf(temporaryFolder({ '.mcp.json': map('first'), 'mcp.json': map('second') }))).toBe('first');
    expect(await commandOf(temporaryFolder({ 'mcp.json': map('second') }))).toBe('second');
  });

  verifies('KIT-FIND-01', 'a missing configuration is null, or an error where one is required', async () => {
    const root = temporaryFolder();
    expect(await loadConfig({ root })).toBeNull();
    await expect(loadRequiredConfig({ root })).rejects.toThrow('looked for .mcp.json and mcp.json');
  });

  verifies('KIT-FIND-02', 'a named file, absolute or relative to the root, and a missing one', async () => {
    const root = temporaryFolder({ 'mcp.json': map('found'), 'other.json': map('named') });
    expect(await commandOf(root, 'other.json')).toBe('named');
    expect(await commandOf('/', join(root, 'other.json'))).toBe('named');
    expect(await refusal(root, 'none.json')).toBe('none.json: does not exist');
  });

  verifies('CONF-FILE-02', 'a wrong first candidate does not fall through to the second', async () => {
    const root = temporaryFolder({ 'mcp.json': map('second') });
    mkdirSync(join(root, '.mcp.json'));
    expect(await refusal(root)).toBe('.mcp.json: is a directory, not a regular file');
    const broken = temporaryFolder({ '.mcp.json': '{', 'mcp.json': map('second') });
    expect(await refusal(broken)).toContain('.mcp.json: not JSON');
  });

  verifies('CONF-TRUST-01', 'the source has the digest and whether the file was discovered', async () => {
    const root = temporaryFolder({ 'mcp.json': '{}' });
    const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    const file = join(root, 'mcp.json');
    expect((await loadConfig({ root }))?.source).toEqual({ root, files: [{ file, sha256 }], discovered: true });
    expect((await loadConfig({ root, config: file }))?.source.discovered).toBe(false);
  });
});

describe('only regular files of UTF-8', () => {
  verifies('KIT-FIND-03', '4 MiB is read, one byte more is rejected', async () => {
    const root = temporaryFolder({ 'mcp.json': '{}'.padEnd(MAX_CONFIG_BYTES, ' ') });
    expect(await loadConfig({ root })).not.toBeNull();
    truncateSync(join(root, 'mcp.json'), MAX_CONFIG_BYTES + 1);
    expect(await refusal(root)).toBe('mcp.json: is larger than 4 MiB');
  });

  verifies('CONF-FILE-01', 'a symbolic link', async () => {
    const root = temporaryFolder({ 'real.json': map('x') });
    symlinkSync('real.json', join(root, 'mcp.json'));
    expect(await refusal(root)).toBe('mcp.json: is a symbolic link, not a regular file');
    symlinkSync('nowhere', join(root, '.mcp.json'));
    expect(await refusal(root)).toBe('.mcp.json: is a symbolic link, not a regular file');
  });

  verifies('CONF-FILE-01', 'a symbolic link among the parent folders is allowed', async () => {
    const root = temporaryFolder();
    symlinkSync(temporaryFolder({ 'mcp.json': map('x') }), join(root, 'link'));
    expect(await commandOf(join(root, 'link'))).toBe('x');
  });

  verifies('CONF-FILE-01', 'a fifo does not block', async () => {
    const root = temporaryFolder();
    execFileSync('mkfifo', [join(root, 'mcp.json')]);
    expect(await refusal(root)).toBe('mcp.json: is a fifo, not a regular file');
  });

  verifies('CONF-FILE-07', 'a file that every user may change is loaded with a warning', async () => {
    const root = temporaryFolder({ 'mcp.json': map('x') });
    expect((await loadRequiredConfig({ root })).warnings).toEqual([]);
    chmodSync(join(root, 'mcp.json'), 0o666);
    const [warning] = (await loadRequiredConfig({ root })).warnings;
    expect(warning).toMatchObject({ severity: 'warning', message: expect.stringContaining('chmod o-w') });
  });

  verifies('CONF-FILE-07', 'other users are the owner, a group and every user, but not root and this user', () => {
    const self = { uid: 1_000, gid: 1_000 };
    const writer = (uid: number, gid: number, mode: number) => otherWriter({ uid, gid, mode }, self)?.remedy;
    expect(writer(1_000, 1_000, 0o100664)).toBeUndefined();
    expect(writer(0, 0, 0o100664)).toBeUndefined();
    expect(writer(0, 1_001, 0o100644)).toBeUndefined();
    expect(writer(1_000, 1_000, 0o100646)).toBe('chmod o-w');
    expect(writer(1_001, 1_000, 0o100644)).toBe('chown 1000');
    expect(writer(1_000, 1_001, 0o100664)).toBe('chmod g-w');
    expect(otherWriter({ uid: 0, gid: 0, mode: 0o100666 }, { uid: undefined, gid: undefined })).toBeUndefined();
  });

  verifies('CONF-FILE-01', 'a socket and a device', async () => {
    const root = temporaryFolder();
    const server = createServer().listen(join(root, 'mcp.json'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await refusal(root)).toBe('mcp.json: is a socket, not a regular file');
    expect(await refusal(root, '/dev/null')).toContain('is a character device, not a regular file');
  });

  verifies('CONF-FILE-01', 'bytes that are not UTF-8, and a byte order mark', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'mcp.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await refusal(root)).toBe('mcp.json: is not UTF-8 text');
    writeFileSync(join(root, 'mcp.json'), `\ufeff${JSON.stringify(map('x'))}`, 'utf16le');
    expect(await refusal(root)).toBe('mcp.json: is not UTF-8 text');
    writeFileSync(join(root, 'mcp.json'), `\ufeff${JSON.stringify(map('x'))}`);
    expect(await commandOf(root)).toBe('x');
  });
});

describe('mcpServers: "<path>"', () => {
  verifies('CONF-PATH-01', 'refers to a file of any format, relative to the file that contains it', async () => {
    const root = temporaryFolder({ 'plugin.json': { name: 'p', mcpServers: './sub/servers.json' } });
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub', 'servers.json'), JSON.stringify({ mcpServers: 'deeper.json' }));
    writeFileSync(join(root, 'sub', 'deeper.json'), '{"version":1,"servers":{"s":{"transport":"stdio","argv":["x"]}}}');
    const loaded = await loadConfig({ root, config: 'plugin.json' });
    expect(loaded?.servers[0]?.origin.format).toBe('v1');
    expect(loaded?.servers[0]?.origin.file).toContain(join('sub', 'deeper.json'));
    expect(loaded?.source.files).toHaveLength(3);
  });

  const refusals: [string, string][] = [
    ['', 'the path is empty'],
    [' ', 'the path is empty'],
    ['/etc/hosts', 'the path must be relative to this file'],
    ['a/../../b.json', 'the path must not contain ".."'],
    ['none.json', 'the file at this path does not exist'],
    ['mcp.json', 'this path leads back to a file already read'],
    ['outside/x.json', 'the path leads out of the root'],
  ];
  for (const [path, message] of refusals) {
    verifies('CONF-PATH-01', `${JSON.stringify(path)} is rejected`, async () => {
      const root = temporaryFolder({ 'mcp.json': { mcpServers: path } });
      symlinkSync(temporaryFolder({ 'x.json': map('x') }), join(root, 'outside'));
      expect(await refusal(root)).toBe(`mcp.json: ${message}`);
    });
  }

  verifies('CONF-PATH-01', 'a link that stays inside the root is followed', async () => {
    const root = temporaryFolder({ 'mcp.json': { mcpServers: 'link.json' }, 'real.json': map('x') });
    symlinkSync('real.json', join(root, 'link.json'));
    expect(await commandOf(root)).toBe('x');
  });

  verifies('CONF-PATH-01', 'at most sixteen references are followed', async () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length: length + 1 }, (_, index): [string, object] => [
          index === 0 ? 'mcp.json' : `${index}.json`,
          index === length ? map('x') : { mcpServers: `${index + 1}.json` },
        ]),
      );
    expect(await commandOf(temporaryFolder(chain(16)))).toBe('x');
    expect(await refusal(temporaryFolder(chain(17)))).toBe('16.json: more than 16 references in a row');
  });
});

describe('programs', () => {
  verifies('SMCP-CONF-03', 'a command that cannot be executed is reported', async () => {
    const root = temporaryFolder({ 'plain.txt': 'no program' });
    const warningsFor = async (entry: object) => {
      writeFileSync(join(root, 'mcp.json'), JSON.stringify({ s: entry }));
      return checkPrograms(await loadRequiredConfig({ root })).map(({ message }) => message);
    };
    const missing = (name: string, remedy = 'install it, give its full path, or make it executable') => [
      `server "s": the program "${name}" was not found or cannot be executed: ${remedy}`,
    ];
    expect(await warningsFor({ command: 'node' })).toEqual([]);
    expect(await warningsFor({ command: process.execPath })).toEqual([]);
    expect(await warningsFor({ command: 'no-such-program-of-a2c' })).toEqual(missing('no-such-program-of-a2c'));
    expect(await warningsFor({ command: 'npx -y x' })).toEqual([expect.stringContaining('its arguments into "args"')]);
    expect(await warningsFor({ command: '~/bin/x' })).toEqual([expect.stringContaining('"~" is not replaced')]);
    expect(await warningsFor({ command: './plain.txt' })).toEqual(missing('./plain.txt'));
    expect(await warningsFor({ command: 'node', env: { PATH: root } })).toEqual(missing('node'));
    expect(await warningsFor({ command: '${HOME}/x' })).toEqual([]);
    expect(await warningsFor({ command: 'no-such-program-of-a2c', disabled: true })).toEqual([]);
  });
});
