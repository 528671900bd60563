import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { atEnd, serving } from './doors.js';
import { proxyOver } from './hub-over.js';

const script = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));
const workshop = { name: 'w', entry: async () => ({ command: process.execPath, args: [script] }) };

async function connected(url: URL, mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  atEnd(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

describe.each([
  { generation: '2025-11-25', mode: 'legacy' },
  { generation: '2026-07-28', mode: 'auto' },
] as const)('over HTTP, slow calls of a client of MCP $generation', ({ mode }) => {
  verifies('COST-SHARE-02', 'do not delay the calls of another session', async () => {
    const url = await serving(await proxyOver(workshop));
    const [busy, honest] = [await connected(url, mode), await connected(url, 'legacy')];
    let isOver = false;
    const exec = (tool_name: string, args: object) => ({
      name: 'exec',
      arguments: { server_name: 'w', tool_name, arguments: args },
    });
    for (let i = 0; i < 100; i++) {
      const slow = busy.callTool(exec('sleep', { ms: 3_600_000 }), { timeout: 600_000 });
      slow
        .catch(() => {})
        .finally(() => {
          isOver = true;
        });
    }
    await honest.callTool(exec('echo', { message: 'hi' }));
    // Until now, not all of the others need to have arrived.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { content } = await honest.callTool(exec('echo', { message: 'hi' }));
    expect(content).toMatchObject([{ text: 'hi' }]);
    expect(isOver).toBe(false);
  });
});

/** A session of MCP 2025 from this address. */
async function sessionFrom(url: URL, localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  atEnd(() => agent.destroy());
  let id = '';
  const post = (message: object) =>
    new Promise<string>((resolve, reject) => {
      const accept = 'application/json, text/event-stream';
      const session = id === '' ? {} : { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
      const headers = { accept, 'content-type': 'application/json', ...session };
      const sent = request(url, { method: 'POST', headers, agent, localAddress }, async (response) => {
        id ||= String(response.headers['mcp-session-id']);
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve(text);
      });
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await post({ id: 0, method: 'initialize', params });
  await post({ method: 'notifications/initialized' });
  const exec = (tool_name: string, args: object) => {
    const call = { server_name: 'w', tool_name, arguments: args };
    return post({ id: 1, method: 'tools/call', params: { name: 'exec', arguments: call } });
  };
  return { exec };
}

verifies(
  'COST-SHARE-02',
  'the calls of many sessions of one address do not delay those of another address',
  async () => {
    const url = await serving(await proxyOver(workshop));
    const honest = await sessionFrom(url, '127.0.0.2');
    const sessions = await Promise.all(Array.from({ length: 140 }, () => sessionFrom(url, '127.0.0.3')));
    for (const { exec } of sessions) exec('sleep', { ms: 3_600_000 }).catch(() => {});
    for (let turn = 0; turn < 3; turn++) {
      expect(await honest.exec('echo', { message: 'hi' })).toContain('hi');
      // Until now, not all of the others need to have arrived.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  },
);
