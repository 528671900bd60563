import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { verifies } from '@a2c/requirements';
import { issue } from '@a2c/test-certificates';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { unpackArchive } from '../src/skills/archive.js';
import { STAGING_LIMITS, StagedFolder } from '../src/skills/staging.js';
import { boot, folder, server, until } from './harness.js';

const SHELF = fileURLToPath(new URL('servers/shelf.mjs', import.meta.url));
const entry = (name: string, description = 'Does it') => `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`;

function shelf(resources: readonly object[], env: Readonly<Record<string, string>> = {}) {
  const parameters = { command: process.execPath, args: [SHELF], env: { SHELF: JSON.stringify(resources), ...env } };
  return server('my shelf', { server_parameters: parameters });
}

async function bootWith(resources: readonly object[], skills: object = {}) {
  const home = folder();
  const computer = await boot({
    mcpServers: [shelf(resources)],
    skills: { home, ...skills },
    limits: { skillDebounceMs: 10, skillStartMs: 100_000 },
  });
  const names = () => computer.skills().map(({ name }) => name);
  const warnings = () => computer.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  return { home, computer, names, warnings };
}

describe('skills of MCP servers', () => {
  const root = (name: string, meta: object) => ({ uri: `skill://h/${name}`, _meta: meta });
  const child = (path: string, text: string) => ({ uri: `skill://h/${path}`, text });

  verifies('MEM-SKILL-06', 'as resources: each child is a file; a child outside the skill refuses it', async () => {
    const { computer, names, warnings, home } = await bootWith([
      root('good', { source: 'resources', version: '2.0' }),
      child('good/SKILL.md', entry('reader')),
      { uri: 'skill://h/good/data/x.bin', blob: 'AAEC', _meta: { source: 'resources' } },
      root('evil', { source: 'resources' }),
      child('evil/SKILL.md', entry('evil')),
      child('evil/..%2F..%2F..%2Fescaped.txt', 'escaped'),
      root('nameless', { source: 'resources' }),
      child('nameless/SKILL.md', '---\ndescription: x\n---\n'),
    ]);
    expect(computer.skills()).toEqual([
      {
        ...{ name: 'mcp:my_shelf:reader', source: 'mcp:my_shelf', uri: 'skill://h/good', version: '2.0' },
        ...{ path: join(home, 'mcp', 'my_shelf', 'reader'), description: 'Does it' },
      },
    ]);
    expect((await computer.readSkill('mcp:my_shelf:reader')).bytes.toString()).toBe('Body\n');
    expect([...(await computer.readSkill('mcp:my_shelf:reader', 'data/x.bin')).bytes]).toEqual([0, 1, 2]);
    expect(warnings().join('\n')).toMatch(
      /part of the skill skill:\/\/h\/good[\s\S]*not a path inside the skill[\s\S]*needs a "name"/,
    );
    expect(existsSync(join(home, 'escaped.txt'))).toBe(false);
    expect(readdirSync(join(home, 'mcp', 'my_shelf'))).toEqual(['reader']);

    let changes = 0;
    computer.on('skills', () => changes++);
    const renamed = [root('good', { source: 'resources' }), child('good/SKILL.md', entry('writer'))];
    await computer.executeTool('1', 'put', { resources: renamed });
    await until(() => changes > 0);
    expect(names()).toEqual(['mcp:my_shelf:writer']);
    await computer.stopServer('my shelf');
    await until(() => names().length === 0);
    await computer.startServer('my shelf');
    await until(() => names().length === 1);
  });

  verifies('MEM-SKILL-06', 'in a folder: only inside what the owner allowed, and without its links', async () => {
    const outside = folder();
    const allowed = join(outside, 'allowed');
    const write = (path: string, text: string) => {
      mkdirSync(join(outside, path, '..'), { recursive: true });
      writeFileSync(join(outside, path), text);
    };
    write('secret/SKILL.md', entry('secret'));
    write('allowed/one/SKILL.md', entry('one'));
    write('allowed/one/.skillenv', 'KEY=1');
    symlinkSync(join(outside, 'secret'), join(allowed, 'one', 'link'));
    symlinkSync(join(outside, 'secret'), join(allowed, 'two'));
    const mounted = (name: string, mount_dir: string) => root(name, { source: 'mounted', mount_dir });
    const { computer, names, warnings, home } = await bootWith(
      [
        mounted('a', join(allowed, 'one')),
        mounted('b', join(outside, 'secret')),
        mounted('c', join(allowed, 'two')),
        mounted('d', join(allowed, '..', 'secret')),
        mounted('e', 'relative'),
      ],
      { mountFolders: [allowed] },
    );
    expect(names()).toEqual(['mcp:my_shelf:one']);
    expect(readdirSync(join(home, 'mcp', 'my_shelf', 'one'))).toEqual(['SKILL.md']);
    expect(warnings().filter((text) => text.includes('has not allowed the folder'))).toHaveLength(3);
    await expect(computer.readSkill('mcp:my_shelf:one', 'link/SKILL.md')).rejects.toMatchObject({ a2cCode: 4017 });
  });

  verifies('MEM-SKILL-06', 'as an archive: never from an address that the trust policy refuses', async () => {
    let requests = 0;
    const http = createServer((_request, response) => {
      requests++;
      response.end(gzipSync(tar({ 'SKILL.md': entry('packed') })));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const { port } = http.address() as AddressInfo;
    const archive = (name: string, archive_uri: string) =>
      root(name, { source: 'archive', archive_format: 'tar.gz', archive_uri });
    const { names, warnings } = await bootWith([
      archive('a', `http://127.0.0.1:${port}/x.tgz`),
      archive('b', `https://127.0.0.1:${port}/x.tgz`),
      archive('c', `https://localhost:${port}/x.tgz`),
      archive('d', 'file:///etc/passwd'),
      archive('e', 'http+unix://%2Ftmp%2Fsocket/x'),
    ]);
    expect([names(), requests]).toEqual([[], 0]);
    expect(warnings().filter((text) => text.includes('is left out'))).toHaveLength(5);
  });

  verifies('COST-HOST-01', 'as an archive: a very long address is refused in a short warning', async () => {
    const archive = (name: string, archive_uri: string) =>
      root(name, { source: 'archive', archive_format: 'zip', archive_uri });
    const { names, warnings } = await bootWith([
      archive('a', `https://a${'.'.repeat(50_000)}b/x.zip`),
      archive('b', `https://a${'.'.repeat(1_000)}b/x.zip`),
    ]);
    expect(names()).toEqual([]);
    const [long, host] = warnings().filter((warning) => warning.includes('is left out'));
    expect(long).toContain('its "archive_uri" has more than 2048 characters');
    expect(host).toContain('the host name has more than 253 characters');
    expect(Math.max(...warnings().map(({ length }) => length))).toBeLessThan(1_000);
  });

  verifies('MEM-SKILL-06', 'as an archive at the own https address of the server', async () => {
    const packed = gzipSync(tar({ 'SKILL.md': entry('packed'), 'a.txt': 'A' }));
    const right = createHash('sha256').update(packed).digest('hex');
    const authority = issue('authority');
    const { cert, key } = issue('127.0.0.1', authority);
    const downloads: string[] = [];
    const https = createTlsServer({ cert, key }, async (request, response) => {
      if (request.method === 'GET' && request.url?.endsWith('.tgz')) {
        downloads.push(request.url);
        response.end(packed);
        return;
      }
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method, params } = JSON.parse(await text(request));
      const archive = (name: string, archive_sha256: string) =>
        root(name, { source: 'archive', archive_format: 'tar.gz', archive_sha256, archive_uri: `${at}/${name}.tgz` });
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { resources: {} },
          serverInfo: { name: 'far', version: '1' },
        },
        'resources/list': {
          resources: [archive('good', right), archive('bad', '0'.repeat(64))].map((item) => ({
            ...item,
            name: item.uri,
          })),
        },
      };
      if (id === undefined) return void response.writeHead(202).end();
      const error = { code: -32601, message: 'unknown' };
      const answer = results[method] ? { result: results[method] } : { error };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
    await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void https.close());
    const at = `https://127.0.0.1:${(https.address() as AddressInfo).port}`;
    const home = folder();
    writeFileSync(join(home, 'ca.pem'), authority.cert);
    const worker = join(inject('commands'), 'archive-worker.js');
    const { stdout } = await promisify(execFile)(process.execPath, [worker, `${at}/mcp`, home], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(home, 'ca.pem') },
    });
    const { skills, warnings } = JSON.parse(stdout) as { skills: object[]; warnings: string[] };
    expect(skills, warnings.join()).toEqual([{ name: 'mcp:far:packed', text: 'Body\n' }]);
    expect(downloads.toSorted()).toEqual(['/bad.tgz', '/good.tgz']);
    expect(warnings.join()).toMatch(/skill:\/\/h\/bad is left out: the SHA-256/);
  });

  verifies(
    ['MEM-SKILL-06', 'COST-SKILL-04'],
    'an archive is unpacked within its limits, without links and paths that lead out',
    async () => {
      const unpack = async (bytes: Buffer, format: string, sha256?: string, limits = STAGING_LIMITS) => {
        const staged = await StagedFolder.create(folder(), limits);
        await unpackArchive(bytes, { format, sha256 }, staged);
        return readdirSync(staged.path, { recursive: true }).toSorted();
      };
      const files = { './SKILL.md': entry('x'), 'deep/file.txt': 'y' };
      const paths = ['SKILL.md', 'deep', 'deep/file.txt'];
      expect(await unpack(gzipSync(tar(files)), 'tar.gz')).toEqual(paths);
      expect(await unpack(zip(files), 'zip')).toEqual(paths);
      for (const path of ['../x', '/etc/x', 'a/../../x', 'C:\\x']) {
        await expect(unpack(gzipSync(tar({ [path]: 'x' })), 'tar.gz'), path).rejects.toThrow('not a path inside');
        await expect(unpack(zip({ [path]: 'x' }), 'zip'), path).rejects.toThrow('not a path inside');
      }
      await expect(unpack(gzipSync(tar({ link: '' }, '2')), 'tar.gz')).rejects.toThrow('is a link or a device');
      await expect(unpack(zip({ link: 'x' }, 0o120777), 'zip')).rejects.toThrow('is a link or a device');
      await expect(unpack(zip(files), 'zip', '0'.repeat(64))).rejects.toThrow('SHA-256');
      await expect(unpack(zip(files), 'rar')).rejects.toThrow('archive_format');
      expect(STAGING_LIMITS).toEqual({ files: 10_000, bytes: 256 * 2 ** 20 });
      const few = { files: 10, bytes: 2 ** 20 };
      const crowd = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`f${i}`, '']));
      const folders = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`a${i}/b/c`, '']));
      const deep = { [`${'d/'.repeat(33)}f`]: '' };
      const bomb = tar({ 'folder/': Buffer.alloc(few.bytes + 1) }, '5');
      const large = { large: Buffer.alloc(few.bytes + 1) };
      for (const [bytes, format, problem] of [
        [gzipSync(tar(crowd)), 'tar.gz', 'more than 10 files'],
        [zip(crowd), 'zip', 'more than 10 files'],
        [gzipSync(tar(folders)), 'tar.gz', 'more than 10 files'],
        [zip(folders), 'zip', 'more than 10 files'],
        [gzipSync(tar(deep)), 'tar.gz', 'deeper than 32 folders'],
        [zip(deep), 'zip', 'deeper than 32 folders'],
        [gzipSync(bomb), 'tar.gz', 'more than 1048576 bytes'],
        [gzipSync(tar(large)), 'tar.gz', 'more than 1048576 bytes'],
        [zip(large), 'zip', 'more than 1048576 bytes'],
      ] as const) {
        await expect(unpack(bytes, format, undefined, few)).rejects.toThrow(problem);
      }
      for (const damaged of [Buffer.alloc(0), Buffer.from('PK'), zip(files).subarray(0, 60)])
        await expect(unpack(damaged, 'zip')).rejects.toThrow();
    },
  );
});

