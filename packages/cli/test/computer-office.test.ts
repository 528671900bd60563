import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, executionOf } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, apiKey, type Listening, listen } from '@a2c/server';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { COMMAND, Workplace, workshop } from './a2c.js';

const MODERN = join(inject('commands'), 'modern.js');

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

async function serve(authenticate = allowAnonymous): Promise<Listening> {
  const listening = await listen({ port: 0, authenticate, logger: quiet });
  onTestFinished(() => listening.close());
  return listening;
}

async function agentIn(url: string, auth: Record<string, string> = {}): Promise<Socket> {
  const socket = io(`${url}/smcp`, { forceNew: true, auth });
  onTestFinished(() => void socket.disconnect());
  const join = { role: 'agent', name: 'a', office_id: 'o' };
  await new Promise((resolve) => socket.emit('server:join_office', join, resolve));
  return socket;
}

function start(place: Workplace, ...args: string[]): ChildProcessWithoutNullStreams {
  const env = { ...process.env, A2C_HOME: place.home, LC_ALL: 'C' };
  const child = spawn(process.execPath, [COMMAND, 'computer', 'run', ...args], { cwd: place.folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const call = (tool_name: string, params: object) => {
  return { agent: 'a', req_id: tool_name, computer: 'friday_hands', tool_name, params, timeout: 60 };
};

/** Waits until the Computer offers the tool: it joins while its servers start. */
async function offers(agent: Socket, tool: string): Promise<void> {
  const question = { agent: 'a', req_id: 'tools', computer: 'friday_hands' };
  for (;;) {
    const { tools = [] } = await agent.emitWithAck('client:get_tools', question);
    if (tools.some(({ name }: { name: string }) => name === tool)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the link from the shell', () => {
  verifies(['SHELL-CMD-03', 'SHELL-CMD-04'], 'connects, joins, notifies, leaves and disconnects', async () => {
    const { url } = await serve(apiKey('k-1'));
    const agent = await agentIn(url, { api_key: 'k-1' });
    const heard: unknown[] = [];
    agent.onAny((event: string, payload: { computer?: string }) => heard.push([event, payload.computer]));
    const { replies, code } = await new Workplace().replies([
      'socket join o pc',
      'socket leave',
      'socket disconnect',
      'notify update',
      'socket connect',
      `socket connect ${url}`,
      `socket connect ${url} --auth`,
      `socket connect ${url} --auth api_key:k-1 --headers x-a:1,x-b:2`,
      `socket connect ${url}`,
      'socket leave',
      'notify update',
      'socket join',
      'socket join "o" "my pc"',
      'status',
      'notify update',
      'socket leave',
      'socket join elsewhere',
      'socket disconnect',
      'status',
    ]);
    expect(code).toBe(1);
    expect(replies.map((reply) => reply.error ?? reply.ok ?? reply.socket)).toEqual([
      'Connect first',
      'Not connected',
      'Not connected',
      'Not connected, skip',
      'URL required',
      expect.stringContaining('unknown credentials'),
      expect.stringContaining('Usage: socket connect'),
      true,
      'Already connected',
      'Not in any office',
      'Not in any office, skip',
      'Usage: socket join <office_id> [<computer_name>]',
      true,
      { state: 'connected', url, sid: expect.any(String), office: 'o', computer: 'my pc' },
      true,
      true,
      true,
      true,
      { state: 'disconnected', url: null, sid: null, office: null, computer: 'my pc' },
    ]);
    expect(heard).toEqual([
      ['notify:enter_office', 'my pc'],
      ['notify:update_config', 'my pc'],
      ['notify:update_mcp_config', 'my pc'],
      ['notify:leave_office', 'my pc'],
    ]);
  });

  verifies('SHELL-START-01', 'is opened by the start options and serves while commands run', async () => {
    const { url } = await serve(apiKey('k-1'));
    const agent = await agentIn(url, { api_key: 'k-1' });
    const place = new Workplace({ 'servers.json': [workshop('w')] });
    const entered = once(agent as unknown as NodeJS.EventEmitter, 'notify:enter_office');
    const child = start(place, '-c', 'servers.json', '--url', url, '--office', 'o', '--auth', 'api_key:k-1', '--json');
    await entered;
    await offers(agent, 'echo');
    expect(await agent.emitWithAck('client:tool_call', call('echo', { message: 'hi' }))).toMatchObject({
      content: [{ text: 'hi' }],
    });
    const exited = once(child, 'exit');
    child.stdin.end('history\n');
    let stdout = '';
    for await (const chunk of child.stdout) stdout += chunk;
    expect(JSON.parse(stdout)).toMatchObject([{ agent: 'a', tool: 'echo', success: true }]);
    expect(await exited).toEqual([0, null]);
  });

  verifies(
    'SHELL-START-01',
    'an unreachable Server ends a script with --fail-fast, and else sets its exit code; a refused URL ends it',
    async () => {
      const place = new Workplace();
      const clear = await place.computer(['help'], ['--url', 'http://office.example.com']);
      expect(clear).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('in the clear') });
      const url = 'http://127.0.0.1:1';
      const [fast, slow] = await Promise.all([
        place.computer(['help'], ['--url', url, '--fail-fast']),
        new Workplace().computer(['socket leave'], ['--url', url]),
      ]);
      expect(fast).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('ECONNREFUSED') });
      expect(slow).toMatchObject({ code: 1, stderr: expect.stringContaining('line 1: Failed: Not connected') });
    },
  );
});

