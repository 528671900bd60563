import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { type AvailableTool, MCPServerManager } from '@a2c/hub';
import { shellWords } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { instructions } from '../src/up/instructions.js';
import { BINARY, COMMAND, Workplace } from './a2c.js';

const WORKSHOP = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));

/** How long to wait for something that must happen. Reached only by a failure, also on a loaded machine. */
const WAIT_MS = 60_000;

/** Starts `a2c up …` in its own process group. */
function launch(place: Workplace, ...args: string[]) {
  const env = { ...process.env, A2C_HOME: place.home, NO_COLOR: '1' };
  const child = spawn(process.execPath, [COMMAND, 'up', ...args], { cwd: place.folder, env, detached: true });
  onTestFinished(() => void kill(child));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  return { child, stderr: () => stderr };
}

/** Starts `a2c up …` and waits until it is ready. */
async function start(place: Workplace, ...args: string[]) {
  const { child, stderr } = launch(place, ...args);
  const [line] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(WAIT_MS) })) as [Buffer];
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  };
  return { line: String(line), stderr, stop };
}

function kill(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
}

verifies(['CLI-UP-01', 'CLI-UP-05'], 'one command, an Agent, a call, and nothing left', async () => {
  const { line, stop } = await start(new Workplace(), '--port', '0', '--name', 'pc');
  const url = /^ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1] as string;
  const agent = await Agent.connect({ url, office: 'demo', name: 'bot' });
  await agent.ready();
  expect(agent.tools().map(({ tool }) => tool.name)).toEqual([
    'now',
    'system_info',
    'add_note',
    'bar_chart',
    'countdown',
    'clear_notes',
  ]);
  const said = await agent.callTool('pc', 'now', { timezone: 'UTC' });
  expect(said).toMatchObject({ isError: false, content: [{ text: expect.stringContaining('UTC') }] });
  await agent.callTool('pc', 'add_note', { text: 'milk' });
  expect((await agent.getDesktop('pc'))[0]).toBe('window://a2c.demo/notes?priority=80\n\n1. milk');
  await agent.close();
  expect(await stop('SIGINT')).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});

verifies(['CLI-UP-02', 'CLI-UP-05', 'NEW-OUTPUT-03', 'NEW-OUTPUT-05'], 'the printed commands work', async () => {
  const place = new Workplace();
  const { line: url, stderr, stop } = await start(place, '--port', '0', '--name', 'pc');
  expect(stderr()).toMatch(/^a2c is up at http/);
  const [, exported = ''] = /npx a2c (config export .*)/.exec(stderr()) ?? [];
  expect((await place.a2c(...exported.split(' '))).stdout).toContain('"mcpServers"');
  const shown = stderr().split('\n');
  const rows = shown.map(({ length }) => Math.max(1, Math.ceil(length / 80)));
  expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThan(24);
  const office = ['--url', url.replace('ready ', ''), '--office', 'demo', '--name', 'bot'];
  const now = await place.a2c('agent', 'call', 'pc', 'now', ...office);
  expect([now.code, now.stdout]).toEqual([0, expect.stringMatching(/\d{4}/)]);
  const countdown = await place.a2c('agent', 'call', 'pc', 'countdown', 'seconds=1', ...office);
  expect(countdown.stderr).toMatch(/^1\/1 0 left$/m);
  await expect.poll(stderr).toMatch(/\n\d\d:\d\d:\d\d bot demo\.now ok, [\d.]+ m?s\n/);
  expect(await stop('SIGTERM')).toBe(0);
  await expect(fetch(url.replace('ready ', ''))).rejects.toThrow();
});