verifies('COST-SKILL-05', 'a server that does not send its skills delays no others, also at the start', async () => {
  const home = folder();
  const resources = [
    { uri: 'skill://h/x', _meta: { source: 'resources' } },
    { uri: 'skill://h/x/SKILL.md', text: '' },
  ];
  const computer = await boot({
    mcpServers: [shelf(resources, { SHELF_SILENT: '1' })],
    skills: { home },
    limits: { skillDebounceMs: 10, skillStartMs: 10 },
  });
  expect(computer.skills()).toEqual([]);
  const own = join(home, 'user', 'own');
  mkdirSync(own);
  writeFileSync(join(own, 'SKILL.md'), entry('own'));
  await until(() => computer.skills().some(({ name }) => name === 'own'));
});

verifies('COST-SKILL-01', 'twenty thousand skills of one server are listed within a moment', async () => {
  const file = join(folder(), 'shelf.json');
  const roots = Array.from({ length: 20_000 }, (_, i) => ({ uri: `skill://s${i}`, _meta: { source: 'mounted' } }));
  const parts = Array.from({ length: 2_000 }, (_, i) => ({ uri: `skill://s0/${i}`, _meta: { source: 'archive' } }));
  writeFileSync(file, JSON.stringify([...parts, ...roots]));
  const before = process.cpuUsage();
  const computer = await boot({
    mcpServers: [shelf([], { SHELF: `@${file}`, SHELF_PAGE: '22000' })],
    skills: { home: folder() },
    limits: { skillStartMs: 100_000 },
  });
  // Typically 0.5 s; comparing each with each takes about 10 s.
  expect(process.cpuUsage(before).user).toBeLessThan(6_000_000);
  const warnings = computer.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  expect(warnings.filter((text) => text.includes('is a part of the skill skill://s0 ')).length).toBeGreaterThan(0);
  expect(warnings.length).toBeLessThan(1_000);
});

