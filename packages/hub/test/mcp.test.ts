import type { ManagerOptions, ServedClient } from '@a2c/hub';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { hub, jsonOf, server, textOf, until } from './hub.js';

verifies('HUB-MCP-01', 'resources, templates and prompts can be listed and read', async () => {
  const manager = await hub([server('w')]);
  expect(await manager.listResources('w')).toEqual([{ uri: 'file:///readme', name: 'readme' }]);
  expect(await manager.listResourceTemplates('w')).toEqual([{ uriTemplate: 'file:///{name}', name: 'any' }]);
  expect(await manager.readResource('w', 'file:///readme')).toEqual({
    contents: [{ uri: 'file:///readme', text: 'read me' }],
  });
  expect(await manager.listPrompts('w')).toEqual([{ name: 'greet', arguments: [{ name: 'who' }] }]);
  expect(await manager.getPrompt('w', 'greet', { who: 'Ada' })).toMatchObject({
    messages: [{ content: { text: 'Greet Ada' } }],
  });
  await expect(manager.readResource('w', 'file:///broken')).rejects.toMatchObject({ kind: 'upstream', code: -32_002 });
});

verifies(
  'HUB-MCP-02',
  'a server cannot ask without end: of its unanswered requests, those over a limit fail',
  async () => {
    let asked = 0;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const onElicit = async () => {
      asked++;
      await answered;
      return { action: 'decline' as const };
    };
    const manager = await hub([server('w')], { onElicit, limits: { callsInFlight: 40 } });
    const calls = Array.from({ length: 40 }, () => manager.executeTool('elicit', {}).catch((error: Error) => error));
    const first = await Promise.race(calls);
    expect(JSON.stringify(first)).toContain('32 requests of this server wait');
    await until(() => asked === 32);
    answer();
    const declined = (await Promise.all(calls)).filter((result) => JSON.stringify(result).includes('decline'));
    expect(declined).toHaveLength(32);
  },
);

verifies('HUB-MCP-02', 'server requests reach the handler of the hub, or of the call they belong to', async () => {
  const options: ManagerOptions = {
    onElicit: async (params, context) => ({
      action: 'accept',
      content: { how: `${context.server}: ${params.message}` },
    }),
    onSample: async () => ({ role: 'assistant', model: 'owner', content: { type: 'text', text: 'sampled' } }),
    limits: { attributionTimeoutMs: 100 },
  };
  const manager = await hub([server('w')], options);
  expect(jsonOf(await manager.executeTool('elicit', {}))).toEqual({ action: 'accept', content: { how: 'w: How?' } });
  expect(jsonOf(await manager.executeTool('sample', {}))).toMatchObject({ model: 'owner' });

  const onElicit = async () => ({ action: 'decline' as const });
  expect(jsonOf(await manager.executeTool('elicit', {}, { onElicit }))).toEqual({ action: 'decline' });

  // With another pending call the server request cannot be attributed: the hub's handler answers.
  const release = new AbortController();
  const other = manager.executeTool('sleep', { ms: 3_600_000 }, { signal: release.signal }).catch(() => 'released');
  await until(() => manager.status()[0]?.callsInFlight === 1);
  expect(jsonOf(await manager.executeTool('elicit', {}, { onElicit }))).toMatchObject({ action: 'accept' });
  release.abort();
  expect(await other).toBe('released');

  // The server may still work on an abandoned request, so it counts for a while.
  const client: ServedClient = { era: 'legacy', capabilities: {}, isStateless: false };
  expect(jsonOf(await manager.executeTool('elicit', {}, { client, onElicit }))).toMatchObject({ action: 'accept' });

  // If all calls are of one client, the handler of any of them answers.
  const shared = await hub([server('w')], options);
  const again = new AbortController();
  const own = shared.executeTool('sleep', { ms: 3_600_000 }, { client, signal: again.signal }).catch(() => 'released');
  await until(() => shared.status()[0]?.callsInFlight === 1);
  expect(jsonOf(await shared.executeTool('elicit', {}, { client, onElicit }))).toEqual({ action: 'decline' });
  again.abort();
  expect(await own).toBe('released');
});

