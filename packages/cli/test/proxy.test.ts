import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, inject, onTestFinished, vi } from 'vitest';
import { COMMAND, Workplace, workshop } from './a2c.js';
import { TASKS } from './code-tasks.mjs';

const RECORDS = join(inject('commands'), 'records.js');

/** A published MCP server. */
const server = (name: 'everything' | 'filesystem', ...args: string[]) => ({
  command: process.execPath,
  args: [join(inject('commands'), `${name}.js`), ...args],
});

/** A configuration of Claude Desktop. */
const DESKTOP = {
  mcpServers: {
    everything: server('everything'),
    filesystem: server('filesystem', '.'),
    broken: { command: 'no-such-program' },
  },
};

/** A server that asks for roots as soon as it may. Its tool returns the answer. */
const ASKS_AT_START = `
  import { createInterface } from 'node:readline';
  const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const tools = [{ name: 'roots', inputSchema: { type: 'object' } }];
  let answered;
  const answer = new Promise((resolve) => (answered = resolve));
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params, ...rest } = JSON.parse(line);
    if (id === 'roots') answered(JSON.stringify(rest));
    else if (method === 'initialize') {
      const { protocolVersion } = params;
      send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'rooted', version: '1' } } });
    } else if (method === 'notifications/initialized') send({ id: 'roots', method: 'roots/list' });
    else if (method === 'tools/list') send({ id, result: { tools } });
    else if (method === 'tools/call') answer.then((text) => send({ id, result: { content: [{ type: 'text', text }] } }));
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
  }
`;

/** `a2c proxy …` started by a client, as Claude Desktop does. */
async function connect(place: Workplace, ...args: string[]) {
  return connectAs(new Client({ name: 'test', version: '1' }), place, ...args);
}

async function connectAs(client: Client, place: Workplace, ...args: string[]) {
  const env = { ...(process.env as Record<string, string>), A2C_HOME: place.home, A2C_TEST_WORD: 'hello' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'proxy', ...args],
    cwd: place.folder,
    env,
    stderr: 'pipe',
  });
  onTestFinished(() => client.close());
  const noise: Error[] = [];
  client.onerror = (error) => noise.push(error);
  await client.connect(transport);
  return { client, noise };
}

const exec = (server_name: string, tool_name: string, args: object = {}) => ({
  name: 'exec',
  arguments: { server_name, tool_name, arguments: args },
});

