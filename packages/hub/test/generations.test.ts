import type { JsonObject } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { parameterHeaders } from '../src/calls/parameter-headers.js';
import { hub, jsonOf, script, server, textOf, until } from './hub.js';
import { serving } from './serving.js';

async function modern(options: Parameters<typeof hub>[1] = {}) {
  const url = await serving(script('modern.mjs'), 'http');
  const manager = await hub([server('m', { type: 'streamable', server_parameters: { url } })], options);
  expect(manager.status()).toMatchObject([{ state: 'connected', era: 'modern' }]);
  return manager;
}

verifies(['HUB-GEN-01', 'HUB-WIN-04'], 'changes of tools and windows are heard through one subscription', async () => {
  const manager = await modern();
  const changes: unknown[] = [];
  manager.on('windows', ({ uri }) => changes.push(uri));
  await manager.executeTool('add_tool', { name: 'late' });
  await until(() => manager.availableTools().some(({ name }) => name === 'late'));
  expect(textOf(await manager.executeTool('late', {}))).toBe('I am late');

  await manager.executeTool('open_window', { uri: 'window://m/a', body: '1' });
  await until(() => changes.length === 1);
  expect(changes).toEqual([null]);
  await manager.executeTool('open_window', { uri: 'window://m/a', body: '2' });
  await until(() => changes.length === 2);
  expect(changes).toEqual([null, 'window://m/a']);
  expect(await manager.getWindowsDetails()).toMatchObject([{ contents: [{ text: '2' }] }]);
});

verifies('HUB-GEN-02', 'an input request in a result is answered by the handler, and the call goes on', async () => {
  const manager = await modern({ onElicit: async () => ({ action: 'accept', content: { yes: 'indeed' } }) });
  expect(jsonOf(await manager.executeTool('confirm', {}))).toMatchObject({
    action: 'accept',
    content: { yes: 'indeed' },
  });
});

verifies('HUB-GEN-03', 'marked parameters are sent as HTTP headers', async () => {
  const manager = await modern();
  expect(textOf(await manager.executeTool('route', { region: 'us-east' }))).toBe('us-east');
  expect(textOf(await manager.executeTool('route', { region: ' ünïcode ' }))).toBe(' ünïcode ');

  const named = (header: string, type = 'string') => ({ type, 'x-mcp-header': header });
  const schema = {
    properties: {
      a: named('A'),
      n: named('N', 'integer'),
      b: named('B', 'boolean'),
      inner: { properties: { deep: named('Deep') } },
      bad: named('not a token'),
      list: { items: named('Never') },
      absent: named('Absent'),
    },
  };
  const args = { a: '', n: 7, b: false, inner: { deep: '=?base64?x?=' }, bad: 'x', list: ['x'] };
  expect(parameterHeaders(schema, args)).toEqual({
    'Mcp-Param-A': '=?base64??=',
    'Mcp-Param-N': '7',
    'Mcp-Param-B': 'false',
    'Mcp-Param-Deep': '=?base64?PT9iYXNlNjQ/eD89?=',
  });
});

verifies(['HUB-GEN-01', 'HUB-GEN-02'], 'the newer generation over stdio', async () => {
  const parameters = { command: process.execPath, args: [script('modern.mjs'), 'stdio'] };
  const onElicit = async () => ({ action: 'decline' as const });
  const manager = await hub([server('m', { server_parameters: parameters })], { onElicit });
  expect(manager.status()).toMatchObject([{ era: 'modern', state: 'connected', tools: 4 }]);
  expect(textOf(await manager.executeTool('route', { region: 'x' }))).toBe('x');
  expect(jsonOf(await manager.executeTool('confirm', {}))).toEqual({ action: 'decline' });
});

verifies('HUB-GEN-02', 'a result of an unknown type fails the call and nothing else', async () => {
  const parameters = { command: process.execPath, args: [script('eras.mjs'), '2026'] };
  const manager = await hub([server('m', { server_parameters: parameters })]);
  const answer = (result: JsonObject) => manager.executeTool('era', { result });
  await expect(answer({ content: [] })).rejects.toThrow('it has no resultType');
  await expect(answer({ resultType: 'later' })).rejects.toThrow('its resultType "later" is not known');
  await expect(answer({ resultType: 'input_required' })).rejects.toThrow('neither inputRequests nor requestState');
  expect(textOf(await manager.executeTool('era', {}))).toBe('2026');
});
