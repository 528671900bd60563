import { GENERATIONS } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { agentIn, ask, boot, call, joined, serve, server, workshop } from './harness.js';

const REQUEST = { agent: 'a', req_id: 'q', computer: 'pc' };

/** An MCP server with few tools, whose names begin with the prefix. */
function few(name: string, prefix: string, more: object = {}) {
  const names = ['echo', 'open_window'];
  const tools = names.map((tool) => ({ name: tool, inputSchema: { type: 'object' } }));
  return server(name, {
    server_parameters: workshop({ WORKSHOP_TOOLS: JSON.stringify(tools) }),
    tool_meta: Object.fromEntries(names.map((tool) => [tool, { alias: `${prefix}_${tool}` }])),
    ...more,
  });
}

verifies('MEM-BUNDLE-05', 'history and consent have the bundle id and the server’s own name of the tool', async () => {
  const asked: object[] = [];
  const computer = await boot({
    mcpServers: [few('my srv', 'x', { default_tool_meta: null }), few('other', 'y', { bundle_id: 'custom_id' })],
    confirm: ({ server: name, bundleId, tool, displayName }) => {
      asked.push({ name, bundleId, tool, displayName });
      return true;
    },
  });
  await computer.executeTool('1', 'my_srv__x_echo', { message: 'hi' });
  await computer.executeTool('2', 'y_echo', { message: 'hi' });
  await computer.executeTool('3', 'nothing', {});
  expect(asked).toEqual([{ name: 'my srv', bundleId: 'my_srv', tool: 'echo', displayName: 'x_echo' }]);
  expect(computer.history()).toMatchObject([
    { req_id: '1', server: 'my srv', bundle_id: 'my_srv', tool: 'echo' },
    { req_id: '2', server: 'other', bundle_id: 'custom_id', tool: 'echo' },
    { req_id: '3', server: '', bundle_id: '', tool: 'nothing' },
  ]);
});

verifies('MEM-BUNDLE-05', 'a call whose MCP server is removed is recorded with its bundle id', async () => {
  const computer = await boot({ mcpServers: [server('my srv')] });
  const pending = computer.executeTool('1', 'sleep', { ms: 60_000 }, { timeout: 60 });
  await computer.executeTool('2', 'echo', { message: 'hi' }); // The first call has begun then.
  await computer.removeServer('my srv');
  expect(await pending).toMatchObject({ isError: true });
  expect(computer.history()).toMatchObject([
    { req_id: '2', bundle_id: 'my_srv' },
    { req_id: '1', bundle_id: 'my_srv', success: false },
  ]);
});

verifies('MEM-DESK-01', 'Agents from 0.3 on see the windows by bundle id, older ones by name', async () => {
  const { url } = await serve({ officePolicy: () => ({ agents: 'many' }) });
  // By name 中 is last, by bundle id it is first.
  const mcpServers = [few('b', 'b'), few('c', 'c'), few('中', 'z', { bundle_id: 'a' })];
  const computer = await boot({ mcpServers });
  await joined(computer, url);
  const hosts = { z: 'zz', c: 'cc', b: 'bb' };
  for (const [prefix, host] of Object.entries(hosts))
    await computer.executeTool(prefix, `${prefix}_open_window`, { uri: `window://${host}`, body: host });
  const agentOf = (generation: '0.1' | '0.2' | '0.3' | '0.4') =>
    agentIn(url, 'o', generation, { query: { a2c_version: GENERATIONS[generation].version } });
  const orderFor = async (agent: Awaited<ReturnType<typeof agentOf>>) => {
    const [answer] = (await ask(agent, 'client:get_desktop', REQUEST)) as [{ desktops: string[] }];
    return answer.desktops.map((text) => text.split('\n\n')[1]);
  };
  const agents = {
    '0.1': await agentOf('0.1'),
    '0.2': await agentOf('0.2'),
    '0.3': await agentOf('0.3'),
    '0.4': await agentOf('0.4'),
  };
  // The history has ten calls: none is of a server with windows after these.
  for (let i = 0; i < 10; i++) await computer.executeTool(`none ${i}`, 'nothing', {});
  for (const generation of ['0.1', '0.2'] as const)
    expect(await orderFor(agents[generation])).toEqual(['bb', 'cc', 'zz']);
  for (const generation of ['0.3', '0.4'] as const)
    expect(await orderFor(agents[generation])).toEqual(['zz', 'bb', 'cc']);

  await call(agents['0.4'], 'c__c_echo', { message: 'hi' });
  expect(await orderFor(agents['0.4'])).toEqual(['cc', 'zz', 'bb']);
  expect(await orderFor(agents['0.1'])).toEqual(['cc', 'bb', 'zz']);
});