describe('a2c proxy', () => {
  verifies('MCPX-CLI-01', 'serves the configuration of Claude Desktop and prints only JSON-RPC', async () => {
    const place = new Workplace({ 'mcp.json': DESKTOP, 'note.txt': 'remember' });
    const { client, noise } = await connect(place, '--config', 'mcp.json');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['inspect', 'exec']);
    expect(await client.callTool(exec('everything', 'get-sum', { a: 1, b: 2 }))).toMatchObject({
      content: [{ text: 'The sum of 1 and 2 is 3.' }],
    });
    expect(await client.callTool(exec('filesystem', 'read_text_file', { path: place.path('note.txt') }))).toMatchObject(
      {
        content: [{ text: 'remember' }],
      },
    );
    expect(await client.callTool(exec('broken', 'x'))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no-such-program') }],
    });
    expect(noise).toEqual([]);
  });

  verifies('BRIDGE-CLIENT-04', 'passes the roots of the client to a server that asks at its start', async () => {
    const rooted = { command: process.execPath, args: ['rooted.mjs'] };
    const place = new Workplace({ 'mcp.json': { mcpServers: { rooted } }, 'rooted.mjs': ASKS_AT_START });
    for (const args of [[], ['--pass-through']]) {
      const own = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
      own.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///srv/work' }] }));
      const { client } = await connectAs(own, place, '--config', 'mcp.json', ...args);
      const call = args.length > 0 ? { name: 'roots', arguments: {} } : exec('rooted', 'roots');
      expect(JSON.stringify(await client.callTool(call))).toContain('file:///srv/work');
    }
  });

  verifies(['CHOICE-SETS-02', 'CHOICE-REACH-03'], 'uses the tools of a toolset', async () => {
    const toolsets = {
      sums: { allow: ['everything/get-*', 'filesystem'], deny: ['filesystem/*'], pinned: ['*/get-sum'] },
    };
    const place = new Workplace({ 'mcp.json': { ...DESKTOP, toolsets } });
    const { client } = await connect(place, '--config', 'mcp.json', '--toolset', 'sums', '--deny-tool', '*/get-env');
    // exec waits for the server, however slowly it starts.
    expect(await client.callTool(exec('everything', 'get-sum', { a: 2, b: 2 }))).not.toMatchObject({ isError: true });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['inspect', 'exec', 'get-sum']);
    expect(await client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ text: 'The sum of 1 and 2 is 3.' }],
    });
    // A server that is still starting is listed: its tools are not known yet.
    const listed = async () => {
      const { content } = await client.callTool({ name: 'inspect', arguments: { server_name: '*', detail: 'names' } });
      return JSON.stringify(content);
    };
    await expect.poll(listed, { timeout: 60_000 }).not.toMatch(/filesystem|broken/);
    for (const hidden of [
      exec('everything', 'get-env'),
      exec('everything', 'echo'),
      exec('filesystem', 'list_directory'),
    ]) {
      expect(await client.callTool(hidden)).toMatchObject({ isError: true });
    }
    const wrong = await place.a2c('proxy', '--config', 'mcp.json', '--toolset', 'sum');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "sums"?') });
  });

  verifies('CHOICE-REACH-04', 'reports patterns that match nothing, once the servers are up', async () => {
    const toolsets = { sums: { allow: ['everything'], deny: ['everything/nothing'], pinned: ['*/get-sum'] } };
    const place = new Workplace({ 'mcp.json': { ...DESKTOP, toolsets } });
    const choice = ['--toolset', 'sums', '--deny-tool', 'filesystem/read_text_fil', '--deny-tool', 'broken/x'];
    const child = spawn(process.execPath, [COMMAND, 'proxy', '--config', 'mcp.json', '--http', '0', ...choice], {
      cwd: place.folder,
      env: { ...process.env, A2C_HOME: place.home },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const warnings: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      if (line.includes('matches no tool')) warnings.push(line);
      if (warnings.length === 2) break;
    }
    expect(warnings).toEqual([
      expect.stringContaining(
        '--deny-tool: "filesystem/read_text_fil" matches no tool; did you mean "filesystem/read_text_file"?',
      ),
      expect.stringContaining('deny of toolset "sums": "everything/nothing" matches no tool'),
    ]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  verifies('MCPX-CLI-02', 'with --http prints when it is ready, serves the same, and ends on a signal', async () => {
    const place = new Workplace({ 'mcp.json': { mcpServers: { everything: server('everything') } } });
    const args = [COMMAND, 'proxy', '--config', 'mcp.json', '--http', '0', '--token', 't'];
    const child = spawn(process.execPath, args, { cwd: place.folder, env: { ...process.env, A2C_HOME: place.home } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = new URL(/^ready (http:\/\/127\.0\.0\.1:\d+\/mcp)\n$/.exec(String(line))?.[1] as string);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    const requestInit = { headers: { authorization: 'Bearer t' } };
    for (const mode of ['legacy', 'auto'] as const) {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      expect((await client.listTools()).tools).toHaveLength(2);
      expect(await client.callTool(exec('everything', 'echo', { message: 'x' }))).toMatchObject({
        content: [{ text: 'Echo: x' }],
      });
      await client.close();
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  verifies('MCPX-CLI-02', 'refuses to serve a network without a token, and rejects wrong options', async () => {
    const place = new Workplace({ 'mcp.json': { mcpServers: {} } });
    const open = await place.a2c('proxy', '--config', 'mcp.json', '--http', '0.0.0.0:0');
    expect(open).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('needs a token') });
    expect(await place.a2c('proxy', '--config', 'mcp.json', '--http', 'x')).toMatchObject({ code: 2 });
  });

  verifies('MCPX-CLI-03', 'an invalid configuration ends it with the problems', async () => {
    const place = new Workplace({
      'bad.json': '{ "mcpServers": ',
      'odd.json': { mcpServers: { a: { command: 7 } } },
    });
    const cases = { 'none.json': 'none.json', 'bad.json': 'bad.json:1', 'odd.json': 'command' };
    for (const [file, words] of Object.entries(cases)) {
      const ended = await place.a2c('proxy', '--config', file);
      expect(ended, file).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    }
  });

  verifies('MCPX-CLI-03', 'a server that fails to start is reported once', async () => {
    const place = new Workplace({ 'mcp.json': { mcpServers: { broken: { command: 'no-such-program' } } } });
    for (const args of [['--config', 'mcp.json'], []]) {
      const child = spawn(process.execPath, [COMMAND, 'proxy', ...args], {
        cwd: place.folder,
        env: { ...process.env, A2C_HOME: place.home },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const [line] = (await once(child.stderr, 'data')) as [Buffer];
      expect(String(line)).toMatch(/^server "broken" could not be started: (the program|would start)/);
      child.stdin.end();
      await once(child, 'exit');
    }
  });

  verifies('MCPX-CLI-03', 'a server whose start is repeated is reported once', async () => {
    const place = new Workplace({ starts: '' });
    const code = `require('fs').appendFileSync(${JSON.stringify(place.path('starts'))}, 'x'); process.exit(3)`;
    place.write('mcp.json', { mcpServers: { dies: { command: process.execPath, args: ['-e', code] } } });
    const child = spawn(process.execPath, [COMMAND, 'proxy', '--config', 'mcp.json'], {
      cwd: place.folder,
      env: { ...process.env, A2C_HOME: place.home },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    await expect.poll(() => readFileSync(place.path('starts'), 'utf8').length).toBeGreaterThan(2);
    child.stdin.end();
    await once(child, 'exit');
    expect(stderr).toBe('server "dies" could not be started: exited with code 3\n');
  });

  verifies('MCPX-CLI-08', 'ends with its client, also if a server wrote to stderr after its start', async () => {
    const code = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const results = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
        'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'done' }] },
      };
      if (method === 'tools/call') console.error('working');
      const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    })`;
    const place = new Workplace({
      'mcp.json': { mcpServers: { s: { command: process.execPath, args: ['-e', code] } } },
    });
    const child = spawn(process.execPath, [COMMAND, 'proxy', '--config', 'mcp.json'], {
      cwd: place.folder,
      env: { ...process.env, A2C_HOME: place.home },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'exec', arguments: { server_name: 's', tool_name: 'work' } } });
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('done')) break;
    child.stdin.end();
    // The time limit of a start is 60 s.
    expect(await once(child, 'exit', { signal: AbortSignal.timeout(40_000) })).toEqual([0, null]);
  });

  verifies('MCPX-CLI-04', 'uses the MCPX keys of the configuration and environment variables', async () => {
    const everything = { ...server('everything'), type: 'stdio', env: { SAID: '${A2C_TEST_WORD}' } };
    const place = new Workplace({
      'config.json': {
        mcpServers: { everything },
        schema_compression_enabled: false,
        include_structured_content: false,
        disabled_tools: ['everything.echo'],
      },
    });
    const { client } = await connect(place, '--config', 'config.json');
    const inspected = await client.callTool({ name: 'inspect', arguments: { server_name: 'everything' } });
    const [{ text = '' } = {}] = inspected.content as { text?: string }[];
    expect(text).toMatch(/^- get-sum \{".*"type":"object"/m);
    expect(text).not.toContain('- echo ');
    expect(inspected.structuredContent).toBeUndefined();
    const env = await client.callTool(exec('everything', 'get-env'));
    expect(JSON.stringify(env.content)).toContain('hello');
  });

  verifies(
    ['MCPX-CLI-05', 'MCPX-CODE-01'],
    'with --code auto offers run from ten tools on; lists the cached tools before the servers have started',
    async () => {
      const place = new Workplace({ 'mcp.json': { mcpServers: { everything: server('everything') } } });
      const first = await connect(place, '--config', 'mcp.json', '--code', 'auto');
      await first.client.callTool(exec('everything', 'echo', { message: 'x' }));
      expect((await first.client.listTools()).tools).toHaveLength(3);
      await first.client.close();
      const { client } = await connect(place, '--config', 'mcp.json');
      // Requested immediately after the start.
      expect((await client.listTools()).tools[0]?.description).toContain('- echo: Echoes back');
    },
  );

  verifies('MCPX-CLI-05', 'a start that takes long is not taken for a client that is silent', async () => {
    const place = new Workplace({
      'mcp.json': { mcpServers: { shop: { command: process.execPath, args: ['shop.mjs', 'shop'] } } },
      'shop.mjs': `import ${JSON.stringify(pathToFileURL(RECORDS).href)};`,
      'slow.cjs': 'setTimeout(() => { for (const end = Date.now() + 1_500; Date.now() < end; ); }, 50);',
    });
    const first = await connect(place, '--config', 'mcp.json');
    await first.client.callTool(exec('shop', 'list_orders', { page: 1 }));
    await first.client.close();
    rmSync(place.path('shop.mjs')); // Only the cached list for this client has its tools.
    vi.stubEnv('NODE_OPTIONS', `--require ${place.path('slow.cjs')}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { client } = await connect(place, '--config', 'mcp.json');
    expect((await client.listTools()).tools[0]?.description).toContain('list_orders');
  });

  verifies('MCPX-CODE-02', 'with --code runs each of five tasks in one call of run', async () => {
    const records = (name: string) => ({ command: process.execPath, args: [RECORDS, name] });
    const place = new Workplace({ 'mcp.json': { mcpServers: { shop: records('shop'), crm: records('crm') } } });
    const { client, noise } = await connect(place, '--config', 'mcp.json', '--code');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['inspect', 'exec', 'run']);
    for (const [task, { code, result }] of Object.entries(TASKS)) {
      const ran = await client.callTool({ name: 'run', arguments: { code } });
      const [{ text = '' } = {}] = ran.content as { text?: string }[];
      const { result: shown } = (ran.structuredContent ?? { result: JSON.parse(text) }) as { result: unknown };
      expect(shown, task).toEqual(result);
    }
    expect(noise).toEqual([]);
  });

  verifies('MCPX-CODE-01', '--code has three values, and cannot be combined with --pass-through', async () => {
    const place = new Workplace({ 'mcp.json': { mcpServers: {} } });
    for (const wrong of [
      ['--code', 'often'],
      ['--code', '--pass-through'],
    ]) {
      expect(await place.a2c('proxy', '--config', 'mcp.json', ...wrong)).toMatchObject({ code: 2, stdout: '' });
    }
  });

  verifies(
    'MCPX-CODE-07',
    'with --trust-read-only runs a tool that declares that it only reads without consent',
    async () => {
      const shop = {
        name: 'shop',
        type: 'stdio',
        tool_meta: {},
        default_tool_meta: { auto_apply: false },
        server_parameters: {
          command: process.execPath,
          args: [RECORDS, 'shop'],
        },
      };
      const place = new Workplace({ 'a2c.json': { servers: [shop] } });
      const list = exec('shop', 'list_orders', { page: 1 });
      const strict = await connect(place, '--config', 'a2c.json');
      expect(await strict.client.callTool(list)).toMatchObject({ isError: true });
      const trusting = await connect(place, '--config', 'a2c.json', '--trust-read-only');
      expect(await trusting.client.callTool(list)).not.toHaveProperty('isError', true);
      expect(await trusting.client.callTool(exec('shop', 'pay', { order: 1 }))).toMatchObject({ isError: true });
    },
  );
});

verifies('CONF-MCPX-02', 'the health check of an MCPX file reports a server that stops answering', async () => {
  const { server_parameters } = workshop('s') as { server_parameters: { command: string; args: string[] } };
  const { command, args } = server_parameters;
  const place = new Workplace({
    'mcpx.json': {
      mcpServers: { stuck: { command, args, env: { WORKSHOP_STUCK: 'ping' } }, well: { command, args } },
      health_check_enabled: true,
      health_check_interval: 1,
      health_check_timeout: 1,
      health_check_failure_threshold: 1,
    },
  });
  const child = spawn(process.execPath, [COMMAND, 'proxy', '--config', 'mcpx.json'], {
    cwd: place.folder,
    env: { ...process.env, A2C_HOME: place.home },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stderr });
  let reported = '';
  for await (const line of lines) {
    reported = line;
    if (line.startsWith('stuck: does not answer')) break;
  }
  expect(reported).toBe('stuck: does not answer: 1 pings without an answer within 1 s');
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

verifies('MCPX-PASS-01', 'options for the result of exec are refused with --pass-through', async () => {
  const place = new Workplace({ 'servers.json': [workshop('one')] });
  for (const option of ['--structured-content', '--no-structured-content']) {
    const { stderr, code } = await place.a2c('proxy', '--config', 'servers.json', '--pass-through', option);
    expect(code).toBe(2);
    expect(stderr).toContain('--pass-through');
  }
});