verifies(
  ['CLI-UP-02', 'NEW-OUTPUT-03'],
  'the printed commands work in a shell, whatever the names contain',
  async () => {
    const place = new Workplace();
    const { line, stop } = await start(place, '--port', '0', '--name', "Ann's pc", '--office', 'a b', '--json');
    const { agent_command, url, mcp_client, ...ready } = JSON.parse(line);
    expect(ready).toMatchObject({
      event: 'ready',
      office: 'a b',
      computer: "Ann's pc",
      tools: expect.arrayContaining(['now']),
    });
    expect(mcp_client.mcpServers.a2c.args).toEqual([BINARY, 'proxy', '--url', url, '--office', 'a b']);
    expect(agent_command).toMatch(/^npx a2c agent call 'Ann'\\''s pc' now --url \S+ --office 'a b'$/);
    const paste = agent_command.replace('npx a2c', `'${process.execPath}' '${COMMAND}'`);
    expect(execFileSync('sh', ['-c', paste], { encoding: 'utf8', stdio: 'pipe' })).toMatch(/\d{4}/);
    await stop('SIGINT');
  },
);

verifies(['CLI-UP-02', 'NEW-ERROR-05'], 'the proposed call needs no consent and has the required arguments', () => {
  const tool = (name: string, properties: object, auto_apply: boolean) => ({
    server: 's',
    name,
    displayName: name,
    bundleId: 's',
    exposedName: `s__${name}`,
    meta: { auto_apply } as AvailableTool['meta'],
    tool: {
      name,
      inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    } as AvailableTool['tool'],
  });
  const text = { type: 'string' };
  const shapes = {
    path: text,
    n: { type: 'integer' },
    kind: { enum: ['b', 'c'] },
    on: { type: 'boolean' },
    names: { type: 'array', items: text },
    sizes: { type: 'array', items: { type: 'number' } },
  };
  const place = { url: 'http://h:1', office: 'o', computer: 'pc', starting: [], config: '/a b.json', port: undefined };
  const tools = [tool('wipe', {}, false), tool('read', shapes, true)];
  const denied = instructions({ ...place, tools, confirm: 'deny' });
  expect(denied.agent_command).toBe(
    `npx a2c agent call pc read path=PATH n=1 kind=b on=true 'names=["NAMES"]' 'sizes=[1]' --url http://h:1 --office o`,
  );
  expect(denied.lines).toContain(
    `Calls of 1 tool need consent and are refused. To allow them, restart with --confirm allow:
  npx a2c up --name pc --office o --config '/a b.json' --confirm allow\n`,
  );
  expect(instructions({ ...place, port: 7001, tools, confirm: 'deny' }).lines).toContain(
    `  npx a2c up --name pc --office o --config '/a b.json' --port 7001 --confirm allow\n`,
  );
  expect(instructions({ ...place, noConsole: true, tools, confirm: 'deny' }).lines).toContain(
    `  npx a2c up --name pc --office o --config '/a b.json' --no-console --confirm allow\n`,
  );
  expect(denied.lines).toContain('from another terminal in this folder:');
  const allowed = instructions({ ...place, tools, confirm: 'allow' });
  expect(allowed.agent_command).toContain('npx a2c agent call pc read ');
  const unknown = instructions({ ...place, tools: [tool('wipe', {}, false)], confirm: 'allow' });
  expect(unknown.agent_command).toBe(null);
  expect(unknown.lines).not.toContain('wipe');
  expect(allowed.lines).not.toContain('refused');
  const peek = tool('peek', {}, true);
  const reading = { ...peek, tool: { ...peek.tool, annotations: { readOnlyHint: true } } };
  expect(instructions({ ...place, tools: [...tools, reading], confirm: 'allow' }).agent_command).toContain(' pc peek ');
});

verifies('CLI-UP-02', 'an installed a2c is named without npx', () => {
  const { folder } = new Workplace({ 'bin/a2c': '', 'bin/a2c.cmd': '', 'node_modules/.bin/a2c': '' });
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = {
    url: 'http://h:1',
    office: 'o',
    computer: 'pc',
    starting: [{ name: 's', activity: 'downloading' }],
    config: undefined,
    port: undefined,
  };
  const said = (path: string) => {
    vi.stubEnv('PATH', path);
    return instructions({ ...place, tools: [], confirm: 'deny' }).lines;
  };
  expect(said(join(folder, 'bin'))).toContain('from another terminal:\n  a2c agent tools');
  expect(said(join(folder, 'node_modules', '.bin'))).toContain('in this folder:\n  npx a2c agent tools');
});

verifies('CLI-UP-07', 'is ready although a server hangs, and exits immediately', async () => {
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
  const place = new Workplace({
    'mcp.json': { mcpServers: { silent, shop: { command: process.execPath, args: [WORKSHOP] } } },
  });
  const { line, stderr, stop } = await start(place, '--port', '0', '--config', 'mcp.json', '--json');
  const { url, starting } = JSON.parse(line);
  expect(starting).toContain('silent');
  const agent = await Agent.connect({ url, office: 'demo', name: 'bot' });
  await vi.waitFor(() => expect(agent.tools().map(({ tool }) => tool.name)).toContain('echo'), WAIT_MS);
  await agent.close();
  const began = performance.now();
  expect(await stop('SIGINT')).toBe(0);
  expect(performance.now() - began).toBeLessThan(20_000); // the start of the server times out after 30 s
  expect(stderr()).toBe('');
});

verifies('CLI-UP-05', 'a signal during the start ends it without output', async () => {
  const silent = {
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync('pid', String(process.pid));setInterval(() => {}, 1000)`],
  };
  const place = new Workplace({ 'mcp.json': { mcpServers: { silent } } });
  const { child, stderr } = launch(place, '--port', '0', '--config', 'mcp.json');
  const pid = await vi.waitFor(() => Number(readFileSync(place.path('pid'), 'utf8')) || expect.fail(), WAIT_MS);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(stderr()).toBe('');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), WAIT_MS);
});

verifies('CLI-UP-04', 'reports that there are no tools, with a remedy', async () => {
  const place = new Workplace({ 'mcp.json': { mcpServers: { absent: { command: 'no-such-program' } } } });
  const { stderr, stop } = await start(place, '--port', '0', '--name', 'pc', '--config', 'mcp.json');
  expect(stderr()).toContain('There are no tools, because no MCP server is running. To find out why, run:\n');
  expect(stderr()).toContain(`  npx a2c doctor --config ${place.path('mcp.json')} --trust\n`);
  expect(stderr()).not.toContain('agent call');
  await stop('SIGINT');
});

verifies('CLI-UP-02', 'quotes for the shell of the platform', () => {
  expect(shellWords(['a b', "it's", 'x=1', ''], 'linux')).toBe(`'a b' 'it'\\''s' x=1 ''`);
  expect(shellWords(['a b', 'say "hi"'], 'win32')).toBe('"a b" "say \\"hi\\""');
});

verifies('CLI-UP-08', 'an invalid name is rejected before anything starts', async () => {
  const place = new Workplace();
  const refused: [message: string, args: string[], env?: Record<string, string>][] = [
    ['--name must not be empty', ['--name', '']],
    ['--office (or A2C_OFFICE) must not be empty', ['--office', '']],
    ['--office (or A2C_OFFICE) must not be empty', [], { A2C_OFFICE: '' }],
    ['--name must not contain control characters (U+000A)', ['--name', 'a\nb']],
    ['--name must not be longer than 256 characters', ['--name', 'x'.repeat(257)]],
  ];
  for (const command of ['up', 'computer']) {
    const ends = refused.map(([, args, env = {}]) => place.a2cWith(env, command, ...args));
    for (const [index, { code, stdout, stderr }] of (await Promise.all(ends)).entries())
      expect([code, stdout, stderr]).toEqual([2, '', `${refused[index]?.[0]}\n`]);
  }
});

verifies('CLI-UP-03', 'a taken port is an error if it was given with --port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const { code, stderr } = await new Workplace().a2c('up', '--port', String(port));
  expect([code, stderr]).toEqual([2, `port ${port} is in use; choose another (--port), or 0 for a free one\n`]);
});

verifies('CLI-UP-03', 'uses the default port, or a free one if it is taken', async () => {
  const first = await start(new Workplace());
  const second = await start(new Workplace());
  expect(second.line).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(second.line).not.toBe(first.line);
  const url = second.line.trim().split(' ')[1];
  expect(second.stderr()).toMatch(new RegExp(`^port 7000 is taken; add --url ${url} to every command\n`));
  await Promise.all([first.stop('SIGINT'), second.stop('SIGINT')]);
});

verifies('CLI-UP-04', 'hosts the servers of a file; calls are refused without --confirm allow', async () => {
  const servers = { shop: { command: process.execPath, args: [WORKSHOP] }, absent: { command: 'no-such-program' } };
  const place = new Workplace({ 'mcp.json': { mcpServers: servers } });
  const calls: [string[], boolean][] = [
    [['--no-console'], true],
    [['--confirm', 'allow'], false],
  ];
  for (const [args, isError] of calls) {
    const { line, stderr, stop } = await start(place, '--port', '0', '--name', 'pc', '--config', 'mcp.json', ...args);
    expect(stderr().match(/the program "no-such-program" was not found/g)).toHaveLength(1);
    const agent = await Agent.connect({ url: line.trim().split(' ')[1] as string, office: 'demo', name: 'bot' });
    await vi.waitFor(() => expect(agent.tools().map(({ tool }) => tool.name)).toContain('echo'), WAIT_MS);
    expect(await agent.callTool('pc', 'echo', { message: 'hi' })).toMatchObject({ isError });
    await agent.close();
    await stop('SIGINT');
  }
});

verifies('CLI-UP-06', 'the demo server: progress, an image, windows that change', async () => {
  const program = fileURLToPath(new URL('../bin/demo-server.js', import.meta.url));
  const { config } = readConfig(
    JSON.stringify({ mcpServers: { demo: { command: process.execPath, args: [program] } } }),
    { file: 'x' },
  );
  await using hub = new MCPServerManager({ guard: new TrustGuard({ ...UNTRUSTED, trusted: true }) });
  await hub.initialize(config?.servers ?? []);
  const steps: unknown[] = [];
  await hub.executeTool('countdown', { seconds: 2 }, { onProgress: (step) => steps.push(step) });
  expect(steps).toMatchObject([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
  const chart = await hub.executeTool('bar_chart', { values: [3, -1, 5] });
  expect(chart.content).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
  const bytes = Buffer.from(chart.content[0]?.data as string, 'base64');
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect((await hub.executeTool('system_info', {})).structuredContent).toMatchObject({ node: process.version });

  const changes: (string | null)[] = [];
  hub.on('windows', ({ uri }) => changes.push(uri));
  expect((await hub.listWindows()).map(({ resource }) => resource.uri)).toEqual([
    'window://a2c.demo/notes?priority=80',
    'window://a2c.demo/clock?priority=20',
  ]);
  await hub.executeTool('add_note', { text: 'milk' });
  await vi.waitFor(() => expect(changes).toContain('window://a2c.demo/notes?priority=80'), WAIT_MS);
  await expect(hub.executeTool('now', { time_zone: 'UTC' })).rejects.toThrow('time_zone');
  await expect(hub.executeTool('now', { timezone: 'Mars/Base' })).resolves.toMatchObject({ isError: true });
});

verifies(
  ['CLI-UP-02', 'NEW-OUTPUT-07'],
  'each call is one line, in English as everything else of "up", and the link is printed once',
  async () => {
    for (const locale of ['C', 'zh_CN.UTF-8']) {
      vi.stubEnv('LC_ALL', locale);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { line, stderr, stop } = await start(new Workplace(), '--port', '0', '--name', 'pc');
      const url = line.trim().split(' ')[1] as string;
      const token = /#token=(\S+)/.exec(stderr())?.[1] as string;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const operate = async (name: string, body?: object) => {
        const init = body && { method: 'POST', body: JSON.stringify(body) };
        return (await (await fetch(`${url}/operator/${name}`, { ...init, headers })).json()) as Answer;
      };
      const agent = await Agent.connect({ url, office: 'demo', name: 'bot' });
      await agent.ready();
      const clear = async (answer: string) => {
        const called = agent.callTool('pc', 'clear_notes', {});
        const questions = () => operate('servers').then((answered) => answered.questions);
        await vi.waitFor(async () => expect(await questions()).toHaveLength(1), WAIT_MS);
        await operate('answer', { id: (await questions())?.[0]?.id, answer });
        return called;
      };
      await clear('deny');
      await operate('run-tool', { id: '1', server: 'demo', tool: 'add_note', arguments: { text: 'milk' } });
      expect((await clear('allow')).content).toMatchObject([{ text: '1 note deleted.' }]);
      await agent.close();
      await vi.waitFor(() => expect(stderr().match(/ m?s$/gm)).toHaveLength(3), WAIT_MS);
      const lines = stderr()
        .split('\n')
        .filter((each) => / m?s$|wants to run/.test(each));
      const hint = 'bot wants to run "clear_notes" of "demo": answer in the browser (the link is above)';
      expect(lines.map((each) => each.replace(/^[\d:]+ /, '').replace(/[\d.]+ m?s$/, 'N ms'))).toEqual([
        hint,
        'bot demo.clear_notes denied, N ms',
        'console demo.add_note ok, N ms',
        hint,
        'bot demo.clear_notes ok, N ms',
      ]);
      expect(stderr().match(/#token=/g)).toHaveLength(1);
      expect(stderr()).not.toMatch(/\p{Script=Han}/u);
      await stop('SIGINT');
    }
  },
);

verifies(
  ['NEW-OUTPUT-07', 'NEW-OUTPUT-03'],
  'servers with tools of the same names are reported in one line',
  async () => {
    const tool = JSON.stringify([{ name: 'echo', inputSchema: { type: 'object' } }]);
    const program = { command: process.execPath, args: [WORKSHOP], env: { WORKSHOP_TOOLS: tool } };
    const names = Array.from({ length: 5 }, (_, index) => `server-with-a-long-name-${index}`);
    const place = new Workplace({
      'mcp.json': { mcpServers: Object.fromEntries(names.map((name) => [name, program])) },
    });
    const { stderr, stop } = await start(place, '--port', '0', '--config', 'mcp.json');
    const line = "4 tools have the name of another server's tool: call it as SERVER.TOOL";
    await expect.poll(stderr, { timeout: WAIT_MS }).toContain(line);
    expect(stderr()).not.toContain('tool_meta');
    expect(stderr().match(/call it as SERVER\.TOOL/g)).toHaveLength(1);
    await stop('SIGINT');
  },
);

interface Answer {
  readonly questions?: readonly { readonly id: string }[];
}
