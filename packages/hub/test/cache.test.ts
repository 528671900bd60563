import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { MCPServerManager } from '../src/index.js';
import { hub, run, server, TRUSTED, temporaryFolder, textOf, tools, until } from './hub.js';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'a2c-cache-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return join(path, 'tools');
}

async function filled(cacheFolder: string, config = server('w', tools('saw'))) {
  const manager = await hub([config], { cacheFolder });
  await until(async () => (await readdir(cacheFolder).catch(() => [])).some((name) => name.endsWith('.json')));
  await manager.close();
  return config;
}

verifies(['HUB-CACHE-01', 'HUB-MCP-07'], 'tools of an earlier run are listed while the server starts', async () => {
  const cacheFolder = await folder();
  const gate = join(await temporaryFolder(), 'gate');
  await writeFile(gate, '');
  const slow = server('w', {
    server_parameters: run('workshop.mjs', { WORKSHOP_GATE: gate, WORKSHOP_TOOLS: '[{"name":"saw"}]' }),
  });
  await filled(cacheFolder, slow);
  await rm(gate);
  const manager = new MCPServerManager({ guard: TRUSTED, cacheFolder });
  const ready = manager.initialize([slow]);
  await until(() => manager.availableTools().length === 1);
  expect(manager.status()[0]).toMatchObject({
    state: 'initialized',
    toolsFromCache: true,
    instructions: 'Mind the saw.',
  });
  // A call made now waits for the start.
  const called = manager.executeTool('saw', {});
  await writeFile(gate, '');
  expect(textOf(await called)).toBe('called saw');
  await ready;
  expect(manager.status()[0]).toMatchObject({ state: 'connected', toolsFromCache: false });
  await manager.close();
});

verifies('HUB-CACHE-03', 'a server is started after what the caller does first; a call waits', async () => {
  const cacheFolder = await folder();
  const config = await filled(cacheFolder);
  let mayStart = () => {};
  const startAfter = new Promise<void>((resolve) => {
    mayStart = resolve;
  });
  const manager = new MCPServerManager({ guard: TRUSTED, cacheFolder, startAfter });
  onTestFinished(() => manager.close());
  const ready = manager.initialize([config]);
  await until(() => manager.availableTools().length === 1);
  const called = manager.executeTool('saw', {});
  expect(manager.statusOf('w')).toMatchObject({ state: 'initialized', active: true, diagnostics: null });
  mayStart();
  expect(textOf(await called)).toBe('called saw');
  await ready;
});

verifies('HUB-CACHE-03', 'a server without cached tools starts at once', async () => {
  const manager = new MCPServerManager({ guard: TRUSTED, startAfter: new Promise(() => {}) });
  onTestFinished(() => manager.close());
  await manager.initialize([server('w', tools('saw'))]);
  expect(manager.statusOf('w')).toMatchObject({ state: 'connected' });
});

verifies('HUB-CACHE-03', 'a server that waits for the caller can be stopped', async () => {
  const cacheFolder = await folder();
  const config = await filled(cacheFolder);
  const manager = new MCPServerManager({ guard: TRUSTED, cacheFolder, startAfter: new Promise(() => {}) });
  const ready = manager.initialize([config]);
  await until(() => manager.statusOf('w')?.active === true);
  await manager.close();
  await ready;
  expect(manager.statusOf('w')).toBeUndefined();
});

verifies('HUB-CACHE-04', 'tools that are as in the earlier run stay the same objects', async () => {
  const cacheFolder = await folder();
  const config = await filled(cacheFolder);
  const manager = new MCPServerManager({ guard: TRUSTED, cacheFolder });
  onTestFinished(() => manager.close());
  const ready = manager.initialize([config]);
  await until(() => manager.availableTools().length === 1);
  const [cached] = manager.availableTools();
  await ready;
  await manager.addOrUpdateServer(server('other', tools('plane')));
  expect(manager.availableTools().map(({ name }) => name)).toEqual(['saw', 'plane']);
  expect(manager.availableTools()[0]).toBe(cached);
});

verifies('HUB-CACHE-02', 'another configuration, a damaged file and an old one are not used', async () => {
  const cacheFolder = await folder();
  const config = await filled(cacheFolder);
  const [name] = await readdir(cacheFolder);
  const file = join(cacheFolder, name as string);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(cacheFolder)).mode & 0o777).toBe(0o700);
  const [head = '', ...rest] = (await readFile(file, 'utf8')).split('\n');
  const write = (fields: object) =>
    writeFile(file, [JSON.stringify({ ...JSON.parse(head), ...fields }), ...rest].join('\n'));

  const knows = async (candidate = config) => {
    const manager = await hub([candidate], { cacheFolder, startPolicy: () => ({ lazy: true }), autoConnect: false });
    return manager.status()[0]?.toolsFromCache;
  };
  expect(await knows()).toBe(true);
  expect(await knows(server('w', tools('plane')))).toBe(false);
  await chmod(file, 0o600);
  await writeFile(file, '{"format":1,"tools":');
  expect(await knows()).toBe(false);
  await write({});
  expect(await knows()).toBe(true);
  await write({ savedAt: Date.now() - 31 * 24 * 3_600_000 });
  expect(await knows()).toBe(false);
  await write({ format: 4 });
  expect(await knows()).toBe(false);
});

