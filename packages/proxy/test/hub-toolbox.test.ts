import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox, MCPProxy } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { start } from './hub-over.js';
import { EVERYTHING } from './real-servers.js';

const everything = { command: process.execPath, args: [EVERYTHING] };
const exec = (server_name: string, tool_name: string, args: object = {}) => ({
  name: 'exec',
  arguments: { server_name, tool_name, arguments: args },
});

describe('over a hub', () => {
  verifies(['MCPX-HUB-03', 'MCPX-HUB-01', 'MCPX-HUB-02'], 'serves a model while servers are starting', async () => {
    const servers = { everything, broken: { command: 'no-such-program' } };
    const { proxy } = await start(servers, { limits: { firstListMs: 0 } });
    const client = await enter(proxy, DOORS[0]);
    const { tools } = await client.listTools();
    expect(tools[0]?.description).toContain('Server: everything - (starting)');
    // Both wait for the server, which is still starting.
    const [shown, called] = await Promise.all([
      client.callTool({ name: 'inspect', arguments: { server_name: 'everything', tool_name: 'get-sum' } }),
      client.callTool(exec('everything', 'get-sum', { a: 1, b: 2 })),
    ]);
    expect(shown.content).toMatchObject([{ text: expect.stringContaining('Arguments: {a: number') }]);
    expect(called.content).toEqual([{ type: 'text', text: 'The sum of 1 and 2 is 3.' }]);
    expect(await client.callTool(exec('broken', 'x'))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"no-such-program" was not found') }],
    });
    expect(await client.callTool(exec('everything', 'get-sum', { a: 'one' }))).toMatchObject({
      isError: true,
      content: [
        {
          text: 'Invalid arguments for get-sum:\n- b: is required (number)\n- a: expected number, got string\nExpected: get-sum {a: number,b: number}',
        },
      ],
    });
  });

  verifies('CHOICE-STABLE-03', 'the first list of tools waits for servers that are starting', async () => {
    const { proxy } = await start({ everything }, { limits: { firstListMs: 60_000 } });
    const client = await enter(proxy, DOORS[0]);
    const { tools } = await client.listTools();
    expect(tools[0]?.description).toContain('- get-sum: ');
  });

  verifies('MCPX-FLOW-03', 'passes an elicitation of a real server to the client and the answer back', async () => {
    const { proxy, started } = await start({ everything });
    await started;
    for (const door of DOORS) {
      const client = await enter(proxy, door, { capabilities: { elicitation: { form: {} } } });
      client.setRequestHandler('elicitation/create', () => ({
        action: 'accept',
        content: { name: 'Ada', check: true },
      }));
      const { content } = await client.callTool(exec('everything', 'trigger-elicitation-request'));
      expect(JSON.stringify(content), door.door).toContain('Ada');
    }
  });

  verifies('MCPX-HUB-01', 'passes resources and prompts through', async () => {
    const { proxy, started } = await start({ everything });
    await started;
    const client = await enter(proxy, DOORS[3], { serve: { passThrough: true } });
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0]?.uri as string });
    expect(contents[0]).toMatchObject({ text: expect.any(String) });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('simple-prompt');
    expect((await client.callTool({ name: 'echo', arguments: { message: 'x' } })).content).toMatchObject([
      { text: 'Echo: x' },
    ]);
  });

  verifies('MCPX-HUB-01', 'applies aliases, forbidden tools and auto_apply of the configuration', async () => {
    const text = JSON.stringify({
      servers: [
        {
          name: 'everything',
          type: 'stdio',
          disabled: false,
          forbidden_tools: ['get-env'],
          tool_meta: { 'get-sum': { alias: 'add' }, echo: { auto_apply: false } },
          server_parameters: everything,
        },
        {
          name: 'off',
          type: 'stdio',
          disabled: true,
          forbidden_tools: [],
          tool_meta: {},
          server_parameters: everything,
        },
      ],
      inputs: [],
    });
    const { config, problems } = readConfig(text, { file: 'a2c.json' });
    if (!config) throw new Error(JSON.stringify(problems));
    const guard = new TrustGuard({ ...UNTRUSTED, trusted: true });
    const hub = new MCPServerManager({ ...HubToolbox.hubOptions, guard });
    atEnd(() => hub.close());
    await hub.initialize(config.servers);
    const toolbox = new HubToolbox(hub);
    const proxy = new MCPProxy(toolbox);
    atEnd(() => proxy.close());
    const client = await enter(proxy, DOORS[0]);
    const [inspect] = (await client.listTools()).tools;
    expect(inspect?.description).toContain('- add: Returns the sum');
    expect(inspect?.description).not.toMatch(/get-env|get-sum|Server: off/);
    expect(await client.callTool(exec('everything', 'add', { a: 1, b: 1 }))).toMatchObject({
      content: [{ text: 'The sum of 1 and 1 is 2.' }],
    });
    expect(await client.callTool(exec('everything', 'get-env'))).toMatchObject({ isError: true });
    expect(await client.callTool(exec('everything', 'echo', { message: 'x' }))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("needs a person's consent") }],
    });
  });
});