verifies('COST-SKILL-01', 'an archive is unpacked chunk by chunk, and no further than it can be used', async () => {
  for (const [pack, format] of [
    [(bytes: Buffer) => gzipSync(tar({ 'zeros.bin': bytes })), 'tar.gz'],
    [(bytes: Buffer) => zip({ 'zeros.bin': bytes }), 'zip'],
  ] as const) {
    const staged = await StagedFolder.create(folder());
    const archive = pack(Buffer.alloc(16 * 2 ** 20));
    let turns = 0;
    const pulse = setInterval(() => turns++, 0);
    await unpackArchive(archive, { format, sha256: undefined }, staged);
    clearInterval(pulse);
    expect(turns).toBeGreaterThan(5); // Unpacked in one stretch, it has at most a few.
    expect(statSync(join(staged.path, 'zeros.bin')).size).toBe(16 * 2 ** 20);
  }
  for (const [archive, format] of [
    [gzipSync(tar({ './SKILL.md': Buffer.alloc(8 * 2 ** 20) })), 'tar.gz'],
    [zip({ 'SKILL.md': Buffer.alloc(8 * 2 ** 20) }), 'zip'],
  ] as const) {
    const staged = await StagedFolder.create(folder());
    await expect(unpackArchive(archive, { format, sha256: undefined }, staged)).rejects.toThrow(
      'SKILL.md has more than',
    );
    expect(statSync(join(staged.path, 'SKILL.md')).size).toBeLessThanOrEqual(2 ** 20);
  }
});

function tar(files: Readonly<Record<string, string | Buffer>>, type = '0'): Buffer {
  const blocks = Object.entries(files).map(([path, text]) => {
    const header = Buffer.alloc(512);
    header.write(path, 0);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    header.write(type, 156);
    const content = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    Buffer.from(text).copy(content);
    return Buffer.concat([header, content]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

function zip(files: Readonly<Record<string, string | Buffer>>, mode = 0o100644): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(path.length, 26);
    const whole = Buffer.concat([local, Buffer.from(path), packed]);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt16LE(path.length, 28);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    locals.push(whole);
    entries.push(central, Buffer.from(path));
    offset += whole.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
