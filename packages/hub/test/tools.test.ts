import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { type AvailableTool, MCPServerManager, ToolNameDuplicatedError } from '../src/index.js';
import { hub, jsonOf, run, server, TRUSTED, temporaryFolder, textOf, tools, until } from './hub.js';

const shown = (list: readonly AvailableTool[]) => list.map(({ displayName }) => displayName);

function warningsOf(manager: MCPServerManager): string[] {
  const warnings: string[] = [];
  manager.on('warning', ({ server: name, message }) => warnings.push(`${name}: ${message}`));
  return warnings;
}

verifies('HUB-TOOLS-01', 'invalid tools are repaired or skipped, and hide none of the others', async () => {
  const manager = await hub([]);
  const warnings = warningsOf(manager);
  const odd = [
    { name: 'no_schema' },
    { name: 'no_type', inputSchema: { properties: { a: { type: 'string' } } } },
    { name: 'null_things', description: null, inputSchema: null, annotations: 7, _meta: 'x' },
    { name: 'constructor', inputSchema: { type: 'object' }, icons: [{ src: 'i' }], 'x-own': true },
    { name: 17 },
    null,
    42,
    { name: 'fine', inputSchema: { type: 'object' } },
    { name: 'fine', inputSchema: { type: 'object' }, description: 'again' },
  ];
  await manager.addOrUpdateServer(server('odd', tools(...odd)));
  expect(shown(manager.availableTools())).toEqual(['no_schema', 'no_type', 'null_things', 'constructor', 'fine']);
  for (const { tool } of manager.availableTools()) expect(tool.inputSchema).toMatchObject({ type: 'object' });
  expect(manager.validateToolCall('constructor')).toMatchObject({
    meta: undefined,
    tool: { icons: [{ src: 'i' }], 'x-own': true },
  });
  expect(warnings.filter((message) => message.includes('without a name'))).toHaveLength(3);
  expect(warnings).toContain('odd: sent the tool "fine" twice; the first is kept');
  expect(textOf(await manager.executeTool('constructor', {}))).toBe('called constructor');
});

verifies('COST-NAME-03', 'tools with very long names are left out, and warnings cut long names', async () => {
  const manager = await hub([]);
  const warnings = warningsOf(manager);
  const [allowed, long] = ['a'.repeat(1_024), 'b'.repeat(1_025)];
  await manager.addOrUpdateServer(server('odd', tools(allowed, allowed, long, { name: 'c'.repeat(200), title: 7 })));
  expect(shown(manager.availableTools())).toEqual([allowed, 'c'.repeat(200)]);
  expect(textOf(await manager.executeTool(allowed, {}))).toBe(`called ${allowed}`);
  expect(warnings.toSorted()).toEqual([
    `odd: sent a tool that is left out: its name "${'b'.repeat(100)}…" must not have more than 1,024 characters`,
    `odd: sent the tool "${'a'.repeat(100)}…" twice; the first is kept`,
    `odd: sent the tool "${'c'.repeat(100)}…" with fields of the wrong type, which are left out: title`,
  ]);
});

verifies('HUB-TOOLS-02', 'all pages are read, up to a cap', async () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ name: `t${index}`, inputSchema: { type: 'object' } }));
  const paged = run('workshop.mjs', { WORKSHOP_TOOLS: JSON.stringify(many), WORKSHOP_PAGE: '4' });
  const manager = await hub([server('paged', { server_parameters: paged })]);
  expect(shown(manager.availableTools())).toEqual(many.map(({ name }) => name));

  const capped = new MCPServerManager({ guard: TRUSTED, limits: { toolsPerServer: 10 } });
  const warnings = warningsOf(capped);
  await capped.initialize([server('paged', { server_parameters: paged })]);
  expect(capped.availableTools()).toHaveLength(10);
  expect(warnings).toEqual(['paged: tools/list has more than 10 items; the rest is ignored']);
  await capped.initialize([server('endless', { server_parameters: run('workshop.mjs', { WORKSHOP_PAGE: '0' }) })]);
  expect(capped.status()[0]).toMatchObject({ state: 'connected' });
  expect(warnings[1]).toMatch(/^endless: tools\/list does not end; the first \d+ items are used$/);
  await capped.close();
});

