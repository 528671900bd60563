import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resolveServer, TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, inject, onTestFinished } from 'vitest';
import { MCPServerManager } from '../src/index.js';
import { hub, isRunning, jsonOf, run, server, TRUSTED, temporaryFolder, textOf, tools, until } from './hub.js';

const MUTE = { server_parameters: { command: 'sleep', args: ['1000000'] } };
/** One tool, echo. */
const QUICK = tools('echo');

verifies('HUB-LIFE-01', 'initialize replaces all servers', async () => {
  const manager = await hub([server('old', QUICK)]);
  const pid = manager.status()[0]?.diagnostics?.pid as number;
  await manager.initialize([server('new', QUICK)]);
  expect(isRunning(pid)).toBe(false);
  expect(manager.status().map(({ name, state }) => [name, state])).toEqual([['new', 'connected']]);
  expect(new Set(manager.availableTools().map((tool) => tool.server))).toEqual(new Set(['new']));
});

verifies(
  ['HUB-LIFE-02', 'HUB-LIFE-05'],
  'nothing starts by itself without autoConnect; a second start changes nothing',
  async () => {
    const manager = await hub([server('a', QUICK), server('b', tools('b1'))], { autoConnect: false });
    expect(manager.status().map(({ state, active }) => [state, active])).toEqual([
      ['initialized', false],
      ['initialized', false],
    ]);
    expect(manager.availableTools()).toEqual([]);
    await manager.startClient('a');
    const pid = manager.status()[0]?.diagnostics?.pid;
    await manager.startClient('a');
    await manager.startAll();
    expect(manager.status().map(({ state }) => state)).toEqual(['connected', 'connected']);
    expect(manager.status()[0]).toMatchObject({ restarts: 0, diagnostics: { pid } });
    await manager.stopAll();
    expect(manager.status().map(({ state }) => state)).toEqual(['disconnected', 'disconnected']);
  },
);

verifies('HUB-LIFE-03', 'fifty servers, ten of them broken, start in the time of the slowest good one', async () => {
  const good = Array.from({ length: 40 }, (_, index) => server(`good${index}`, tools(`tool${index}`)));
  const gone = { server_parameters: run('workshop.mjs', { WORKSHOP_EXIT: '1' }) };
  const absent = { server_parameters: { command: 'no-such-program-anywhere' } };
  const broken = Array.from({ length: 10 }, (_, index) => server(`broken${index}`, [gone, MUTE, absent][index % 3]));
  const manager = new MCPServerManager({
    guard: new TrustGuard({ ...UNTRUSTED, trusted: true }),
    limits: { startTimeoutMs: 20_000, probeTimeoutMs: 10_000 },
  });
  const finished = manager.initialize([...broken, ...good]);
  // The silent servers are still starting when every good one can be used.
  await until(() => manager.status().filter(({ state }) => state === 'connected').length === 40);
  expect(manager.status().some(({ name, state }) => name.startsWith('broken') && state === 'initialized')).toBe(true);
  expect(manager.availableTools()).toHaveLength(40);
  expect(textOf(await manager.executeTool('tool39', {}))).toBe('called tool39');
  await manager.close();
  await finished;
});

verifies(
  ['HUB-LIFE-04', 'COMP-SERVER-02', 'SMCP-CONF-04'],
  'a disabled server is never started and has no tools',
  async () => {
    const manager = await hub([server('off', { disabled: true }), server('on', tools('t'))]);
    await manager.startAll();
    await expect(manager.startClient('off')).rejects.toThrow('Cannot start disabled server: off');
    await expect(manager.callTool('off', 'echo', { message: '' })).rejects.toMatchObject({ kind: 'disabled-server' });
    expect(manager.status()[0]).toMatchObject({ state: 'initialized', active: false, disabled: true, tools: 0 });
    expect(manager.availableTools().map(({ name }) => name)).toEqual(['t']);
  },
);

verifies('HUB-LIFE-06', 'a stopped server stays stopped, and the error of a call has the remedy', async () => {
  const manager = await hub([server('w', QUICK)]);
  await manager.stopClient('w');
  expect(manager.availableTools()).toEqual([]);
  expect(manager.status()[0]).toMatchObject({ state: 'disconnected', active: false });
  await expect(manager.callTool('w', 'echo', { message: '' })).rejects.toMatchObject({
    kind: 'not-connected',
    message: 'server "w" is not running: start it first',
  });
});

