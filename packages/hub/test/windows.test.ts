import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import type { MCPServerManager } from '../src/index.js';
import { hub, jsonOf, run, server, until } from './hub.js';

const open = (manager: MCPServerManager, uri: string, body: string, name = 'w') =>
  manager.callTool(name, 'open_window', { uri, body });
const uris = async (manager: MCPServerManager, uri?: string) =>
  (await manager.listWindows(uri)).map(({ server: name, resource }) => `${name} ${resource.uri}`);

verifies(['HUB-WIN-01', 'HUB-WIN-02'], 'windows of all servers are listed, filtered and read', async () => {
  const manager = await hub([server('w'), server('v')]);
  await open(manager, 'window://shop/low?priority=1', 'low');
  await open(manager, 'window://shop/high?priority=90', 'high');
  await open(manager, 'window://shop/broken?priority=50', '');
  await open(manager, 'window://other', 'there', 'v');
  await open(manager, 'window:not-a-window', '');
  expect(await uris(manager)).toEqual([
    'w window://shop/high?priority=90',
    'w window://shop/broken?priority=50',
    'w window://shop/low?priority=1',
    'v window://other',
  ]);
  expect(await uris(manager, 'window://other')).toEqual(['v window://other']);
  expect(await uris(manager, 'window://nowhere')).toEqual([]);

  const details = await manager.getWindowsDetails();
  expect(details.map(({ server: name, contents }) => [name, contents[0]?.text])).toEqual([
    ['w', 'high'],
    ['w', '获取资源失败 / this window could not be read'],
    ['w', 'low'],
    ['v', 'there'],
  ]);
  expect((await manager.getWindowsDetails('window://other')).map(({ contents }) => contents)).toEqual([
    [{ text: 'there' }],
  ]);
});

verifies(['HUB-WIN-03', 'HUB-WIN-04'], 'each window is subscribed to once, and its changes are emitted', async () => {
  const manager = await hub([server('w')]);
  const changes: unknown[] = [];
  manager.on('windows', ({ uri }) => changes.push(uri));
  const subscriptions = async () => jsonOf(await manager.executeTool('subscriptions', {}));
  await open(manager, 'window://a', '1');
  await until(() => changes.length === 1);
  await open(manager, 'window://b', '1');
  await until(() => changes.length === 2);
  expect(changes).toEqual([null, null]);
  await manager.listWindows();
  await manager.getWindowsDetails();
  expect(await subscriptions()).toEqual(['window://a', 'window://b']);
  expect(jsonOf(await manager.executeTool('counts', {}))['resources/subscribe']).toBe(2);

  await open(manager, 'window://a', '2');
  await until(() => changes.length === 3);
  expect(changes[2]).toBe('window://a');

  await manager.executeTool('close_window', { uri: 'window://a' });
  await until(() => changes.length === 4);
  expect(changes[3]).toBeNull();
  expect(await subscriptions()).toEqual(['window://b']);
});

verifies('HUB-WIN-04', 'a new window is subscribed to before it is emitted: no later change is lost', async () => {
  const late = run('workshop.mjs', { WORKSHOP_LATE: 'resources/subscribe=300' });
  const manager = await hub([server('w', { server_parameters: late })]);
  const changes: unknown[] = [];
  manager.on('windows', ({ uri }) => changes.push(uri));
  await open(manager, 'window://a', '1');
  await until(() => changes.length === 1);
  await open(manager, 'window://a', '2');
  await until(() => changes.length === 2);
  expect(changes).toEqual([null, 'window://a']);
});

verifies('HUB-WIN-05', 'a server that is slow or fails loses only its own windows', async () => {
  const manager = await hub(
    [server('w'), server('stuck', { server_parameters: run('workshop.mjs', { WORKSHOP_STUCK: 'resources/list' }) })],
    { limits: { listTimeoutMs: 2_000 } },
  );
  const warnings: string[] = [];
  manager.on('warning', ({ server: name, message }) => warnings.push(`${name}: ${message}`));
  await open(manager, 'window://a', 'here');
  expect((await manager.getWindowsDetails()).map(({ server: name }) => name)).toEqual(['w']);
  expect(warnings).toContain('stuck: its windows could not be listed: listing the windows took longer than 2 s');
});

verifies('HUB-WIN-03', 'a failed subscription is tried again with the next list', async () => {
  const deaf = run('workshop.mjs', { WORKSHOP_DEAF: '1' });
  const manager = await hub([server('w', { server_parameters: deaf })]);
  const changes: unknown[] = [];
  manager.on('windows', ({ uri }) => changes.push(uri));
  await open(manager, 'window://a', '1');
  await until(() => changes.length === 1);
  await manager.listWindows();
  await manager.listWindows();
  expect(jsonOf(await manager.executeTool('subscriptions', {}))).toEqual(['window://a']);
  expect(jsonOf(await manager.executeTool('counts', {}))['resources/subscribe']).toBe(2);
});

verifies('HUB-WIN-04', 'the removal of the windows of a stopped server is emitted', async () => {
  const manager = await hub([server('w')]);
  await open(manager, 'window://a', '1');
  await until(async () => (await uris(manager)).length === 1);
  const changes: unknown[] = [];
  manager.on('windows', (change) => changes.push(change));
  await manager.stopClient('w');
  expect(changes).toEqual([{ server: 'w', uri: null }]);
});

verifies('HUB-WIN-02', 'windows are read up to a size of all together', async () => {
  const manager = await hub([server('w')]);
  const body = 'x'.repeat(5_000_000);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await open(manager, `window://shop/${name}`, body);
  const sizes = (await manager.getWindowsDetails()).map(({ contents }) => contents[0]?.text?.length ?? 0);
  expect(sizes.filter((size) => size === body.length)).toHaveLength(1);
  expect(sizes.filter((size) => size < 100)).toHaveLength(5);
});

verifies('COST-WINDOW-01', 'very many windows are listed in several turns', async () => {
  const listing = `
    const resources = Array.from({ length: 9_900 }, (_, n) => ({
      name: 'w',
      uri: 'window://' + n + '/' .repeat(120) + '?x=%',
      annotations: { priority: (n * 7_919 % 9_900) / 9_900 },
    }));
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const { protocolVersion } = params ?? {};
      const serverInfo = { name: 'w', version: '1' };
      if (method === 'initialize') answer({ protocolVersion, capabilities: { resources: {} }, serverInfo });
      else if (method === 'resources/list') answer({ resources });
      function answer(result) { console.log(JSON.stringify({ jsonrpc: '2.0', id, result })); }
    });`;
  const program = { command: process.execPath, args: ['-e', listing] };
  const manager = await hub([server('w', { server_parameters: program })], { limits: { windowsPerServer: 3 } });
  const before = process.cpuUsage();
  const listed = await manager.listWindows();
  const { user, system } = process.cpuUsage(before);
  expect(
    listed.map(({ resource: { annotations } }) => (annotations as { readonly priority: number }).priority),
  ).toEqual([9_899, 9_898, 9_897].map((n) => n / 9_900));
  expect((user + system) / 1e6, 'seconds of CPU time; the sort alone took 3').toBeLessThan(2);
});
