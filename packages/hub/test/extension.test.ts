import { TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { expect } from 'vitest';
import { BaseMCPClient, type ClientFactories, customServer } from '../src/index.js';
import { hub, server, textOf } from './hub.js';

/** Connects to an MCP server in this process, over a transport of the SDK. */
class InProcessMCPClient extends BaseMCPClient {
  override async createTransport() {
    const { greeting } = this.server.transport as unknown as { readonly greeting: string };
    const mcp = new McpServer({ name: 'greeter', version: '1.0.0' });
    const inputSchema = fromJsonSchema({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    mcp.registerTool('hello', { inputSchema }, (args) => ({
      content: [{ type: 'text', text: `${greeting} ${(args as { name: string }).name}` }],
    }));
    const [client, served] = InMemoryTransport.createLinkedPair();
    await mcp.connect(served);
    return client;
  }
}

const clients: ClientFactories = { 'in-process': (settings, options) => new InProcessMCPClient(settings, options) };
const greeter = customServer({
  name: 'greeter',
  transport: { type: 'in-process', greeting: 'hi' },
  tool_meta: { hello: { alias: 'greet' } },
});

verifies('HUB-EXT-02', 'a client registered from outside has the life cycle and the calls of any other', async () => {
  const manager = await hub([greeter, server('w')], { clients });
  expect(manager.status()).toMatchObject([
    { name: 'greeter', transport: 'in-process', state: 'connected', tools: 1, serverInfo: { name: 'greeter' } },
    { name: 'w', state: 'connected' },
  ]);
  expect(textOf(await manager.executeTool('greet', { name: 'Ada' }))).toBe('hi Ada');
  await expect(manager.executeTool('greet', {})).rejects.toMatchObject({ kind: 'invalid-arguments' });
  await manager.stopClient('greeter');
  expect(manager.status()[0]).toMatchObject({ state: 'disconnected', active: false });
  await manager.startClient('greeter');
  expect(textOf(await manager.executeTool('greet', { name: 'Bob' }))).toBe('hi Bob');
});

verifies('HUB-EXT-02', 'a built-in client can be replaced', async () => {
  const manager = await hub([server('greeter')], {
    clients: { stdio: (_stdio, options) => new InProcessMCPClient(greeter, options) },
  });
  expect(textOf(await manager.executeTool('hello', { name: 'Ada' }))).toBe('hi Ada');
});

verifies('HUB-EXT-03', 'a custom transport is refused without a client for it, and without trust', async () => {
  const unknown = await hub([greeter]);
  expect(unknown.status()[0]).toMatchObject({
    state: 'error',
    retryAt: null,
    cause: expect.stringContaining('the transport type "in-process", which is unknown'),
  });
  const untrusted = await hub([greeter], { clients, guard: new TrustGuard(UNTRUSTED) });
  expect(untrusted.status()[0]).toMatchObject({
    state: 'error',
    retryAt: null,
    cause: expect.stringContaining('needs a trusted configuration'),
  });
});