verifies('HUB-LIFE-07', 'servers are added and removed at run time', async () => {
  const manager = await hub([server('a', tools('a1'))]);
  expect(await manager.addOrUpdateServer(server('b', tools('b1')))).toMatchObject({
    name: 'b',
    state: 'connected',
    tools: 1,
  });
  expect(textOf(await manager.executeTool('b1', {}))).toBe('called b1');
  const pid = manager.status()[1]?.diagnostics?.pid as number;
  await manager.removeServer('b');
  expect(isRunning(pid)).toBe(false);
  expect(manager.servers().map(({ name }) => name)).toEqual(['a']);
  expect(manager.availableTools().map(({ name }) => name)).toEqual(['a1']);
  expect(
    await manager.addOrUpdateServer(server('c', { server_parameters: { command: 'no-such-program' } })),
  ).toMatchObject({
    state: 'error',
    cause: expect.stringContaining('no-such-program'),
  });
});

verifies('HUB-LIFE-08', 'an update restarts a running server with the new configuration', async () => {
  const manager = await hub([server('w', { server_parameters: run('workshop.mjs', { COLOUR: 'red' }) })]);
  expect(textOf(await manager.executeTool('environment', { name: 'COLOUR' }))).toBe('red');
  await manager.addOrUpdateServer(server('w', { server_parameters: run('workshop.mjs', { COLOUR: 'blue' }) }));
  expect(textOf(await manager.executeTool('environment', { name: 'COLOUR' }))).toBe('blue');
});

verifies('HUB-LIFE-09', 'without autoReconnect only a stopped server is updated', async () => {
  const manager = await hub([server('w', QUICK)], { autoReconnect: false });
  const update = server('w', tools('other'));
  await expect(manager.addOrUpdateServer(update)).rejects.toThrow('Server w is active. Stop it before updating config');
  expect(manager.availableTools().map(({ name }) => name)).toContain('echo');
  await manager.stopClient('w');
  await manager.addOrUpdateServer(update);
  expect(manager.availableTools().map(({ name }) => name)).toEqual(['other']);
});

verifies('HUB-LIFE-10', 'an unknown server is an error that names the nearest', async () => {
  const manager = await hub([server('filesystem')], { autoConnect: false });
  const unknown = { kind: 'unknown-server', message: 'there is no server "filesytem" (did you mean "filesystem"?)' };
  for (const attempt of [
    () => manager.startClient('filesytem'),
    () => manager.stopClient('filesytem'),
    () => manager.removeServer('filesytem'),
    () => manager.callTool('filesytem', 'x', {}),
    () => manager.listPrompts('filesytem'),
  ]) {
    await expect(attempt()).rejects.toMatchObject(unknown);
  }
});

verifies(
  'HUB-LIFE-11',
  'operations on one server keep their order; another server does not wait for them',
  async () => {
    const gate = join(await temporaryFolder(), 'gate');
    const slow = server('slow', { server_parameters: run('workshop.mjs', { WORKSHOP_GATE: gate }) });
    const manager = await hub([slow, server('quick', tools('q'))], { autoConnect: false });
    const order: string[] = [];
    manager.on('state', ({ server: name, state }) => order.push(`${name} ${state}`));
    const stopped = manager.startClient('slow').then(() => manager.stopClient('slow'));
    await manager.startClient('quick');
    await writeFile(gate, '');
    await stopped;
    expect(order).toEqual(['quick connected', 'slow connected', 'slow disconnected']);

    const many = [manager.startClient('quick'), manager.stopClient('quick'), manager.startClient('quick')];
    await Promise.allSettled(many);
    expect(manager.status()[1]?.state).toBe('connected');
  },
);

verifies('HUB-LIFE-12', 'stopping a server that is starting ends the start at once', async () => {
  const manager = await hub([server('mute', MUTE)], {
    autoConnect: false,
    limits: { startTimeoutMs: 3_600_000, stopGraceMs: 50 },
  });
  const started = manager.startClient('mute');
  const refused = expect(started).rejects.toMatchObject({ kind: 'not-connected' });
  await manager.stopClient('mute');
  await refused;
  expect(manager.status()[0]).toMatchObject({ state: 'initialized', active: false, cause: null });
});