describe('an MCP server that hangs', () => {
  verifies(['SHELL-HEAD-01', 'SHELL-PIPE-01'], 'delays neither the join nor the other servers', async () => {
    const place = new Workplace({
      'servers.json': [workshop('w'), workshop('stuck', {}, { WORKSHOP_STUCK: 'initialize' })],
    });
    for (const how of [['--headless'], []]) {
      const { url } = await serve();
      const agent = await agentIn(url);
      const entered = once(agent as unknown as NodeJS.EventEmitter, 'notify:enter_office');
      const child = start(place, ...how, '-c', 'servers.json', '--url', url, '--office', 'o');
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk;
      });
      child.stdin.write('status\n');
      await entered;
      await offers(agent, 'echo');
      expect(await agent.emitWithAck('client:tool_call', call('echo', { message: 'hi' }))).toMatchObject({
        content: [{ text: 'hi' }],
      });
      // Not answered yet: commands wait for the other server.
      if (how.length === 0) expect(stdout).toBe('');
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([how.length > 0 ? 0 : 130, null]);
    }
  });

  verifies('SHELL-HEAD-01', 'is named when the Computer is ready, and does not delay the exit', async () => {
    const place = new Workplace({ 'servers.json': [workshop('w'), stubborn('slow')] });
    const { url } = await serve();
    const child = start(place, '--headless', '-c', 'servers.json', '--url', url, '--office', 'o', '--json');
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    // The state of the other server depends on the speed of the machine.
    expect(JSON.parse(String(line))).toMatchObject({ event: 'ready', starting: expect.arrayContaining(['slow']) });
    while (!/"msg":"starting [^"]*slow …"/.test(stderr)) await new Promise((resolve) => setTimeout(resolve, 20));
    const began = performance.now();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(performance.now() - began).toBeLessThan(20_000); // the start of the server times out after 30 s
  });
});

/** A server that never answers and ends only when it is killed, which takes four seconds. */
function stubborn(name: string): object {
  const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 60_000)";
  return { name, type: 'stdio', server_parameters: { command: process.execPath, args: ['-e', script] } };
}

/** A server of the 2026 generation that does not answer a subscription, and writes the file when it receives one. */
function hardOfHearing(name: string, file: string): object {
  const script = `
    const child = require('node:child_process').spawn(process.execPath, [process.argv[1], 'stdio'], { stdio: ['pipe', 1, 2] });
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      if (line.includes('"subscriptions/listen"')) require('node:fs').writeFileSync(process.argv[2], '');
      else child.stdin.write(line + '\\n');
    }).on('close', () => child.stdin.end());`;
  const server_parameters = { command: process.execPath, args: ['-e', script, MODERN, file] };
  return { name, type: 'stdio', server_parameters };
}

