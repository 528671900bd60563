import { request } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { MCPProxy, type ProxyLimits, serveHttp, serveStdio } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { atEnd, serving } from './doors.js';
import { MemoryToolbox } from './memory-toolbox.js';
import { Moment } from './moment.js';

function proxy(limits: Partial<ProxyLimits> = {}): MCPProxy {
  const made = new MCPProxy(
    new MemoryToolbox([
      { name: 'secret-name', state: 'ready', tools: [] },
      { name: 'dead', state: 'failed', tools: [] },
    ]),
    { limits },
  );
  atEnd(() => made.close());
  return made;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

/** With `node:http`, because `fetch` sets Host and Origin itself. */
function post(
  url: URL,
  headers: Record<string, string> = {},
  body = INITIALIZE,
): Promise<{ status: number; text: string; session?: string; readableBy?: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        const session = response.headers['mcp-session-id'];
        const readableBy = response.headers['access-control-allow-origin'];
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            ...(session && { session: String(session) }),
            ...(readableBy && { readableBy }),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the HTTP endpoint', () => {
  verifies('MCPX-SERVE-03', 'rejects requests with a foreign Host or Origin', async () => {
    const url = await serving(proxy());
    expect(await post(url)).toMatchObject({ status: 200 });
    expect(await post(url, { origin: 'http://localhost:3000' })).toMatchObject({ status: 200 });
    expect(await post(url, { host: 'evil.example' })).toMatchObject({ status: 403 });
    expect(await post(url, { origin: 'https://evil.example' })).toMatchObject({ status: 403 });
    expect(await post(url, { origin: 'null' })).toMatchObject({ status: 403 });
    const open = await serving(proxy(), { allowedHosts: ['tools.example'], allowedOrigins: ['app.example'] });
    expect(await post(open, { host: 'tools.example', origin: 'https://app.example' })).toMatchObject({ status: 200 });
  });

  verifies('MCPX-SERVE-03', 'answers CORS preflight requests of allowed origins only', async () => {
    const url = await serving(proxy(), { allowedOrigins: ['app.example'], token: 't' });
    const asking = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-param-region' };
    const ask = (origin: string) => fetch(url, { method: 'OPTIONS', headers: { origin, ...asking } });
    const allowed = await ask('https://app.example');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(allowed.headers.get('access-control-allow-headers')).toMatch(
      /authorization.*mcp-session-id.*mcp-param-region/,
    );
    const refused = await ask('https://evil.example');
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const answered = await post(url, { origin: 'https://app.example', authorization: 'Bearer t' });
    expect(answered).toMatchObject({ status: 200, readableBy: 'https://app.example' });
  });

  verifies('MCPX-SERVE-03', 'accepts every notation of its address and rejects invalid Host headers', async () => {
    const mapped = await serving(proxy(), { host: '::ffff:127.0.0.1', token: 't' });
    expect(await post(mapped, { authorization: 'Bearer t' })).toMatchObject({ status: 200 });
    const url = await serving(proxy());
    for (const host of ['a b', 'evil@localhost', 'local/host']) {
      expect(await post(url, { host }), host).toMatchObject({ status: 400 });
    }
  });

  verifies('MCPX-SERVE-04', 'requires the token', async () => {
    const url = await serving(proxy(), { token: 's3cret' });
    for (const authorization of ['', 'Bearer wrong', 'Basic s3cret', 's3cret']) {
      expect(await post(url, authorization ? { authorization } : {}), authorization).toMatchObject({ status: 401 });
    }
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: 'Bearer s3cret' } },
    });
    const client = new Client({ name: 'test', version: '1' });
    atEnd(() => client.close());
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(2);
  });

  verifies('MCPX-SERVE-11', 'rejects a request before its body has arrived', async () => {
    const url = await serving(proxy(), { token: 's3cret' });
    for (const [headers, status] of [
      [{}, 401],
      [{ origin: 'https://evil.example', authorization: 'Bearer s3cret' }, 403],
      [{ 'content-length': '999999999', authorization: 'Bearer s3cret' }, 413],
    ] as const) {
      const rejected = new Promise((resolve, reject) => {
        const sent = request(url, { method: 'POST', headers }, ({ statusCode }) => {
          resolve(statusCode);
          sent.destroy();
        });
        sent.on('error', reject);
        sent.write('{');
      });
      expect(await rejected).toBe(status);
    }
  });

  verifies('MCPX-SERVE-04', 'listens on loopback by default and requires a token for other addresses', async () => {
    const url = await serving(proxy());
    expect(url.hostname).toBe('127.0.0.1');
    await expect(serveHttp(proxy(), { host: '0.0.0.0' })).rejects.toThrow('listening on 0.0.0.0 needs a token');
    await expect(serveHttp(proxy(), { token: '' })).rejects.toThrow('the token is empty');
    const everywhere = await serving(proxy(), { host: '0.0.0.0', token: 't' });
    everywhere.hostname = '127.0.0.1';
    expect(await post(everywhere, { host: 'my-laptop.local', authorization: 'Bearer t' })).toMatchObject({
      status: 200,
    });
    expect(await post(everywhere, { host: 'my-laptop.local' })).toMatchObject({ status: 401 });
  });

  verifies('MCPX-SERVE-05', 'reports its health without a token', async () => {
    const url = await serving(proxy(), { token: 't' });
    const response = await fetch(new URL('/healthz', url));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', servers: 2, ready: 1 });
    expect(await post(new URL('/healthz', url), { host: 'evil.example' })).toMatchObject({ status: 403 });
    expect((await fetch(new URL('/other', url), { headers: { authorization: 'Bearer t' } })).status).toBe(404);
  });

  verifies('MCPX-SERVE-07', 'limits the number of sessions and the size of messages', async () => {
    const url = await serving(proxy({ sessions: 2, bodyBytes: 10_000 }));
    const opened = [];
    for (let index = 0; index < 3; index++) opened.push((await post(url)).session as string);
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    const answers = await Promise.all(opened.map((session) => post(url, { 'mcp-session-id': session }, list)));
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 200]);
    expect(await post(url, {}, list)).toMatchObject({ status: 400 });
    expect(await post(url, {}, JSON.stringify({ x: 'x'.repeat(20_000) }))).toMatchObject({ status: 413 });
    expect((await post(url, {}, '{')).status).toBe(400);
    const traced = new Promise((resolve) => {
      request(url, { method: 'TRACE' }, (response) => resolve(response.resume().statusCode)).end();
    });
    expect(await traced).toBe(405);
  });

  verifies('MCPX-SERVE-08', 'refuses parameters that nest too deeply or have too many values', async () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    const messages = [
      { name: 'inspect', arguments: { a: nested(1_500) } },
      { name: 'inspect', arguments: {}, _meta: { a: nested(1_500) } },
      { name: 'inspect', arguments: { a: Array(2_001).fill(0) } },
      { name: 'inspect', arguments: { a: Array(1_900).fill(0) } },
    ].map((params, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    const refused = [/nests deeper than 1000 levels/, /nests deeper than 1000 levels/, /has more than 2000 values/];
    for (const passThrough of [false, true]) {
      const url = await serving(proxy({ paramsValues: 2_000 }), { passThrough });
      const { session = '' } = await post(url);
      const answers = await Promise.all(messages.map((message) => post(url, { 'mcp-session-id': session }, message)));
      for (const [index, text] of refused.entries()) {
        expect(answers[index]?.text).toMatch(/"code":-32602/);
        expect(answers[index]?.text).toMatch(text);
      }
      expect(answers[3]?.text).not.toMatch(/has more than|nests deeper/);
    }
  });

  verifies('MCPX-SERVE-12', 'does not parse a message of very many values', async () => {
    const keys = Array.from({ length: 11_000 }, (_, i) => `"${i}":0`).join();
    const bodies = [
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'[],'.repeat(300_000)}[]]}}`,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${keys}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"ping",${keys}}`,
      '['.repeat(300_000),
    ];
    const url = await serving(proxy());
    const { session = '' } = await post(url);
    for (const headers of [{}, { 'mcp-session-id': session }, { 'mcp-protocol-version': '2026-07-28' }]) {
      for (const body of bodies) {
        const { text } = await post(url, headers, body);
        expect(text).toMatch(/"code":-32602,"message":"Invalid params: the request has (an object with )?more than/);
      }
    }
    const text = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping', params: { text: '[{,:"\\'.repeat(100_000) } });
    expect(await post(url, { 'mcp-session-id': session }, text)).toMatchObject({ status: 200 });
  });

  verifies('MCPX-SERVE-12', 'does not parse arguments of `exec` as a text with very many values', async () => {
    const url = await serving(proxy());
    const { session = '' } = await post(url);
    const texts = [`{"a":[${'[],'.repeat(300_000)}[]]}`, `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`];
    for (const args of texts) {
      const call = { name: 'exec', arguments: { server_name: 'workshop', tool_name: 'echo', arguments: args } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: call });
      const { text } = await post(url, { 'mcp-session-id': session }, body);
      expect(text).toMatch(/arguments: the JSON text (has more than 100000 values|nests deeper than 1000 levels)/);
    }
  });

  verifies('MCPX-SERVE-07', 'does not evict a session with a pending request', async () => {
    const toolbox = new MemoryToolbox([
      { name: 'slow', state: 'ready', tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
    ]);
    const [begun, done] = [new Moment(), new Moment()];
    toolbox.answer = async () => {
      begun.happen();
      await done.promise;
      return { content: [{ type: 'text', text: 'worked' }] };
    };
    const url = await serving(new MCPProxy(toolbox, { limits: { sessions: 2 } }));
    const { session = '' } = await post(url);
    const params = { name: 'exec', arguments: { server_name: 'slow', tool_name: 'work' } };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    const answer = post(url, { 'mcp-session-id': session }, call);
    await begun.promise;
    for (let attempt = 0; attempt < 5; attempt++) await post(url);
    done.happen();
    expect((await answer).text).toContain('worked');
  });

  verifies('COST-WAIT-01', 'refuses a large request while too many of them have no answer', async () => {
    const toolbox = new MemoryToolbox([
      { name: 'slow', state: 'ready', tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
    ]);
    const done = new Moment();
    toolbox.answer = async () => {
      await done.promise;
      return { content: [{ type: 'text', text: 'worked' }] };
    };
    const url = await serving(new MCPProxy(toolbox, { limits: { openBodyBytes: 300_000 } }));
    const { session = '' } = await post(url);
    const call = (id: number, length: number) => {
      const params = {
        name: 'exec',
        arguments: { server_name: 'slow', tool_name: 'work', arguments: { x: 'x'.repeat(length) } },
      };
      return post(
        url,
        { 'mcp-session-id': session },
        JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
      );
    };
    const large = [call(2, 100_000), call(3, 100_000)];
    await expect.poll(() => toolbox.calls.length).toBe(2);
    const small = call(4, 10_000);
    expect(await call(5, 110_000)).toMatchObject({
      status: 503,
      text: expect.stringContaining('Too many large requests'),
    });
    done.happen();
    for (const answer of [...large, small]) expect((await answer).text).toContain('worked');
    expect((await call(6, 200_000)).text).toContain('worked');
  });

  verifies('MCPX-SERVE-07', 'closes all connections', async () => {
    const endpoint = await serveHttp(proxy());
    const url = new URL(endpoint.url);
    const { session = '' } = await post(url);
    const stream = fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
    expect((await stream).status).toBe(200);
    await endpoint.close();
    const refused = new Promise((resolve) => connect(Number(url.port), '127.0.0.1').on('error', resolve));
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

verifies('MCPX-SERVE-06', 'stdio output contains only JSON-RPC', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let written = '';
  output.on('data', (chunk) => {
    written += chunk;
  });
  const endpoint = serveStdio(proxy(), { input, output });
  const messages = [
    INITIALIZE,
    'this is not JSON',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":3,"method":"nonsense"}',
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"inspect","arguments":{}}}',
  ];
  input.write(`${messages.join('\n')}\n`);
  while (!written.includes('"id":4')) await new Promise((resolve) => output.once('data', resolve));
  for (const line of written.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  input.end();
  await endpoint.closed;
  await endpoint.close();
});