verifies(
  ['HUB-TOOLS-03', 'COMP-SERVER-06', 'COMP-RULE-02'],
  'a tool is listed and called by its alias; its own name works while it is unique',
  async () => {
    const manager = await hub([
      server('a', {
        ...tools('search', 'only_a'),
        tool_meta: { search: { alias: 'search_a' }, only_a: { alias: 'mine' } },
      }),
      server('b', { ...tools('search'), tool_meta: { search: { alias: 'search_b' } } }),
    ]);
    expect(shown(manager.availableTools())).toEqual(['search_a', 'mine', 'search_b']);
    expect(textOf(await manager.executeTool('search_b', {}))).toBe('called search');
    expect(manager.validateToolCall('search_b')).toMatchObject({ server: 'b', name: 'search' });
    expect(manager.validateToolCall('only_a')).toMatchObject({ server: 'a', displayName: 'mine' });
    expect(() => manager.validateToolCall('search')).toThrow(
      'the tool name "search" is not unique: use "search_a" (a) or "search_b" (b)',
    );
    expect(textOf(await manager.callTool('a', 'search_a', {}))).toBe('called search');
  },
);

verifies(
  ['HUB-TOOLS-04', 'COMP-SERVER-03'],
  'a forbidden tool is hidden and refused by every name it has',
  async () => {
    const manager = await hub([
      server('w', {
        ...tools('rm', 'ls', 'mv'),
        forbidden_tools: ['rm', 'move'],
        tool_meta: { mv: { alias: 'move' }, rm: { alias: 'remove' } },
      }),
    ]);
    expect(shown(manager.availableTools())).toEqual(['ls']);
    for (const name of ['rm', 'remove', 'mv', 'move']) {
      const refused = { kind: 'forbidden-tool', message: `Tool '${name}' is disabled by configuration` };
      await expect(async () => manager.executeTool(name, {})).rejects.toMatchObject(refused);
      await expect(manager.callTool('w', name, {})).rejects.toMatchObject(refused);
    }
  },
);

verifies('HUB-TOOLS-05', 'the tool meta is added to the tool and to its results', async () => {
  const manager = await hub([
    server('w', {
      default_tool_meta: { auto_apply: true, tags: ['shop'], alias: 'all' },
      tool_meta: { echo: { auto_apply: null, tags: ['voice'], colour: 'blue' } },
    }),
  ]);
  expect(manager.validateToolCall('echo').meta).toEqual({ auto_apply: true, tags: ['voice'], colour: 'blue' });
  expect(manager.validateToolCall('counts').meta).toEqual({ auto_apply: true, tags: ['shop'] });
  expect(await manager.executeTool('echo', { message: 'x' })).toEqual({
    content: [{ type: 'text', text: 'x' }],
    _meta: {
      a2c_tool_meta: { auto_apply: true, alias: null, tags: ['voice'], ret_object_mapper: null, colour: 'blue' },
    },
  });
});

verifies('HUB-TOOLS-06', 'adding a server whose tool name is taken changes nothing', async () => {
  const manager = await hub([server('first', tools('search'))]);
  const attempt = manager.addOrUpdateServer(server('second', tools('search', 'other')));
  await expect(attempt).rejects.toThrow(ToolNameDuplicatedError);
  await expect(attempt).rejects.toThrow(
    '"search" is used by "first" and "second": give one of them an alias in tool_meta',
  );
  expect(manager.servers().map(({ name }) => name)).toEqual(['first']);
  expect(manager.availableTools()).toMatchObject([{ server: 'first', name: 'search' }]);
  await manager.addOrUpdateServer(
    server('second', { ...tools('search', 'other'), tool_meta: { search: { alias: 'search2' } } }),
  );
  expect(shown(manager.availableTools())).toEqual(['search', 'search2', 'other']);
});

