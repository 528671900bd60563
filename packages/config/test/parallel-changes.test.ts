import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeSettings, InputStore, ProcessLock, recordAnswer, settingsFile } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { afterEach, beforeEach, expect, vi } from 'vitest';

let root: string;
const names = Array.from({ length: 6 }, (_, index) => `name-${index}`);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'a2c-parallel-'));
  vi.stubEnv('A2C_HOME', join(root, 'home'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

verifies('SEC-SHARED-01', 'all parallel changes of the settings are kept', async () => {
  const changes = names.map((name) =>
    changeSettings(({ enabledPlugins }) => ({ enabledPlugins: { ...enabledPlugins, [name]: false } })),
  );
  await Promise.all(changes);
  const { enabledPlugins } = JSON.parse(readFileSync(settingsFile(), 'utf8'));
  expect(Object.keys(enabledPlugins).toSorted()).toEqual(names);
});

verifies(
  'SEC-SHARED-01',
  'all parallel answers about servers of a project are kept, and no lock is in it',
  async () => {
    mkdirSync(join(root, 'project'));
    const project = join(root, 'project');
    const answers = names.map((bundleId) => recordAnswer(project, { bundleId, isShared: false, content: 'c' }, 'yes'));
    await Promise.all(answers);
    const local = JSON.parse(readFileSync(join(project, '.tfrobot/settings.local.json'), 'utf8'));
    expect(local.enabledMcpjsonServers.toSorted()).toEqual(names);
    expect(readdirSync(project, { recursive: true }).toSorted()).toEqual([
      '.tfrobot',
      join('.tfrobot', 'settings.local.json'),
    ]);
  },
);

verifies('SEC-SHARED-01', 'all inputs that are stored in parallel are kept', async () => {
  const file = join(root, 'mcp.json');
  writeFileSync(file, '{}');
  await Promise.all(names.map((name) => new InputStore().save(file, { [name]: 'x' })));
  expect(Object.keys(await new InputStore().load(file)).toSorted()).toEqual(names);
});

verifies('SEC-SHARED-01', 'a lock that is not released, or is damaged, is an error that names its file', async () => {
  const folder = join(root, 'locks');
  const lock = new ProcessLock(folder, 'it');
  const events = new EventEmitter();
  const held = lock.run(() => once(events, 'release'));
  await vi.waitUntil(() => existsSync(join(folder, 'it.1')));
  const waiting = new ProcessLock(folder, 'it').run(async () => {}, { waitMs: 100 });
  await expect(waiting).rejects.toThrow(`${join(folder, 'it.1')}: process ${process.pid} does not release this lock`);
  events.emit('release');
  await held;
  writeFileSync(join(folder, 'it.x'), '');
  writeFileSync(join(folder, 'it.2'), '{');
  await expect(lock.run(async () => {})).rejects.toThrow(`${join(folder, 'it.2')}: not the file of a lock; delete it`);
});
