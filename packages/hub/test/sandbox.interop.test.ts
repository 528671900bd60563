import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { hub, isRunning, run, script, server, temporaryFolder, textOf, until } from './hub.js';
import { descriptorsInSandbox } from './left-open.js';

interface Allowed {
  readonly read?: string[];
  readonly write?: string[];
  readonly network?: boolean;
}

/** A server in a real sandbox of bubblewrap that may read its own program, and what `allowed` has. */
async function prisoner(allowed: Allowed, env: Record<string, string> = {}) {
  const sandbox = { ...allowed, read: [dirname(script('prisoner.mjs')), ...(allowed.read ?? [])] };
  const config = server('prisoner', { server_parameters: { ...run('prisoner.mjs', env), sandbox } });
  const manager = await hub([config]);
  await manager.startClient('prisoner');
  const attempt = async (tool: string, given: Record<string, string | number | string[]>) => {
    const result = await manager.executeTool(tool, given);
    return { isError: result.isError === true, text: textOf(result) };
  };
  return { manager, attempt };
}

const ALLOWED = { isError: false };
const PREVENTED = { isError: true };

verifies('SEC-SANDBOX-01', 'a program reads and writes only the folders that were chosen', async () => {
  const folder = await temporaryFolder();
  for (const name of ['read', 'write', 'other']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file'), name);
  }
  const { attempt } = await prisoner({ read: [join(folder, 'read')], write: [join(folder, 'write')] });
  expect(await attempt('read', { path: join(folder, 'read/file') })).toEqual({ ...ALLOWED, text: 'read' });
  expect(await attempt('write', { path: join(folder, 'read/file') })).toEqual({ ...PREVENTED, text: 'EROFS' });
  expect(await attempt('write', { path: join(folder, 'write/new') })).toEqual({ ...ALLOWED, text: 'written' });
  expect(readFileSync(join(folder, 'write/new'), 'utf8')).toBe('written');
  expect(await attempt('read', { path: join(folder, 'other/file') })).toEqual({ ...PREVENTED, text: 'ENOENT' });
  expect(await attempt('list', { path: homedir() })).toEqual({ ...ALLOWED, text: '' });
  expect(await attempt('write', { path: '/usr/a2c-was-here' })).toEqual({ ...PREVENTED, text: 'EROFS' });
  expect(await attempt('read', { path: '/etc/shadow' })).toEqual({ ...PREVENTED, text: 'ENOENT' });
  // Processes of others, and with them their environments, are not visible.
  expect(await attempt('read', { path: `/proc/${process.pid}/environ` })).toEqual({ ...PREVENTED, text: 'ENOENT' });
});

verifies('SEC-SANDBOX-01', 'a program has no network unless it is allowed', async () => {
  const listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as { port: number };
  const inside = await prisoner({});
  expect(await inside.attempt('connect', { port })).toMatchObject(PREVENTED);
  const connected = await prisoner({ network: true });
  expect(await connected.attempt('connect', { port })).toEqual({ ...ALLOWED, text: 'connected' });
});

verifies('SEC-SANDBOX-01', 'the sandbox is in the status, and nothing of it is left after the stop', async () => {
  const { manager } = await prisoner({});
  const [status] = manager.status();
  expect(status).toMatchObject({ sandboxed: true, state: 'connected' });
  const pid = status?.diagnostics?.pid as number;
  expect(isRunning(pid)).toBe(true);
  await manager.stopClient('prisoner');
  await until(() => !isRunning(pid));
});

verifies(
  'SEC-SANDBOX-03',
  'variables reach the program and not bubblewrap, and no command line shows them',
  async () => {
    const libraries = await temporaryFolder();
    writeFileSync(join(libraries, 'libcap.so.2'), 'not a library'); // bubblewrap would load it and fail
    const env = { LD_LIBRARY_PATH: libraries, KEY: 'canary' };
    const { manager, attempt } = await prisoner({ write: [libraries] }, env);
    const { text } = await attempt('read', { path: '/proc/self/environ' });
    expect(text.split('\0')).toEqual(expect.arrayContaining(['KEY=canary', `LD_LIBRARY_PATH=${libraries}`]));
    const pid = manager.status()[0]?.diagnostics?.pid as number;
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('canary');
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
  },
);

verifies('SEC-SANDBOX-03', 'kernel settings and private keys of the system are out of reach', async () => {
  const { attempt } = await prisoner({});
  const setting = '/proc/sys/kernel/printk_ratelimit_burst';
  const before = readFileSync(setting, 'utf8');
  expect(await attempt('write', { path: setting })).toMatchObject({ text: expect.stringMatching(/EROFS|EACCES/) });
  expect(readFileSync(setting, 'utf8')).toBe(before);
  expect(await attempt('list', { path: '/etc/ssl/private' })).toEqual({ ...PREVENTED, text: 'ENOENT' });
});

verifies('SEC-SANDBOX-03', 'a folder that became a link to another one is refused', async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'w/inner/data'), { recursive: true });
  mkdirSync(join(folder, 'secret'));
  const { manager } = await prisoner({ write: [join(folder, 'w'), join(folder, 'w/inner/data')] });
  await manager.stopClient('prisoner');
  renameSync(join(folder, 'w/inner'), join(folder, 'w/old'));
  mkdirSync(join(folder, 'w/inner'));
  symlinkSync('../../secret', join(folder, 'w/inner/data'));
  await expect(manager.startClient('prisoner')).rejects.toThrow(/leads to .*secret by a symbolic link/);
});

