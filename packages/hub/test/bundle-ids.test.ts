import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { hub, server, textOf, tools } from './hub.js';

verifies('MEM-BUNDLE-03', 'a tool is listed and called by bundle id and display name', async () => {
  const manager = await hub([
    server('demo srv', {
      ...tools('add', 'drop'),
      tool_meta: { add: { alias: 'plus' } },
      forbidden_tools: ['demo_srv__drop'],
    }),
    server('other', {
      ...tools('add', 'demo_srv__plus'),
      bundle_id: 'custom_id',
      tool_meta: { add: { alias: 'sum' } },
    }),
  ]);
  const exposed = manager.availableTools().map(({ exposedName, bundleId }) => [exposedName, bundleId]);
  expect(exposed).toEqual([
    ['demo_srv__plus', 'demo_srv'],
    ['custom_id__sum', 'custom_id'],
    ['custom_id__demo_srv__plus', 'custom_id'],
  ]);
  expect(textOf(await manager.executeTool('custom_id__sum', {}))).toBe('called add');
  for (const name of ['drop', 'demo_srv__drop'])
    expect(() => manager.validateToolCall(name)).toThrow(`Tool '${name}' is disabled by configuration`);
  // A tool of another server has this name: it never means that tool.
  expect(manager.validateToolCall('demo_srv__plus')).toMatchObject({ server: 'demo srv', name: 'add' });
  expect(textOf(await manager.executeTool('demo_srv__plus', {}, { nameForm: 'exposed' }))).toBe('called add');
  expect(textOf(await manager.executeTool('custom_id__demo_srv__plus', {}))).toBe('called demo_srv__plus');
  expect([manager.bundleIdOf('demo srv'), manager.serverName('custom_id'), manager.serverName('other')]).toEqual([
    'demo_srv',
    'other',
    'other',
  ]);
});

verifies('MEM-BUNDLE-03', 'an alias that equals another name of the server hides no tool', async () => {
  const manager = await hub([server('s', { ...tools('a', 'b'), tool_meta: { a: { alias: 'b' } } })]);
  expect(manager.availableTools().map(({ name, exposedName }) => [name, exposedName])).toEqual([
    ['a', 's__b'],
    ['b', 's__b_2'],
  ]);
});

verifies('MEM-BUNDLE-04', 'servers with the same derived id both run, with different ids and a warning', async () => {
  const manager = await hub([]);
  const warnings: string[] = [];
  manager.on('warning', ({ server: name, message }) => warnings.push(`${name}: ${message}`));
  const named = (name: string, tool: string, more = {}) => server(name, { ...tools(tool), ...more });
  await manager.initialize([named('a b', 'one'), named('a.b', 'two'), named('x', 'three', { bundle_id: 'a_b' })]);
  expect(manager.availableTools().map(({ exposedName }) => exposedName)).toEqual([
    'a_b-2__one',
    'a_b-3__two',
    'a_b__three',
  ]);
  expect(warnings).toContain('a b: its bundle id is "a_b-2", because "x" has the same id; set "bundle_id"');
  expect(warnings.filter((text) => text.includes('a_b-2'))).toHaveLength(1);
});

verifies('MEM-TAGS-01', 'a malformed declaration is reported once and hides no tool', async () => {
  const manager = await hub([]);
  const warnings: string[] = [];
  manager.on('warning', ({ message }) => warnings.push(message));
  const tool = (name: string, declared: unknown) => ({ name, _meta: { a2c_tool_meta: declared } });
  await manager.initialize([
    server('s', tools(tool('bad', { tags: 'x' }), tool('null', null), tool('good', { tags: ['t'] }))),
  ]);
  expect(manager.availableTools()).toHaveLength(3);
  expect(warnings).toEqual(['the a2c_tool_meta that it declares for bad, null is malformed and ignored']);
});
