import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { HubError } from '@a2c/hub';
import { GENERATIONS, type Generation } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { failureResult } from '../src/calls/failure-results.js';
import {
  agentIn,
  ask,
  bareServer,
  boot,
  call,
  inputs,
  joined,
  oddities,
  sdkServer,
  serve,
  server,
  until,
} from './harness.js';

const REQUEST = { agent: 'a', req_id: 'q', computer: 'pc' };

const mcpServers = [server('my w')];

/** A raw Agent of a generation, in the office of a Computer. */
async function officeOf(generation: Generation, options: Parameters<typeof boot>[0] = {}, limits = {}) {
  const { url } = await serve({ limits });
  await joined(await boot(options), url);
  return agentIn(url, 'o', 'a', { query: { a2c_version: GENERATIONS[generation].version } });
}

describe('answers in the form of the Agent', () => {
  const pick = { id: 'p', type: 'pickString', description: '', options: [{ label: 'Europe', value: 'eu' }] };
  for (const [generation, name, key, option] of [
    ['0.1', 'echo', 'my w', 'eu'],
    ['0.2', 'echo', 'my w', 'eu'],
    ['0.3', 'my_w__echo', 'my_w', { label: 'Europe', value: 'eu' }],
    ['0.4', 'my_w__echo', 'my_w', { label: 'Europe', value: 'eu' }],
  ] as const) {
    verifies('MEM-NAMES-01', `${generation}: names, configuration and calls by both names`, async () => {
      const agent = await officeOf(generation, { mcpServers, inputs: inputs(pick) });
      const [list] = (await ask(agent, 'client:get_tools', REQUEST)) as [
        { tools: { name: string; bundle_id?: string }[] },
      ];
      expect(list.tools.map((tool) => tool.name)).toContain(name);
      expect(list.tools[0]?.bundle_id).toBe(name === 'echo' ? undefined : 'my_w');
      const [config] = (await ask(agent, 'client:get_config', REQUEST)) as [{ servers: object; inputs: object[] }];
      expect(Object.keys(config.servers)).toEqual([key]);
      expect(config.inputs).toMatchObject([{ options: [option] }]);
      for (const [index, tool] of ['echo', 'my_w__echo'].entries())
        expect(await call(agent, tool, { message: 'hi' }, { req_id: `c${index}` })).toMatchObject({ isError: false });
    });
  }

  verifies('MEM-BLOB-01', 'large images are blobs from 0.2 on without being asked for; text is not', async () => {
    const options = {
      mcpServers: [server('big', { server_parameters: sdkServer() }), server('odd', { server_parameters: oddities() })],
    };
    for (const generation of ['0.2', '0.3', '0.4'] as const) {
      const agent = await officeOf(generation, options, { messageBytes: 100_000 });
      const image = await call(agent, 'picture', { bytes: 200_000 });
      const [block] = image.content as unknown as { data: string; _meta: Record<string, unknown> }[];
      expect(block, generation).toMatchObject({ type: 'image', data: '', _meta: { a2c_total_size: 200_000 } });
      const blob_handle = block?._meta.a2c_blob_handle;
      const [chunk] = await ask(agent, 'client:get_blob', { ...REQUEST, blob_handle, max_chunk_bytes: 1_000 });
      expect(chunk).toMatchObject({ blob_handle, mime_type: 'image/png', total_size: 200_000, eof: false });
    }
    const first = await officeOf('0.1', options, { messageBytes: 100_000 });
    expect(await call(first, 'picture', { bytes: 200_000 })).toMatchObject({ isError: true });
    const agent = await officeOf('0.4', options, { messageBytes: 100_000 });
    const text = await call(agent, 'big', { bytes: 200_000 });
    expect(text).toMatchObject({ isError: true });
    const asked = await call(agent, 'big', { bytes: 200_000 }, { accept_blobs: true, req_id: 'b' });
    expect(asked).toMatchObject({ isError: false, content: [{ _meta: { a2c_total_size: 200_000 } }] });
  });
});

verifies('GEN-LINK-05', 'a pinned generation decides the answers at a Server that checks no version', async () => {
  const answers: Record<string, unknown>[] = [];
  const { url } = await bareServer((socket) => {
    const { a2c_version } = socket.handshake.query;
    socket.on('server:list_room', ({ req_id }, ack) => {
      ack({ sessions: [{ sid: socket.id, name: 'pc', role: 'computer', office_id: 'o', a2c_version }], req_id });
    });
    socket.on('server:join_office', async (_join, ack) => {
      ack(true, null);
      const { tools } = await socket.emitWithAck('client:get_tools', { ...REQUEST, computer: 'pc' });
      const { servers } = await socket.emitWithAck('client:get_config', { ...REQUEST, computer: 'pc' });
      answers.push({ version: a2c_version, tool: tools[0].name, id: tools[0].bundle_id, keys: Object.keys(servers) });
    });
  });
  for (const [index, dialect] of (['0.2', '0.3'] as const).entries()) {
    await joined(await boot({ mcpServers }), url, { dialect });
    await until(() => answers.length > index);
  }
  expect(answers).toEqual([
    { version: '0.2.2', tool: 'echo', id: undefined, keys: ['my w'] },
    { version: '0.3.2', tool: 'my_w__echo', id: 'my_w', keys: ['my_w'] },
  ]);
});