/** Starts a Server with a handler for each join, and returns its URL. */
async function serveJoins(joins: readonly ((socket: { drop(): void }, ack: (...args: unknown[]) => void) => void)[]) {
  const http = createServer();
  const server = new Server(http);
  onTestFinished(() => void server.close());
  let count = 0;
  server.of('/smcp').on('connection', (socket) => {
    socket.on('server:join_office', (_, ack) => joins[count++]?.({ drop: () => socket.conn.close() }, ack));
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

describe('headless', () => {
  verifies('SHELL-HEAD-01', 'exits on a final refusal, whatever state its MCP servers are in', async () => {
    const place = new Workplace();
    const asked = place.path('asked');
    place.write('servers.json', [hardOfHearing('half', asked)]);
    const url = await serveJoins([
      async (_, ack) => {
        while (!existsSync(asked)) await new Promise((resolve) => setTimeout(resolve, 20));
        ack(false, '403 a Computer named "pc" already exists');
      },
    ]);
    const refused = start(place, '--headless', '-c', 'servers.json', '--url', url, '--office', 'o');
    expect(await once(refused, 'exit')).toEqual([1, null]);
  });

  verifies(
    'SHELL-HEAD-01',
    'exits on the first signal after a refusal, even while a server is slow to close',
    async () => {
      const place = new Workplace({ 'servers.json': [stubborn('slow')] });
      const url = await serveJoins([(_, ack) => ack(false, '403 a Computer named "pc" already exists')]);
      const refused = start(place, '--headless', '-c', 'servers.json', '--url', url, '--office', 'o');
      let stderr = '';
      refused.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk;
        if (/^403 /m.test(stderr)) refused.kill('SIGINT');
      });
      expect(await once(refused, 'exit')).toEqual([130, null]);
    },
  );

  verifies(
    'SHELL-HEAD-01',
    'joins again when the connection was lost during the join, but not after a final refusal',
    async () => {
      const url = await serveJoins([
        ({ drop }) => drop(),
        (_, ack) => ack(false, '429 wait and try again'),
        (_, ack) => ack(true, null),
      ]);
      const patient = start(new Workplace(), '--headless', '--url', url, '--office', 'o', '--json');
      const ready = { event: 'ready', url, office: 'o', computer: 'friday_hands', starting: [] };
      expect(JSON.parse(String((await once(patient.stdout, 'data'))[0]))).toEqual(ready);
      patient.kill('SIGTERM');
      expect(await once(patient, 'exit')).toEqual([0, null]);

      const taken = await serveJoins([(_, ack) => ack(false, '403 a Computer named "pc" already exists')]);
      const refused = start(new Workplace(), '--headless', '--url', taken, '--office', 'o');
      expect(await once(refused, 'exit')).toEqual([1, null]);

      // A signal between two attempts ends the process.
      const asked = new EventEmitter();
      const first = once(asked, 'join');
      const busy = await serveJoins([
        (_, ack) => {
          ack(false, '503 busy');
          asked.emit('join');
        },
      ]);
      const waiting = start(new Workplace(), '--headless', '--url', busy, '--office', 'o');
      await first;
      waiting.kill('SIGTERM');
      expect(await once(waiting, 'exit')).toEqual([0, null]);
    },
  );

  verifies('SHELL-HEAD-01', 'serves until SIGINT or SIGTERM, and logs JSON lines', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { url } = await serve();
      const agent = await agentIn(url);
      const place = new Workplace({
        'servers.json': [workshop('w'), { name: 'x', type: 'stdio', command: 'a2c-no-such' }],
      });
      const json = signal === 'SIGTERM' ? ['--json'] : [];
      const child = start(place, '--headless', '-c', 'servers.json', '--url', url, '--office', 'o', ...json);
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk;
      });
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      if (signal === 'SIGINT') expect(String(line)).toBe(`ready ${url}\n`);
      // Whether the server has started by then depends on the speed of the machine.
      else
        expect(JSON.parse(String(line))).toMatchObject({ event: 'ready', url, office: 'o', computer: 'friday_hands' });
      await offers(agent, 'echo');
      expect(await agent.emitWithAck('client:tool_call', call('echo', { message: 'hi' }))).toMatchObject({
        isError: false,
      });
      const left = once(agent as unknown as NodeJS.EventEmitter, 'notify:leave_office');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      await left;
      const logged = stderr
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as { name: string; msg: string });
      expect(logged.every(({ name }) => name === 'a2c-computer')).toBe(true);
      expect(logged.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['joined', 'tool call']));
    }
  });

  verifies(
    ['SHELL-HEAD-01', 'SHELL-PIPE-01'],
    'a signal ends a start that is not complete, and a command that hangs',
    async () => {
      const place = new Workplace({ 'w.json': workshop('w') });
      // Reports its start and then hangs.
      const mute = "require('node:fs').writeFileSync(process.argv[1], ''); setInterval(() => {}, 60_000)";
      for (const name of ['headless', 'pipe']) {
        const server_parameters = { command: process.execPath, args: ['-e', mute, place.path(`${name}-begun`)] };
        place.write(`${name}.json`, { name, type: 'stdio', server_parameters });
      }
      const { url } = await serve();
      const booting = start(place, '--headless', '-c', 'headless.json', '--url', url, '--office', 'o');
      const piped = start(place, '-c', 'pipe.json');
      const busy = start(place, '-c', 'w.json', '--json');
      busy.stdin.write('tools\ntc {"tool_name":"sleep","params":{"ms":60000}}\n');
      await once(busy.stdout, 'data');
      const ends = [booting, piped, busy].map((child) => once(child, 'exit'));
      while (!['headless', 'pipe'].every((name) => existsSync(place.path(`${name}-begun`))))
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const child of [booting, piped, busy]) child.kill('SIGTERM');
      expect(await Promise.all(ends)).toEqual([
        [0, null],
        [130, null],
        [130, null],
      ]);
    },
  );

  verifies('SHELL-HEAD-01', 'waits for a Server that is not running yet, and exits when it refuses', async () => {
    const first = await serve();
    const port = Number(new URL(first.url).port);
    await first.close();
    const child = start(new Workplace(), '--headless', '--url', first.url, '--office', 'o');
    await once(child.stderr, 'data'); // the first attempt has failed
    const server = await listen({ port, authenticate: apiKey('k-1'), logger: quiet });
    onTestFinished(() => server.close());
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(stderr).toContain('unknown credentials');
  });
});

verifies('SEC-ONCE-02', 'with --durable, a call is not run again after a crash of the Computer', async () => {
  const place = new Workplace({ 'w.json': workshop('w') });
  const { url } = await serve();
  const run = () =>
    start(place, '--headless', '--durable', '-c', 'w.json', '--url', url, '--office', 'o', '--name', 'pc');
  const first = run();
  const agent = await Agent.connect({ url, office: 'o', name: 'a' });
  onTestFinished(() => agent.close());
  while (!agent.computers.get('pc')?.tools.some(({ name }) => name === 'sleep'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  const call = agent.callTool('pc', 'sleep', { ms: 60_000 }, { reqId: 'once' }).catch((error: Error) => error);
  const ledger = () => readdirSync(place.home, { recursive: true }).find((name) => String(name).endsWith('.ledger'));
  const hasCall = () => /^[0-9a-f]{32}-/m.test(readFileSync(join(place.home, String(ledger())), 'utf8'));
  while (!ledger() || !hasCall()) await new Promise((resolve) => setTimeout(resolve, 20));
  first.kill('SIGKILL');
  run();
  expect(executionOf((await call) as Error)).toBe('unknown');
});