verifies('HUB-TOOLS-08', 'a server that shares tool names can be added, as at the start', async () => {
  const manager = await hub([server('first', tools('search'))]);
  const status = await manager.addOrUpdateServer(server('second', tools('search')), { sharesToolNames: true });
  expect(status).toMatchObject({ state: 'connected', conflicts: ['search'] });
  expect(manager.validateToolCall('search').server).toBe('first');
  expect(manager.validateToolCall('second.search').server).toBe('second');
});

verifies('HUB-TOOLS-07', 'an update into a conflict leaves the old configuration running', async () => {
  const manager = await hub([server('first', tools('search')), server('second', tools('find'))]);
  await expect(manager.addOrUpdateServer(server('second', tools('search')))).rejects.toThrow(ToolNameDuplicatedError);
  expect(manager.status()).toMatchObject([{ state: 'connected' }, { state: 'connected', conflicts: [] }]);
  expect(textOf(await manager.executeTool('find', {}))).toBe('called find');
  expect(manager.validateToolCall('search').server).toBe('first');
});

verifies(
  'HUB-TOOLS-08',
  'of two tools with one name the first keeps it, and both can be called by server',
  async () => {
    const manager = new MCPServerManager({ guard: TRUSTED });
    const conflicts: unknown[] = [];
    manager.on('conflict', (conflict) => conflicts.push(conflict));
    // The second server starts earlier, and has the name only until the first one has started.
    const gate = join(await temporaryFolder(), 'gate');
    const first = run('workshop.mjs', { WORKSHOP_TOOLS: '[{"name":"search"},{"name":"a"}]', WORKSHOP_GATE: gate });
    const second = server('second', tools('search', 'b'));
    const started = manager.initialize([server('first', { server_parameters: first }), second]);
    await until(() => manager.status()[1]?.state === 'connected');
    await writeFile(gate, '');
    await started;
    expect(shown(manager.availableTools())).toEqual(['search', 'a', 'second.search', 'b']);
    expect(manager.validateToolCall('search').server).toBe('first');
    expect(conflicts).toEqual([{ server: 'second', displayNames: ['search'], keptBy: 'first' }]);
    expect(manager.status()[1]?.conflicts).toEqual(['search']);
    expect(shown(manager.toolsOf('second'))).toContain('search');
    expect(textOf(await manager.callTool('second', 'search', {}))).toBe('called search');
    for (const name of ['second.search', 'second/search', 'first.search', 'second.b']) {
      expect(manager.validateToolCall(name).server).toBe(name.split(/[./]/)[0]);
      expect(textOf(await manager.executeTool(name, {}))).toMatch(/^called/);
    }
    expect(() => manager.validateToolCall('second.none')).toThrow('server "second" has no tool "none"');
    // While the first server is stopped, the second one has the name.
    await manager.stopClient('first');
    expect(manager.validateToolCall('search').server).toBe('second');
    await manager.startClient('first');
    expect(manager.validateToolCall('search').server).toBe('first');
    await manager.close();
  },
);

verifies(
  ['HUB-TOOLS-09', 'HUB-TOOLS-10', 'HUB-TOOLS-11'],
  'a list change replaces the table once, and only a real change is emitted',
  async () => {
    const manager = await hub([server('w'), server('v', tools('t'))]);
    let changes = 0;
    manager.on('tools', () => changes++);
    const before = manager.availableTools();
    const count = before.length;
    await manager.executeTool('add_tool', { name: 'lathe' });
    await until(() => shown(manager.availableTools()).includes('lathe'));
    expect(changes).toBe(1);
    expect(before).toHaveLength(count);
    expect(textOf(await manager.executeTool('lathe', {}))).toBe('I am lathe');
    expect(manager.toolStats()).toEqual(
      new Map([
        ['w', count],
        ['v', 1],
      ]),
    );

    // An unchanged list is read and compared, and no event is emitted.
    const listed = async () => jsonOf(await manager.executeTool('counts', {}))['tools/list'];
    const readings = await listed();
    await manager.request('w', 'tools/call', { name: 'add_tool', arguments: { name: 'lathe' } });
    await until(async () => (await listed()) > readings);
    await manager.executeTool('echo', { message: 'after the reading' });
    expect(changes).toBe(1);
  },
);