verifies(['HUB-LIFE-13', 'SMCP-TERM-05'], 'close ends every child', async () => {
  const manager = await hub(Array.from({ length: 8 }, (_, index) => server(`w${index}`, tools(`t${index}`))));
  const pids = manager.status().map(({ diagnostics }) => diagnostics?.pid as number);
  expect(pids.every(isRunning)).toBe(true);
  await manager.close();
  expect(pids.some(isRunning)).toBe(false);
  expect(manager.status()).toEqual([]);
});

verifies(
  ['HUB-LIFE-14', 'HUB-STDIO-13'],
  'two hundred starts and stops, eight at a time, leave no process, no handle and no memory behind',
  async () => {
    // In a separate process, where memory can be measured after a garbage collection.
    const cycles = join(inject('commands'), 'cycles.js');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', cycles, '25'], {
      timeout: 240_000,
    });
    const { heapBytes, ...left } = JSON.parse(stdout);
    expect(left).toEqual({ started: 224, running: 0, handles: 0, listeners: 0, files: 0 });
    expect(heapBytes).toBeLessThan(1_000_000); // 5 KB a cycle would be a leak; what remains is noise of the engine.
  },
  { timeout: 240_000 },
);

verifies(
  ['HUB-LIFE-15', 'KIT-STDIO-09', 'KIT-UNIX-03', 'KIT-HTTP-07'],
  'untrusted servers are neither started nor connected to',
  async () => {
    const manager = new MCPServerManager();
    await manager.initialize([
      server('program', { server_parameters: { command: process.execPath, args: ['-e', 'process.exit(0)'] } }),
      server('private', { type: 'streamable', server_parameters: { url: 'https://127.0.0.1:1/mcp' } }),
      server('plain', { type: 'streamable', server_parameters: { url: 'http://example.com/mcp' } }),
    ]);
    const causes = manager.status().map(({ state, cause, retryAt }) => [state, cause, retryAt]);
    expect(causes).toEqual([
      ['error', expect.stringContaining('would start a program (rule spawn; allowed by --trust'), null],
      ['error', expect.stringContaining('rule'), null],
      ['error', expect.stringContaining('rule https-only'), null],
    ]);
    await manager.close();
  },
);

const PLACEHOLDER = `\${input:token}`;

verifies('HUB-LIFE-16', 'placeholders are filled in right before a start, and shown as written', async () => {
  const secret = server('w', { server_parameters: run('workshop.mjs', { TOKEN: PLACEHOLDER }) });
  const asked: string[] = [];
  const inputs = {
    has: (id: string) => id === 'token',
    resolve: async (id: string) => {
      asked.push(id);
      return `value ${asked.length}`;
    },
  };
  const manager = await hub([secret], {
    autoConnect: false,
    prepare: (raw) => resolveServer(raw, { trusted: true, root: process.cwd(), inputs }),
  });
  expect(asked).toEqual([]);
  await manager.startClient('w');
  expect(textOf(await manager.executeTool('environment', { name: 'TOKEN' }))).toBe('value 1');
  expect(JSON.stringify(manager.servers())).toContain(PLACEHOLDER);
  expect(JSON.stringify([manager.servers(), manager.status()])).not.toContain('value 1');
  await manager.stopClient('w');
  await manager.startClient('w');
  expect(textOf(await manager.executeTool('environment', { name: 'TOKEN' }))).toBe('value 2');
  expect(jsonOf(await manager.executeTool('counts', {})).initialize).toBe(1);
});

verifies('HUB-LIFE-11', 'a server that does not answer delays no other, and can be removed', async () => {
  const manager = await hub([server('old', tools('o'))], { limits: { startTimeoutMs: 3_600_000, stopGraceMs: 50 } });
  const adding = manager.addOrUpdateServer(server('mute', MUTE));
  const superseded = expect(adding).rejects.toMatchObject({ kind: 'refused' });
  await manager.addOrUpdateServer(server('new', tools('n')));
  await manager.removeServer('old');
  expect(manager.availableTools().map(({ name }) => name)).toEqual(['n']);
  await manager.removeServer('mute');
  await superseded;
  expect(manager.servers().map(({ name }) => name)).toEqual(['new']);
});