verifies('HUB-MCP-08', 'a resource is subscribed to once for all callers, also after a reconnect', async () => {
  const manager = await hub([server('w')]);
  const heard: string[] = [];
  manager.on('updated', ({ uri }) => heard.push(uri));
  const subscribed = async () => jsonOf(await manager.executeTool('subscriptions', {}));
  const change = (uri: string) => manager.executeTool('open_window', { uri, body: String(heard.length) });
  await change('note:///a');
  await change('note:///b');
  const [first, second] = [await manager.subscribe('w', ['note:///a']), await manager.subscribe('w', ['note:///a'])];
  expect(jsonOf(await manager.executeTool('counts', {}))['resources/subscribe']).toBe(1);
  await change('note:///b');
  await change('note:///a');
  await until(() => heard.length === 1);

  await expect(manager.executeTool('crash', {})).rejects.toThrow();
  await until(() => heard.length === 2); // It may have changed during the disconnection.
  expect(heard).toEqual(['note:///a', 'note:///a']);
  expect(await subscribed()).toEqual(['note:///a']);

  first();
  expect(await subscribed()).toEqual(['note:///a']);
  second();
  await until(async () => (await subscribed()).length === 0);
});

verifies(
  'HUB-MCP-03',
  'without a handler the capability is not declared, and server requests are refused',
  async () => {
    const manager = await hub([server('w')]);
    expect(jsonOf(await manager.executeTool('counts', {})).client).toEqual({});
    expect(jsonOf(await manager.executeTool('elicit', {}))).toMatchObject({ code: -32_601 });
    expect(jsonOf(await manager.executeTool('sample', {}))).toMatchObject({ code: -32_601 });
    expect(jsonOf(await manager.executeTool('roots', {}))).toMatchObject({ code: -32_601 });
  },
);

verifies(
  ['KIT-ROOTS-01', 'KIT-ROOTS-02'],
  'configured roots are declared and answered, without invented names',
  async () => {
    const roots = [
      { uri: 'file:///a', name: 'A' },
      { uri: 'file:///b', name: null },
    ];
    const manager = await hub([server('w')], { client: { protocol_version: null, capabilities: null, roots } });
    expect(jsonOf(await manager.executeTool('counts', {})).client).toEqual({ roots: {} });
    expect(jsonOf(await manager.executeTool('roots', {}))).toEqual({
      roots: [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }],
    });
  },
);

verifies('HUB-MCP-04', 'server logs and list changes are emitted as events', async () => {
  const manager = await hub([server('w')]);
  const seen: unknown[] = [];
  manager.on('log', (entry) => seen.push(entry));
  manager.on('resources', (entry) => seen.push(entry));
  await manager.executeTool('log', {});
  await manager.executeTool('open_window', { uri: 'window://a', body: '' });
  expect(seen).toEqual([{ server: 'w', level: 'warning', logger: 'bench', data: 'sharp' }, { server: 'w' }]);
});

verifies('HUB-MCP-05', 'any request and any notification can be sent', async () => {
  const manager = await hub([server('w')]);
  expect(await manager.request('w', 'ping')).toEqual({});
  await expect(manager.request('w', 'workshop/unknown')).rejects.toMatchObject({ code: -32_601 });
  await expect(manager.notify('w', 'notifications/roots/list_changed')).rejects.toMatchObject({ kind: 'refused' });
  await manager.notify('w', 'notifications/workshop/knock', { times: 2 });
  const counts = jsonOf(await manager.executeTool('counts', {}));
  expect(counts).toMatchObject({ 'notifications/workshop/knock': 1 });
  expect(textOf(await manager.executeTool('echo', { message: 'still there' }))).toBe('still there');
});

verifies('COST-SHARE-04', 'the clients of one address do not use up the connections of a server', async () => {
  const manager = await hub([server('w')], { limits: { clientConnections: 4 } });
  const clientAt = (address: string): ServedClient => ({
    era: 'legacy',
    capabilities: { elicitation: {} },
    isStateless: false,
    address,
    onElicit: async () => ({ action: 'decline' }),
  });
  const enough = new AbortController();
  const slow = [1, 2].map(() => {
    const options = { client: clientAt('192.0.2.1'), signal: enough.signal };
    return manager.executeTool('sleep', { ms: 600_000 }, { ...options, timeout: 600 });
  });
  const ended = Promise.allSettled(slow);
  const echo = (address: string) => manager.executeTool('echo', { message: 'x' }, { client: clientAt(address) });
  await expect(echo('192.0.2.1')).rejects.toMatchObject({
    kind: 'overloaded',
    message: expect.stringContaining('2 of 4 connections for single clients of this address'),
  });
  expect(textOf(await echo('192.0.2.2'))).toBe('x');
  enough.abort();
  await ended;
});