verifies('SEC-SANDBOX-05', 'a folder that becomes a link after the check is bound as it was', async () => {
  const folder = await temporaryFolder();
  for (const name of ['box/lib', 'secret', 'bin']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'box/lib/key'), 'harmless');
  writeFileSync(join(folder, 'secret/key'), 'secret');
  const { PATH = '' } = process.env;
  const swap = `mv ${folder}/box/lib ${folder}/box/old && ln -s ${folder}/secret ${folder}/box/lib`;
  const wrapper = `#!/bin/sh\nPATH=${PATH}\n${swap}\nexec bwrap "$@"\n`;
  writeFileSync(join(folder, 'bin/bwrap'), wrapper, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}/bin:${PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { attempt } = await prisoner({ read: [join(folder, 'box/lib')] });
  expect(await attempt('read', { path: join(folder, 'box/lib/key') })).toEqual({ ...ALLOWED, text: 'harmless' });
  const { text } = await attempt('descriptors', {});
  expect(text).not.toContain(folder);
});

verifies('SEC-SANDBOX-05', 'a missing folder is named', async () => {
  await expect(prisoner({ write: ['/no/such/folder'] })).rejects.toThrow(
    '/no/such/folder of the sandbox cannot be opened',
  );
});

verifies('SEC-SANDBOX-03', 'a variable cannot add options to the sandbox', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, '.env'), `A=x\0--bind\0/\0/host\n`);
  const sandbox = { read: [dirname(script('prisoner.mjs'))], write: [folder] };
  const parameters = { ...run('prisoner.mjs'), envFile: join(folder, '.env'), sandbox };
  const manager = await hub([server('prisoner', { server_parameters: parameters })]);
  await expect(manager.startClient('prisoner')).rejects.toThrow('contains NUL');
});

/** Marks the calls of x32. */
const X32 = 0x40000000;

/** A program for x86_64 that calls the kernel with this number and zeros, and exits with the number of the error. */
function callingProgram(number: number, instruction: 'syscall' | 'int 0x80'): Buffer {
  const LOADED_AT = 0x400000n;
  const code = Buffer.concat([
    Buffer.from([0xb8, ...u32(number)]), // mov eax, number
    Buffer.from(instruction === 'syscall' ? [0x0f, 0x05] : [0xcd, 0x80]),
    Buffer.from([0xf7, 0xd8, 0x89, 0xc7]), // neg eax; mov edi, eax
    Buffer.from([0xb8, ...u32(60), 0x0f, 0x05]), // exit
  ]);
  const elf = Buffer.alloc(120);
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // 64 bits, little endian
  elf.set([2, 0, 0x3e, 0, 1], 16); // an executable for x86_64
  elf.writeBigUInt64LE(LOADED_AT + 120n, 24);
  elf.set([64], 32);
  elf.set([64, 0, 56, 0, 1], 52);
  elf.set([1, 0, 0, 0, 5], 64); // one segment, readable and executable
  for (const offset of [80, 88]) elf.writeBigUInt64LE(LOADED_AT, offset);
  for (const offset of [96, 104]) elf.writeBigUInt64LE(BigInt(120 + code.length), offset);
  elf.writeUInt32LE(0x1000, 112);
  return Buffer.concat([elf, code]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

verifies('SEC-SANDBOX-30', 'a program cannot call the keyrings of the kernel', async () => {
  const { attempt } = await prisoner({});
  const first = process.arch === 'x64' ? 248 : 217;
  const calls = ['(0, 0, 0, 0, 0)', '(0, 0, 0, 0)', '(0, -3, 0)'].map((args, index) => {
    const call = `syscall(${first + index}, ${args.slice(1)}`;
    return `print ${call} == -1 ? $!{EPERM} ? "EPERM " : $! : "allowed ";`;
  });
  const refused = await attempt('run', { file: '/usr/bin/perl', args: ['-MErrno', '-e', calls.join('')] });
  expect(refused).toEqual({ ...ALLOWED, text: '0 EPERM EPERM EPERM ' });
  // Neighbours of the three calls are allowed.
  const neighbours = `print join " ", map { syscall($_, -1, 0, 0, 0, 0); $! + 0 } ${first - 1}, ${first + 3};`;
  const { text } = await attempt('run', { file: '/usr/bin/perl', args: ['-e', neighbours] });
  expect(text).toMatch(/^0 \d+ \d+$/);
  expect(text.split(' ').slice(1)).not.toContain('1');
  expect(await attempt('read', { path: '/proc/keys' })).toMatchObject(PREVENTED);
});

verifies('SEC-SANDBOX-30', 'the numbers that 32-bit and x32 programs use for the calls are refused too', async () => {
  const folder = await temporaryFolder();
  const refused = [
    ...[286, 287, 288].map((number) => [number, 'int 0x80', '1 '] as const),
    ...[248, 249, 250].map((number) => [number + X32, 'syscall', '1 '] as const),
  ];
  // `ioprio_set` of i386, which follows them.
  const calls = process.arch === 'x64' ? [...refused, [289, 'int 0x80', '22 '] as const] : [];
  const { attempt } = await prisoner({ read: [folder] });
  for (const [index, [number, instruction, expected]] of calls.entries()) {
    const file = join(folder, `${index}`);
    writeFileSync(file, callingProgram(number, instruction), { mode: 0o755 });
    expect(await attempt('run', { file, args: [] })).toEqual({ ...ALLOWED, text: expected });
  }
});

verifies('SEC-SANDBOX-04', 'a folder that the caller of a2c left open is no way out', async () => {
  const folder = await temporaryFolder();
  const { PATH = '' } = process.env;
  const given = await descriptorsInSandbox(folder, [7, 63], PATH);
  expect(given).toContain('63 /dev/null');
  expect(given.filter((line) => !line.endsWith(' /dev/null'))).toEqual([]);
});
