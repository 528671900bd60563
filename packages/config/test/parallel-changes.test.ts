import { EventEmitter, once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

verifies('SEC-SHARED-03', 'a lock of another PID namespace is held until it is released or old', async () => {
  const folder = join(root, 'locks');
  const lock = () => new ProcessLock(folder, 'it');
  const file = (number: number) => join(folder, `it.${number}`);
  const own = await lock().run(async () => JSON.parse(readFileSync(file(1), 'utf8')).owners[0]);
  // No process has this id. For an owner here the lock is free at once, also as an earlier version recorded it.
  const ended = { ...own, pid: 2 ** 30 };
  const { space, ...earlier } = ended;
  for (const [index, owner] of [ended, earlier].entries()) {
    writeFileSync(file(10 + 10 * index), JSON.stringify({ owners: [owner] }));
    expect(await lock().run(async () => 'free', { waitMs: 0 })).toBe('free');
  }
  for (const [index, part] of ['boot', 'pid:[1]'].entries()) {
    const number = 30 + 10 * index;
    const other = part === 'boot' ? `x${space}` : `${space} ${part}`;
    writeFileSync(file(number), JSON.stringify({ owners: [{ ...ended, space: other }] }));
    await expect(lock().run(async () => 'free', { waitMs: 0 })).rejects.toThrow('does not release this lock');
    const longAgo = new Date(Date.now() - 121_000);
    utimesSync(file(number), longAgo, longAgo);
    expect(await lock().run(async () => 'free', { waitMs: 0 })).toBe('free');
  }
});
