import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { hub, isRunning, run, script, server, temporaryFolder, textOf, until } from './hub.js';

/** A server in a real sandbox of bubblewrap that may read its own program, and what `settings` allow. */
async function prisoner(settings: { readonly read?: string[]; readonly write?: string[]; readonly network?: boolean }) {
  const sandbox = { ...settings, read: [dirname(script('prisoner.mjs')), ...(settings.read ?? [])] };
  const config = server('prisoner', { server_parameters: { ...run('prisoner.mjs', { KEY: 'value' }), sandbox } });
  const manager = await hub([config]);
  await manager.startClient('prisoner');
  const attempt = async (tool: string, given: Record<string, string | number>) => {
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