verifies('HUB-TOOLS-09', 'an unknown tool is an error that names the nearest', async () => {
  const manager = await hub([server('w')]);
  expect(() => manager.validateToolCall('ecko')).toThrow(
    'Tool \'ecko\' not found in any active server (did you mean "echo"?)',
  );
  await expect(manager.callTool('w', 'Ech', {})).rejects.toThrow('server "w" has no tool "Ech" (did you mean "echo"?)');
  expect(() => manager.validateToolCall('z'.repeat(100_000))).toThrow(/not found/);
});

verifies('HUB-TOOLS-04', 'forbidden tools do not depend on the order of the list', async () => {
  const rule = { forbidden_tools: ['a'], tool_meta: { a: { alias: 'b' } } };
  for (const order of [
    ['a', 'b'],
    ['b', 'a'],
  ]) {
    const manager = await hub([server('w', { ...tools(...order), ...rule })]);
    expect(manager.availableTools()).toMatchObject([{ name: 'b', displayName: 'b' }]);
    expect(() => manager.validateToolCall('a')).toThrow('is disabled by configuration');
  }
});

verifies('HUB-TOOLS-07', 'a conflict that an update did not cause does not fail it', async () => {
  const manager = await hub([server('first', tools('search'))]);
  await manager.stopClient('first');
  await manager.addOrUpdateServer(server('second', tools('search')));
  await manager.startClient('first');
  expect(manager.status().map(({ name, conflicts }) => [name, conflicts])).toEqual([
    ['first', []],
    ['second', ['search']],
  ]);
  await manager.addOrUpdateServer(server('second', { ...tools('search'), default_tool_meta: { tags: ['x'] } }));
  await manager.addOrUpdateServer(server('first', { ...tools('search'), default_tool_meta: { tags: ['y'] } }));
  expect(manager.validateToolCall('search')).toMatchObject({ server: 'first', meta: { tags: ['y'] } });
  expect(manager.validateToolCall('second.search')).toMatchObject({ server: 'second', meta: { tags: ['x'] } });
});

verifies(
  'HUB-LIFE-08',
  'while a server restarts with its new configuration its tools stay, and calls wait',
  async () => {
    const gate = join(await temporaryFolder(), 'gate');
    const slow = { WORKSHOP_TOOLS: '[{"name":"t"}]', WORKSHOP_GATE: gate };
    const manager = await hub([server('w', tools('t'))]);
    const updated = manager.addOrUpdateServer(server('w', { server_parameters: run('workshop.mjs', slow) }));
    expect(shown(manager.availableTools())).toEqual(['t']);
    const called = manager.executeTool('t', {});
    await writeFile(gate, '');
    expect(textOf(await called)).toBe('called t');
    await updated;
  },
);

verifies('CONF-WARN-02', 'warns once about a forbidden tool, and settings of a tool, that do not exist', async () => {
  const manager = await hub([], { autoConnect: false });
  const warnings = warningsOf(manager);
  const fields = { ...tools('a', 'b'), tool_meta: { b: { alias: 'c' }, e: {} }, forbidden_tools: ['a', 'c', 'd'] };
  await manager.addOrUpdateServer(server('s', fields));
  await manager.startClient('s');
  await manager.stopClient('s');
  await manager.startClient('s');
  expect(warnings).toEqual([
    's: forbidden_tools: "d" matches no tool of this server',
    's: tool_meta: "e" matches no tool of this server',
  ]);
});

verifies('SEC-NAME-01', 'a tool whose name looks like another one is left out, with a warning', async () => {
  const manager = await hub([]);
  const warnings = warningsOf(manager);
  await manager.addOrUpdateServer(server('w', tools('read_file', 'read_file\u200b')));
  expect(shown(manager.availableTools())).toEqual(['read_file']);
  expect(warnings.join('\n')).toContain('must not contain invisible characters (U+200B)');
});