verifies(
  ['HUB-LAZY-01', 'HUB-LAZY-02'],
  'a lazy server starts on the first call, stops when idle, and starts again',
  async () => {
    const cacheFolder = await folder();
    const config = await filled(cacheFolder);
    const manager = await hub([config], { cacheFolder, startPolicy: () => ({ lazy: true, idleTimeout: 0.1 }) });
    expect(manager.status()[0]).toMatchObject({ state: 'initialized', active: true, tools: 1 });
    expect(textOf(await manager.executeTool('saw', {}))).toBe('called saw');
    expect(manager.status()[0]).toMatchObject({ state: 'connected' });
    await until(() => manager.status()[0]?.state === 'disconnected');
    expect(manager.availableTools()).toHaveLength(1);
    expect(textOf(await manager.executeTool('saw', {}))).toBe('called saw');
    expect(manager.status()[0]).toMatchObject({ state: 'connected', restarts: 1 });
  },
);

verifies('HUB-LAZY-01', 'a lazy server without cached tools starts once to list them', async () => {
  const manager = await hub([server('w', tools('saw'))], { startPolicy: () => ({ lazy: true }) });
  expect(manager.status()[0]).toMatchObject({ state: 'connected', tools: 1 });
});

verifies('HUB-LAZY-01', 'the tools of a crashed lazy server stay listed, and the next call starts it', async () => {
  const manager = await hub([server('w')], { startPolicy: () => ({ lazy: true }) });
  await expect(manager.executeTool('crash', {})).rejects.toMatchObject({ kind: 'connection-lost' });
  expect(manager.status()[0]).toMatchObject({ state: 'error', active: true, retryAt: null });
  expect(textOf(await manager.executeTool('echo', { message: 'again' }))).toBe('again');
});

verifies(
  'HUB-LAZY-02',
  'an idle timeout without lazy start: the server starts at once, and a list is not interrupted by the timeout',
  async () => {
    const late = run('workshop.mjs', { WORKSHOP_LATE: 'prompts/list=500' });
    const manager = await hub([server('w', { server_parameters: late })], {
      startPolicy: () => ({ idleTimeout: 0.1 }),
    });
    expect(manager.status()[0]).toMatchObject({ state: 'connected' });
    expect(await manager.listPrompts('w')).toHaveLength(1);
    await until(() => manager.status()[0]?.state === 'disconnected');
    expect(await manager.listPrompts('w')).toHaveLength(1);
  },
);

verifies(
  'HUB-MCP-07',
  'the protocol generation is negotiated again after a while; a start does not extend the time',
  async () => {
    const cacheFolder = await folder();
    const workshop = server('w', { server_parameters: run('workshop.mjs', { WORKSHOP_TOOLS: '[{"name":"saw"}]' }) });
    const config = await filled(cacheFolder, workshop);
    const [name] = await readdir(cacheFolder);
    const file = join(cacheFolder, name as string);
    const probes = async () => {
      const manager = await hub([config], { cacheFolder });
      const counts = (await manager.request('w', 'tools/call', { name: 'counts' })) as { content: { text: string }[] };
      await manager.close();
      return JSON.parse(counts.content[0]?.text ?? '')['server/discover'] ?? 0;
    };
    expect(await probes()).toBe(0);
    const [head = '', ...rest] = (await readFile(file, 'utf8')).split('\n');
    const old = JSON.stringify({ ...JSON.parse(head), eraAskedAt: Date.now() - 8 * 24 * 3_600_000 });
    await writeFile(file, [old, ...rest].join('\n'));
    expect(await probes()).toBe(1);
    expect(await probes()).toBe(0);
  },
);

verifies('HUB-CACHE-02', 'cached tools of an untrusted server are not listed', async () => {
  const cacheFolder = await folder();
  const config = await filled(cacheFolder);
  const manager = await hub([config], { cacheFolder, guard: new TrustGuard(UNTRUSTED) });
  expect(manager.availableTools()).toEqual([]);
  expect(manager.status()[0]).toMatchObject({ state: 'error', tools: 0, toolsFromCache: false });
});
