import { McpProxy } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ClientToolbox } from './client-toolbox.js';
import { atEnd, DOORS, enter } from './doors.js';
import { everything } from './real-servers.js';

describe.each(DOORS)('a client of $generation on $door', (door) => {
  verifies('MCPX-SCHEMA-03', 'sees two tools and can use all of them', async () => {
    const toolbox = await ClientToolbox.connect(everything());
    atEnd(() => toolbox.close());
    const proxy = new McpProxy(toolbox);
    atEnd(() => proxy.close());
    const client = await enter(proxy, door);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['inspect', 'exec']);
    console.log(tools[0]?.description);
    console.log((await client.callTool({ name: 'inspect', arguments: { server_name: 'everything' } })).content);
    const result = await client.callTool({
      name: 'exec',
      arguments: { server_name: 'everything', tool_name: 'echo', arguments: { message: 'hi' } },
    });
    expect(result.content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
  });
});
