import { HUB_LIMITS } from '@a2c/hub';
import { MCPProxy } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter, STREAM_OPEN, serving } from './doors.js';
import { fixture, text } from './fixture.js';
import { proxyOver } from './hub-over.js';
import { MemoryToolbox } from './memory-toolbox.js';
import { Moment } from './moment.js';
import { everything } from './real-servers.js';

const exec = (server_name: string, tool_name: string, args: object = {}) => ({
  name: 'exec',
  arguments: { server_name, tool_name, arguments: args },
});

const counter = () => {
  let calls = 0;
  return fixture('counter', { count: { run: () => text(`${++calls}`) } });
};

describe.each(DOORS)('a client of $generation on $door', (door) => {
  verifies(
    ['MCPX-CONTEXT-01', 'MCPX-SERVE-01', 'MCPX-SERVE-02', 'MCPX-EXEC-01', 'MCPX-INSPECT-01'],
    'sees two tools and reaches all others through them',
    async () => {
      const proxy = await proxyOver(everything(), everything('second'), counter());
      const client = await enter(proxy, door);
      expect(client.getNegotiatedProtocolVersion()).toBe(door.generation);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['inspect', 'exec']);
      expect(tools[0]?.description).toContain('  Server: second - ');
      const listed = await client.callTool({ name: 'inspect', arguments: { server_name: 'everything' } });
      expect(listed.content[0]).toMatchObject({
        text: expect.stringContaining('- get-sum {a: number,b: number}: Returns'),
      });
      const sum = await client.callTool(exec('second', 'get-sum', { a: 2, b: 3 }));
      expect(sum.content).toEqual([{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]);
    },
  );

  verifies(['MCPX-EXEC-02', 'MCPX-EXEC-05'], 'runs every call, on one connection to the server', async () => {
    const client = await enter(await proxyOver(counter()), door);
    for (const expected of ['1', '2', '3']) {
      expect(await client.callTool(exec('counter', 'count'))).toMatchObject({ content: [{ text: expected }] });
    }
  });

  verifies('MCPX-EXEC-03', 'runs a hundred tools at once', async () => {
    let waiting = 0;
    const all = new Moment();
    const meet = fixture('meet', {
      meet: {
        run: async ({ number }) => {
          waiting += 1;
          if (waiting === HUB_LIMITS.callsInFlight) all.happen();
          await all.promise; // no call ends before as many have started as one server runs at once
          return text(`${number}`);
        },
      },
    });
    const client = await enter(await proxyOver(meet), door);
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const results = await Promise.all(numbers.map((number) => client.callTool(exec('meet', 'meet', { number }))));
    expect(results.map(({ content: [block] }) => (block as { text: string }).text)).toEqual(numbers.map(String));
  });

  verifies('MCPX-CATALOGUE-05', 'is notified when the catalogue changes', async () => {
    const toolbox = new MemoryToolbox([]);
    const proxy = new MCPProxy(toolbox);
    atEnd(() => proxy.close());
    const notified = new Moment();
    const open = new Moment();
    const client = await enter(proxy, door, {
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => notified.happen() } },
      onWire: (text) => text === STREAM_OPEN && open.happen(),
    });
    if (door.door === 'http' && door.generation === '2025-11-25') await open.promise;
    toolbox.become([{ name: 'new', state: 'ready', tools: [] }]);
    await notified.promise;
    const { tools } = await client.listTools();
    expect(tools[0]?.description).toContain('Server: new');
  });

  verifies(['MCPX-RESULT-01', 'MCPX-RESULT-02'], 'receives results unchanged, also unknown content', async () => {
    const odd = {
      content: [
        { type: 'hologram', depth: 3 },
        { type: 'text', text: 'x', extra: true },
      ],
      structuredContent: { a: [1] },
      _meta: { 'example.com/trace': 't' },
    };
    const proxy = new MCPProxy(
      Object.assign(new MemoryToolbox([{ name: 's', state: 'ready', tools: [{ name: 't', inputSchema: {} }] }]), {
        answer: () => odd,
      }),
    );
    atEnd(() => proxy.close());
    const wire: string[] = [];
    const client = await enter(proxy, door, { onWire: (text) => wire.push(text) });
    await client.callTool(exec('s', 't')).catch(() => {}); // the SDK's client rejects the unknown block
    const sent = wire.find((text) => text.includes('hologram')) as string;
    const { result } = JSON.parse(sent.slice(sent.indexOf('{'))) as { result: object };
    expect(result).toMatchObject(odd);
  });

  verifies('MCPX-ERROR-06', 'receives errors as results, and a hint when it calls a tool by its own name', async () => {
    const client = await enter(await proxyOver(counter()), door);
    const missing = [
      { name: 'exec', arguments: {} },
      { name: 'exec', arguments: { server_name: 'counter', tool_name: 'count', number: 1 } },
      exec('nothing', 'count'),
      { name: 'inspect', arguments: { server_name: 7 } },
    ];
    for (const call of missing) expect(await client.callTool(call)).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'count' })).rejects.toThrow(
      'Call exec with server_name "counter" and tool_name "count"',
    );
  });
});

verifies('MCPX-CONTEXT-02', 'the two tools are the same for all clients, with correct annotations', async () => {
  const proxy = await proxyOver(counter());
  const lists = await Promise.all(DOORS.map(async (door) => (await (await enter(proxy, door)).listTools()).tools));
  for (const list of lists) expect(list).toEqual(lists[0]);
  const [inspect, exec] = lists[0] ?? [];
  expect(inspect?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  expect(exec?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
  expect(inspect?.outputSchema).toMatchObject({ type: 'object', properties: { tools: { type: 'array' } } });
  expect(inspect?.inputSchema.required).toEqual(['server_name']);
  expect(exec?.inputSchema.required).toEqual(['server_name', 'tool_name']);
});

verifies('MCPX-REGISTRY-01', 'a server that cannot start does not affect others', async () => {
  const broken = { name: 'broken', entry: async () => ({ command: 'no-such-program' }) };
  const client = await enter(await proxyOver(broken, counter()), DOORS[0]);
  const { tools } = await client.listTools();
  expect(tools[0]?.description).toContain('Server: broken - (failed: ');
  expect(await client.callTool(exec('counter', 'count'))).toMatchObject({ content: [{ text: '1' }] });
  expect(await client.callTool(exec('broken', 'x'))).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"no-such-program" was not found') }],
  });
});

verifies('MCPX-ERROR-04', 'a server that ends is reported with its state and cause', async () => {
  const dying = fixture('dying', {
    die: {
      run: async () => {
        await dying.server.close();
        return text('never');
      },
    },
  });
  const client = await enter(await proxyOver(dying), DOORS[0]);
  expect(await client.callTool(exec('dying', 'die'))).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('dying') }],
  });
});

verifies('MCPX-SERVE-02', 'both generations share one URL; only the older one has sessions', async () => {
  const url = await serving(await proxyOver(counter()));
  const clients = await Promise.all(
    (['legacy', 'auto'] as const).map(async (mode) => {
      const transport = new StreamableHTTPClientTransport(url);
      const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
      atEnd(() => client.close());
      await client.connect(transport);
      return { version: client.getNegotiatedProtocolVersion(), session: transport.sessionId };
    }),
  );
  expect(clients).toEqual([
    { version: '2025-11-25', session: expect.stringMatching(/^[\w-]{36}$/) },
    { version: '2026-07-28', session: undefined },
  ]);
});
