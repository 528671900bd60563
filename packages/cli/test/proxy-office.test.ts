import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { apiKey, listen } from '@a2c/server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { io, type Socket } from 'socket.io-client';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

async function serve(port = 0): Promise<string> {
  const { url, close } = await listen({ port, authenticate: apiKey('k'), logger });
  onTestFinished(() => close());
  return url;
}

const tool = (name: string) => ({
  name,
  description: `does ${name}`,
  params_schema: { type: 'object' },
  return_schema: null,
  meta: { a2c_server: 'files' },
});

interface Computer {
  readonly socket: Socket;
  /** Replaces its tools and notifies the office. */
  offer(...names: string[]): void;
  readonly calls: string[];
  readonly cancelled: string[];
}

/** A Computer `pc` in office `demo`. Its tool `wait` never returns; all others return their name. */
async function computerAt(url: string): Promise<Computer> {
  const socket = io(`${url}/smcp`, { forceNew: true, reconnection: false, auth: { api_key: 'k' } });
  onTestFinished(() => void socket.disconnect());
  let tools = ['read', 'wait'].map(tool);
  const [calls, cancelled]: [string[], string[]] = [[], []];
  socket.on('client:get_tools', ({ req_id }, ack) => ack({ tools, req_id }));
  socket.on('client:tool_call', ({ tool_name }, ack) => {
    calls.push(tool_name);
    if (tool_name !== 'wait') ack({ content: [{ type: 'text', text: `did ${tool_name}` }], isError: false });
  });
  socket.on('notify:tool_call_cancel', ({ req_id }) => cancelled.push(req_id));
  await new Promise((resolve) =>
    socket.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'demo' }, resolve),
  );
  const offer = (...names: string[]) => {
    tools = names.map(tool);
    socket.emit('server:update_tool_list', { computer: 'pc' });
  };
  return { socket, offer, calls, cancelled };
}

const server = (name: 'everything' | 'filesystem', ...args: string[]) => ({
  command: process.execPath,
  args: [join(inject('commands'), `${name}.js`), ...args],
});

/** Starts `a2c …` in the background and waits until it is ready. */
async function ready(place: Workplace, ...args: string[]): Promise<void> {
  const env = { ...process.env, A2C_HOME: place.home, A2C_API_KEY: 'k' };
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: place.folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })) as [Buffer];
  expect(String(line)).toMatch(/^ready /);
}

/** `a2c proxy …` started by a client, as Claude Desktop does. */
async function connect(place: Workplace, ...args: string[]) {
  const env = { ...(process.env as Record<string, string>), A2C_HOME: place.home, A2C_API_KEY: 'k' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'proxy', ...args],
    cwd: place.folder,
    env,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const noise: Error[] = [];
  client.onerror = (error) => noise.push(error);
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
  await client.connect(transport);
  const catalogue = async () => (await client.listTools()).tools[0]?.description;
  return { client, noise, catalogue, changes: () => changes };
}

const exec = (tool_name: string) => ({ name: 'exec', arguments: { server_name: 'pc/files', tool_name } });
const seen = <T>(look: () => T) => expect.poll(look);

describe('a2c proxy over an office', () => {
  verifies('MCPX-OFFICE-07', 'serves the Computers of the office, as they join, change and leave', async () => {
    const url = await serve();
    const pc = await computerAt(url);
    const { client, noise, catalogue, changes } = await connect(new Workplace(), '--url', url, '--office', 'demo');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['inspect', 'exec']);
    await seen(catalogue).toContain('Server: pc/files\n    - read: does read');
    expect(await client.callTool(exec('read'))).toMatchObject({ content: [{ text: 'did read' }] });

    const before = changes();
    pc.offer('read', 'wait', 'write');
    await seen(changes).toBeGreaterThan(before);
    await seen(catalogue).toContain('- write: does write');
    expect(await client.callTool(exec('write'))).toMatchObject({ content: [{ text: 'did write' }] });

    const abort = new AbortController();
    const call = client.callTool(exec('wait'), { signal: abort.signal });
    await seen(() => pc.calls).toContain('wait');
    abort.abort('enough');
    await expect(call).rejects.toThrow();
    await seen(() => pc.cancelled).toHaveLength(1);

    const left = client.callTool(exec('wait'));
    await seen(() => pc.calls.filter((name) => name === 'wait')).toHaveLength(2);
    pc.socket.disconnect();
    expect(await left).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^"wait" of Computer "pc" may have run: Computer "pc" has left/) }],
    });
    await seen(catalogue).toContain('no Computer is in this office');
    expect(noise).toEqual([]);
  });

  verifies(
    'MCPX-OFFICE-07',
    'serves the MCP servers of a real Computer by name; the Computer decides about consent',
    async () => {
      const url = await serve();
      const [everything, files] = [server('everything'), server('filesystem', '.')];
      const trusting = new Workplace({ 'mcp.json': { mcpServers: { everything, files } } });
      const careful = new Workplace({ 'mcp.json': { mcpServers: { everything } } });
      const args = ['-c', 'mcp.json', '--url', url, '--office', 'demo', '--headless'];
      await ready(trusting, 'computer', 'run', ...args, '--name', 'pc', '--confirm', 'allow');
      await ready(careful, 'computer', 'run', ...args, '--name', 'vault', '--confirm', 'deny');
      const { client, catalogue } = await connect(new Workplace(), '--url', url, '--office', 'demo');
      for (const name of ['pc/everything', 'pc/files', 'vault/everything']) {
        await seen(catalogue).toContain(`Server: ${name}\n`);
      }
      const sum = (server_name: string) =>
        client.callTool({ name: 'exec', arguments: { server_name, tool_name: 'get-sum', arguments: { a: 1, b: 2 } } });
      expect(await sum('pc/everything')).toMatchObject({ content: [{ text: 'The sum of 1 and 2 is 3.' }] });
      expect(await sum('vault/everything')).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/the Computer denies such calls without asking/) }],
        structuredContent: { error: expect.stringMatching(/the Computer denies such calls without asking/) },
        _meta: { error_code: 4005 },
      });
    },
  );

  verifies('MCPX-OFFICE-05', 'starts while the Server is unreachable, reports it, and joins later', async () => {
    const { url: at, close } = await listen({ port: 0, authenticate: apiKey('k'), logger });
    await close();
    const { client, catalogue } = await connect(new Workplace(), '--url', at, '--office', 'demo');
    expect(await catalogue()).toContain('office "demo" is not available: cannot reach');
    expect(await client.callTool(exec('read'))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('office "demo" is not available: cannot reach') }],
    });
    const url = await serve(Number(new URL(at).port));
    await computerAt(url);
    await seen(catalogue).toContain('Server: pc/files');
    expect(await client.callTool(exec('read'))).toMatchObject({ content: [{ text: 'did read' }] });
  });

  verifies('MCPX-OFFICE-07', 'takes its tools either from a configuration or from an office', async () => {
    const place = new Workplace({ 'mcp.json': { mcpServers: {} } });
    const refused = {
      'cannot be combined': ['--config', 'mcp.json', '--url', 'http://127.0.0.1:1', '--office', 'demo'],
      'needs --office': ['--url', 'http://127.0.0.1:1'],
      'without TLS': ['--url', 'http://example.org', '--office', 'demo'],
    };
    for (const [words, args] of Object.entries(refused)) {
      const ended = await place.a2c('proxy', ...args);
      expect(ended, words).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    }
  });
});