verifies('HUB-LIFE-11', 'of two updates of one server the later one wins', async () => {
  const manager = await hub([server('w', tools('first'))]);
  const results = await Promise.allSettled([
    manager.addOrUpdateServer(server('w', tools('second'))),
    manager.addOrUpdateServer(server('w', tools('third'))),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(manager.availableTools().map(({ name }) => name)).toEqual(['third']);
});

verifies('HUB-LIFE-13', 'a removal during a start leaves no child, and nothing starts after close', async () => {
  const manager = await hub([server('w', QUICK)]);
  const pids = new Set([manager.status()[0]?.diagnostics?.pid as number]);
  const removed = manager.removeServer('w');
  await expect(manager.startClient('w')).rejects.toMatchObject({ kind: 'unknown-server' });
  await removed;
  const added = manager.addOrUpdateServer(server('w', QUICK));
  const started = manager.startClient('w');
  await Promise.all([added, started]);
  pids.add(manager.status()[0]?.diagnostics?.pid as number);
  await manager.close();
  expect([...pids].some(isRunning)).toBe(false);
  await expect(manager.addOrUpdateServer(server('w', QUICK))).rejects.toThrow('the hub is closed');
  await expect(manager.initialize([])).rejects.toThrow('the hub is closed');
});

verifies('HUB-LIFE-13', 'close ends a start in progress at once', async () => {
  const manager = new MCPServerManager({ guard: TRUSTED, limits: { startTimeoutMs: 3_600_000, stopGraceMs: 50 } });
  const begun = manager.initialize([server('mute', MUTE)]).catch((error: Error) => error.message);
  await manager.close();
  expect(await begun).toBe('the hub is closed');
  expect(manager.status()).toEqual([]);
});

verifies('HUB-STATE-03', 'a throwing listener is reported as uncaught and fails no server', async () => {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  });
  const thrown: string[] = [];
  process.on('uncaughtException', (error) => thrown.push(error.message));
  const manager = await hub([]);
  const unsubscribe = manager.on('state', () => {
    throw new Error('bug of a listener');
  });
  expect(await manager.addOrUpdateServer(server('w', QUICK))).toMatchObject({ state: 'connected' });
  await until(() => thrown.length > 0);
  expect(new Set(thrown)).toEqual(new Set(['bug of a listener']));
  unsubscribe();
  const pid = manager.status()[0]?.diagnostics?.pid as number;
  await manager.close();
  expect(isRunning(pid)).toBe(false);
});

verifies('HUB-LIFE-12', 'a start that hangs in `prepare` times out, and can be stopped', async () => {
  const never = () => new Promise<never>(() => {});
  const manager = await hub([server('w', QUICK)], {
    autoConnect: false,
    prepare: never,
    limits: { startTimeoutMs: 100 },
  });
  await expect(manager.startClient('w')).rejects.toThrow('the start took longer than 0.1 s');
  const patient = await hub([server('w', QUICK)], { autoConnect: false, prepare: never });
  const started = expect(patient.startClient('w')).rejects.toMatchObject({ kind: 'not-connected' });
  await patient.stopClient('w');
  await started;
});

verifies('HUB-LIFE-12', 'a server can be stopped during the negotiation', async () => {
  const code = 'console.log("Listening!"); process.stdin.resume()';
  const chatty = server('w', { server_parameters: { command: process.execPath, args: ['-e', code] } });
  const patient = await hub([chatty], {
    autoConnect: false,
    limits: { probeTimeoutMs: 3_600_000, startTimeoutMs: 3_600_000 },
  });
  const started = expect(patient.startClient('w')).rejects.toMatchObject({ kind: 'not-connected' });
  await patient.stopClient('w');
  await started;

  const impatient = await hub([chatty], { autoConnect: false, limits: { startTimeoutMs: 5_000 } });
  await expect(impatient.startClient('w')).rejects.toThrow(
    'the start took longer than 5 s; it wrote a line to its output that is no JSON-RPC',
  );
});
