import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { MCPProxy, serveHttp } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { limitUnread } from '../src/serve/unread.js';
import { MemoryToolbox } from './memory-toolbox.js';

const MIB = 2 ** 20;

verifies(
  'COST-UNREAD-01',
  'a stream ends when too much of it is not read; a long message alone does not end it',
  async () => {
    let cancelled: unknown;
    const endless = (bytes: number, count: number) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (let index = 0; index < count; index++) controller.enqueue(new Uint8Array(bytes));
          controller.close();
        },
        cancel: (reason) => {
          cancelled = reason;
        },
      });
    expect((await new Response(limitUnread(endless(64 * MIB, 1))).arrayBuffer()).byteLength).toBe(64 * MIB);
    expect((await new Response(limitUnread(endless(MIB, 8))).arrayBuffer()).byteLength).toBe(8 * MIB);
    const unread = limitUnread(endless(MIB, 8));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(new Response(unread).arrayBuffer()).rejects.toThrow('the client does not read its messages');
    expect(cancelled).toBe('the client does not read its messages');
  },
);

verifies('COST-UNREAD-01', 'a client that does not read its notifications is disconnected', async () => {
  const toolbox = new MemoryToolbox([
    { name: 'loud', state: 'ready', tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  ]);
  const sent = { bytes: 0 };
  toolbox.answer = async ({ onProgress }) => {
    if (!onProgress) return { content: [] };
    const message = 'x'.repeat(20_000);
    for (let progress = 0; progress < 10_000; progress++) {
      onProgress({ progress, message });
      sent.bytes += message.length;
      if (progress % 10 === 0) await new Promise(setImmediate);
    }
    return { content: [] };
  };
  const endpoint = await serveHttp(new MCPProxy(toolbox));
  onTestFinished(() => endpoint.close());
  const url = new URL(endpoint.url);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const version = '2025-11-25';
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const opened = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) });
  await opened.text();
  const params = { name: 'exec', arguments: { server_name: 'loud', tool_name: 'work' } };
  const quiet = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  const loud = { ...params, _meta: { progressToken: 1 } };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: loud });
  const session = {
    ...headers,
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': version,
  };
  // The SDK handles the first call of a session, and the proxy itself the next ones.
  await (await fetch(url, { method: 'POST', headers: session, body: quiet })).text();
  const all = { ...session, host: url.host, 'content-length': String(call.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(Number(url.port), '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}); // It is disconnected.
  await once(socket, 'connect');
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${call}`);
  await expect.poll(() => sent.bytes).toBeGreaterThan(100 * MIB);
  let received = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) received += chunk.length;
  expect(received).toBeGreaterThan(0);
  // What waited, and the buffers of the sockets.
  expect(received).toBeLessThan(40 * MIB);
});

verifies('COST-UNREAD-02', 'connections with answers that are not read end, those that are read do not', async () => {
  const toolbox = new MemoryToolbox([{ name: 'big', state: 'ready', tools: [{ name: 'read', inputSchema: {} }] }]);
  const text = 'x'.repeat(16 * MIB);
  toolbox.answer = () => ({ content: [{ type: 'text', text }] });
  const limits = { unsentBytes: 40 * MIB };
  const endpoint = await serveHttp(new MCPProxy(toolbox, { limits, maxResultLength: 32 * MIB }));
  onTestFinished(() => endpoint.close());
  const url = new URL(endpoint.url);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'exec', arguments: { server_name: 'big', tool_name: 'read' }, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'exec',
  };
  const read = async () => (await (await fetch(url, { method: 'POST', headers, body })).text()).length;
  expect(await read()).toBeGreaterThan(16 * MIB);
  const destroyed = new Set<number | undefined>();
  const destroy = Socket.prototype.destroy;
  const spy = vi.spyOn(Socket.prototype, 'destroy').mockImplementation(function (this: Socket, ...args) {
    if (this.localPort === Number(url.port)) destroyed.add(this.remotePort);
    return destroy.apply(this, args);
  });
  onTestFinished(() => spy.mockRestore());
  const all = { ...headers, host: url.host, 'content-length': String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const ports: (number | undefined)[] = [];
  for (let count = 0; count < 6; count++) {
    const socket = connect(Number(url.port), '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}); // It is disconnected.
    await once(socket, 'connect');
    ports.push(socket.localPort);
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  const ended = () => ports.filter((port) => destroyed.has(port)).length;
  await expect.poll(ended, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
  expect(ended()).toBeLessThan(6);
  expect(await read()).toBeGreaterThan(16 * MIB);
});