describe('resources', () => {
  verifies('MEM-RES-01', 'of an unknown server are 4014, of one without resources 4015', async () => {
    const path = fileURLToPath(new URL('servers/shelf.mjs', import.meta.url));
    const bare = { command: process.execPath, args: [path], env: { SHELF_NONE: '1' } };
    const agent = await officeOf('0.4', { mcpServers: [server('bare', { server_parameters: bare })] });
    const list = async (mcp_server: string) =>
      (await ask(agent, 'client:get_resources', { ...REQUEST, mcp_server }))[0];
    expect(await list('none')).toMatchObject({ code: 4014, mcp_server: 'none' });
    expect(await list('bare')).toMatchObject({ code: 4015, mcp_server: 'bare', capability: 'resources' });
  });
});

verifies('MEM-RES-01', 'a stopped MCP server is answered with 4014, not with silence', async () => {
  const { url } = await serve();
  const computer = await boot({ mcpServers: [server('my w')] });
  await joined(computer, url);
  const agent = await agentIn(url, 'o', 'a', { query: { a2c_version: '0.4.0' } });
  const list = async () => (await ask(agent, 'client:get_resources', { ...REQUEST, mcp_server: 'my_w' }))[0];
  expect(await list()).toMatchObject({ resources: [{ uri: 'file:///readme' }], req_id: 'q' });
  await computer.stopServer('my w');
  expect(await list()).toMatchObject({ code: 4014, mcp_server: 'my_w' });
});

describe('an MCP server that refuses the credentials', () => {
  const vectors = [
    [403, {}, 4007, 'token_refresh_required'],
    [401, {}, 4006, 'user_authorization_required'],
    [401, { 'www-authenticate': 'Bearer realm="mcp"' }, 4006, 'user_authorization_required'],
  ] as const;
  for (const [status, headers, code, action] of vectors) {
    verifies('MEM-AUTH-01', `HTTP ${status} ${JSON.stringify(headers)} is ${code}`, async () => {
      const http = createServer(async (request, response) => {
        const message = await bodyOf(request);
        if (message.method === 'tools/call') return void response.writeHead(status, headers).end();
        if (message.id === undefined) return void response.writeHead(202).end();
        const result =
          message.method === 'initialize'
            ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
            : { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      });
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        http.closeAllConnections();
        http.close();
      });
      const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
      const remote = server('far away', {
        type: 'streamable',
        server_parameters: { url, headers: { Authorization: 'Bearer s3cret-token' } },
      });
      const computer = await boot({ mcpServers: [remote] });
      const result = await computer.executeTool('1', 'act', {}, { timeout: 20 });
      expect(result).toMatchObject({
        isError: true,
        _meta: { error_code: code, mcp_server: 'far_away', auth_hint: { action, message: expect.any(String) } },
      });
      expect(JSON.stringify(result)).not.toMatch(/s3cret|127\.0\.0\.1/);
    });
  }
});

verifies('MEM-AUTH-01', 'a missing login is 4006; an expired one, or one that lacks scopes, is 4007', () => {
  for (const [status, code, action] of [
    [401, 4006, 'user_authorization_required'],
    [403, 4007, 'token_refresh_required'],
  ] as const) {
    const error = new HubError('needs-login', 'see https://id.example.com?state=s3cret', {
      server: 'far',
      code: status,
    });
    const result = failureResult(error, { reqId: 'r', tool: 't', mcpServer: 'far', redact: (text) => text });
    expect(result).toMatchObject({
      isError: true,
      _meta: { error_code: code, mcp_server: 'far', auth_hint: { action, message: expect.stringContaining('login') } },
    });
    expect(JSON.stringify(result)).not.toMatch(/s3cret|example/);
  }
});

verifies('MEM-AUTH-01', 'a failed MCP server is no authorisation error', async () => {
  const http = createServer(async (request, response) => {
    const { id, method } = await bodyOf(request);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call') return void response.writeHead(500).end();
    const about = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    };
    const result = method === 'initialize' ? about : { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const computer = await boot({ mcpServers: [server('w', { type: 'streamable', server_parameters: { url } })] });
  const result = await computer.executeTool('1', 'act', {}, { timeout: 20 });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result)).not.toMatch(/400[67]|auth_hint/);
});

async function bodyOf(request: IncomingMessage): Promise<{ id?: number; method?: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : JSON.parse(text);
}
