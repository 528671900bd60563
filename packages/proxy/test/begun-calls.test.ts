import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { proxyOver } from './hub-over.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const list = { ttlMs: 0, cacheScope: 'private' };

/** An MCP server and its authorization server. The login ends when the call has begun its task. */
async function startBank() {
  const bank = { runs: 0, logins: 0, url: '' };
  let valid = '';
  const task = () => {
    const now = new Date().toISOString();
    const isOver = valid === 'token-2';
    const result = isOver && { result: { content: [{ type: 'text', text: 'paid' }] } };
    const times = { ttlMs: 60_000, pollIntervalMs: 50, createdAt: now, lastUpdatedAt: now };
    return { taskId: 't', status: isOver ? 'completed' : 'working', ...times, ...result };
  };
  const pay = () => {
    bank.runs++;
    valid = '';
    return { ...task(), resultType: 'task' };
  };
  const answers: Record<string, () => object> = {
    'server/discover': () => ({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { [TASKS]: {} } },
      serverInfo: { name: 'bank', version: '1' },
      ...list,
    }),
    'tools/list': () => ({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }], ...list }),
    'tools/call': pay,
    'tasks/get': task,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const origin = new URL(bank.url).origin;
    const { pathname, searchParams } = new URL(request.url ?? '', origin);
    const json = (value: object, status = 200, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    if (pathname.includes('oauth-protected-resource'))
      return json({ resource: bank.url, authorization_servers: [origin] });
    if (pathname.startsWith('/.well-known/')) {
      const endpoints = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` };
      const methods = { response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] };
      const registration_endpoint = `${origin}/register`;
      return json({ issuer: origin, ...endpoints, registration_endpoint, ...methods });
    }
    if (pathname === '/register') return json({ client_id: 'c', ...JSON.parse(body) }, 201);
    if (pathname === '/authorize') {
      const location = `${searchParams.get('redirect_uri')}?code=x&state=${searchParams.get('state')}`;
      return response.writeHead(302, { location }).end();
    }
    if (pathname === '/token') {
      valid = `token-${++bank.logins}`;
      return json({ access_token: valid, token_type: 'Bearer' });
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    if (valid === '' || request.headers.authorization !== `Bearer ${valid}`) {
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      return json({}, 401, { 'www-authenticate': challenge });
    }
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    const result = answers[method]?.();
    if (result) return json({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
    return json({ jsonrpc: '2.0', id, error: { code: -32_601, message: `no ${method}` } });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  bank.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return bank;
}

const pay = { name: 'exec', arguments: { server_name: 'bank', tool_name: 'pay', arguments: {} } };

verifies('SEC-ONCE-08', 'a call that has begun a task goes on with it after a new login', async () => {
  const bank = await startBank();
  const proxy = await proxyOver({ name: 'bank', entry: async () => ({ type: 'http', url: bank.url }) });
  const client = await enter(proxy, DOORS[0], { capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler('elicitation/create', ({ params }) => {
    void fetch((params as { url: string }).url).then((page) => page.text());
    return { action: 'accept' };
  });
  expect(await client.callTool(pay)).toMatchObject({ content: [{ text: 'paid' }] });
  expect([bank.runs, bank.logins]).toEqual([1, 2]);
});

verifies('SEC-ONCE-08', 'a call that has begun a task is not called again if no person logs in', async () => {
  const bank = await startBank();
  const proxy = await proxyOver({ name: 'bank', entry: async () => ({ type: 'http', url: bank.url }) });
  const client = await enter(proxy, DOORS[0], { capabilities: { elicitation: { url: {} } } });
  let questions = 0;
  client.setRequestHandler('elicitation/create', ({ params }) => {
    if (questions++ > 0) return { action: 'decline' };
    void fetch((params as { url: string }).url).then((page) => page.text());
    return { action: 'accept' };
  });
  const { content, isError } = await client.callTool(pay);
  expect(isError).toBe(true);
  expect(content[0]).toMatchObject({ text: expect.stringContaining('the call has begun and may have run') });
  expect([bank.runs, bank.logins, questions]).toEqual([1, 1, 2]);
});
