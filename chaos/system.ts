import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nowMs } from './clock.js';
import type { MachineLoad } from './machine-load.js';
import {
  AGENTS,
  BALANCER,
  COMPUTERS,
  DURABLE,
  type Layout,
  MCP_CLIENT,
  MCP_OFFICE,
  NODES,
  OFFICES,
  officeOf,
  PROXY,
  REDIS,
} from './members.js';
import { WIRES } from './plan.js';
import { Program, type ProgramOptions } from './program.js';
import { Records } from './records.js';
import type { Timeline } from './timeline.js';
import { Wire } from './wire.js';

const A2C = fileURLToPath(new URL('../../packages/cli/bin/a2c.js', import.meta.url));
const HAPROXY = fileURLToPath(new URL('../../docs/deploy/haproxy.cfg', import.meta.url));
const script = (name: string) => fileURLToPath(new URL(`programs/${name}.js`, import.meta.url));

const PROXY_TIMEOUT_SECONDS = 6;
const START_MS = 60_000;
/** How often each caller starts a call. */
const CALL_EVERY_MS = 100;

/** The key of an identity that may join an office of its own only, and tries others. */
export const INTRUDER_KEY = 'key-of-intruder';

/** All processes, and the connections between them. */
export class System {
  readonly folder: string;
  readonly layout: Layout;
  readonly programs = new Map<string, Program>();
  readonly wires = new Map<string, Wire>();
  readonly ports = new Map<string, number>();
  readonly records: Records;
  readonly timeline: Timeline;
  readonly load: MachineLoad;
  readonly #seed: number;

  constructor(folder: string, layout: Layout, seed: number, timeline: Timeline, load: MachineLoad) {
    this.folder = folder;
    this.layout = layout;
    this.timeline = timeline;
    this.load = load;
    this.#seed = seed;
    for (const name of ['', 'home', 'tmp', 'clock']) mkdirSync(join(folder, name), { recursive: true });
    this.records = new Records(
      Object.fromEntries([...AGENTS, MCP_CLIENT].map((name) => [name, this.path(`${name}.calls`)])),
      COMPUTERS.map((name) => this.path(`${name}.executions`)),
    );
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  program(name: string): Program {
    const program = this.programs.get(name);
    if (!program) throw new Error(`no program "${name}"`);
    return program;
  }

  wire(name: string): Wire {
    const wire = this.wires.get(name);
    if (!wire) throw new Error(`no wire "${name}"`);
    return wire;
  }

  /** Starts all programs. If another program has taken a port since it was free, all start again with other ports. */
  start(): Promise<void> {
    return onFreePorts(
      () => this.#start(),
      () => this.killAll(),
    );
  }

  async #start(): Promise<void> {
    for (const name of [REDIS, BALANCER, PROXY, ...NODES]) this.ports.set(name, await freePort());
    for (const name of WIRES) {
      const target = (NODES as readonly string[]).includes(name) ? REDIS : BALANCER;
      const wire = new Wire(() => this.#port(target));
      this.wires.set(name, wire);
      this.ports.set(`wire of ${name}`, await wire.listen());
    }
    writeFileSync(this.path('keys.json'), JSON.stringify({ keys: keys() }), { mode: 0o600 });
    this.#addServers();
    for (const name of COMPUTERS) this.#addComputer(name);
    this.#addCallers();
    for (const names of [[REDIS], NODES, [BALANCER], COMPUTERS, AGENTS, [PROXY], [MCP_CLIENT]]) {
      for (const name of names) this.program(name).start();
      await this.#whenReady(names);
    }
  }

  /** @throws Error when a program has ended, which may be one that was started before */
  async #whenReady(names: readonly string[]): Promise<void> {
    const from = nowMs();
    for (;;) {
      for (const { name, unexpectedExits } of this.programs.values())
        if (unexpectedExits[0] !== undefined) throw new Error(`${name} did not start: ${unexpectedExits[0]}`);
      const late = names.filter((name) => !this.program(name).isReady);
      if (late.length === 0) return;
      if (nowMs() > from + START_MS * this.load.factor) throw new Error(`not ready in time: ${late.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Ends everything in the order of use. Returns what did not end in time. */
  async stop(ms: number): Promise<string[]> {
    const late: string[] = [];
    for (const names of [[MCP_CLIENT, ...AGENTS], [PROXY], COMPUTERS, [BALANCER], NODES, [REDIS]]) {
      await Promise.all(
        names.map(async (name) => {
          const program = this.program(name);
          program.resume();
          if (name === BALANCER) return program.kill();
          if ((await program.terminate(ms)) === undefined) late.push(`${name} did not end within ${Math.round(ms)} ms`);
        }),
      );
    }
    this.close();
    return late;
  }

  close(): void {
    for (const wire of this.wires.values()) wire.close();
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.programs.values()].map((program) => program.kill()));
    this.close();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #port(name: string): number {
    return this.ports.get(name) ?? 0;
  }

  #url(member: string): string {
    return `http://127.0.0.1:${this.#port(`wire of ${member}`)}`;
  }

  #add(name: string, options: Omit<ProgramOptions, 'name' | 'env' | 'log' | 'timeline'>, env: NodeJS.ProcessEnv = {}) {
    const program = new Program({
      name,
      ...options,
      log: this.path(`${name}.log`),
      timeline: this.timeline,
      env: {
        PATH: process.env.PATH,
        HOME: this.path('home'),
        TMPDIR: this.path('tmp'),
        A2C_HOME: this.path(`home/${name}`),
        ...env,
      },
    });
    this.programs.set(name, program);
  }

  /** A program of a2c, whose clock can jump. */
  #addA2c(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
    const clock = ['--import', new URL('programs/shifted-clock.js', import.meta.url).href];
    this.#add(
      name,
      { command: process.execPath, args: [...clock, A2C, ...args], ready: /ready / },
      { CHAOS_CLOCK: this.path(`clock/${name}`), ...env },
    );
  }

  #addServers(): void {
    const redis = ['--port', String(this.#port(REDIS)), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#add(REDIS, { command: 'redis-server', args: [...redis, '--dir', this.folder], ready: /Ready to accept/ });
    for (const name of NODES) {
      this.#addA2c(name, [
        'server',
        ...['--port', String(this.#port(name)), '--redis', `redis://127.0.0.1:${this.#port(`wire of ${name}`)}`],
        ...['--auth-file', this.path('keys.json'), '--audit', this.path(`${name}.audit`), '--drain-seconds', '2'],
        ...['--trusted-proxy', '127.0.0.1', '--many-agents', MCP_OFFICE, '--metrics'],
        ...(this.layout === 'sharded' ? ['--sharded'] : []),
      ]);
    }
    writeFileSync(
      this.path('haproxy.cfg'),
      balancerConfig(this.layout, (name) => `127.0.0.1:${this.#port(name)}`),
    );
    this.#add(BALANCER, { command: 'haproxy', args: ['-db', '-f', this.path('haproxy.cfg')] });
  }

  #addComputer(name: string): void {
    const office = officeOf(name);
    const args = [script('child'), this.path(`${name}.executions`), office, name, this.path(`${name}.control`)];
    const server = { name: 'work', type: 'stdio', server_parameters: { command: process.execPath, args } };
    const config = this.path(`${name}.json`);
    writeFileSync(config, JSON.stringify([{ ...server, default_tool_meta: { auto_apply: true } }]), { mode: 0o600 });
    this.#addA2c(
      name,
      [
        ...['computer', 'run', '--headless', '--config', config, '--url', this.#url(name), '--office', office],
        ...['--name', name, '--history-file', this.path(`${name}.history`)],
        ...(DURABLE.has(name) ? ['--durable', this.path(`${name}.ledger`)] : []),
      ],
      { A2C_API_KEY: keyOf(name) },
    );
  }

  #addCallers(): void {
    for (const [office, { agent, computers }] of Object.entries(OFFICES)) {
      const durable = computers.filter((name) => DURABLE.has(name));
      const options = { url: this.#url(agent), office, name: agent, computers, durable };
      this.#addCaller(agent, 'agent', options, { CHAOS_KEY: keyOf(agent) });
    }
    const timeout = ['--timeout', String(PROXY_TIMEOUT_SECONDS)];
    this.#addA2c(
      PROXY,
      [
        'proxy',
        '--http',
        String(this.#port(PROXY)),
        '--url',
        this.#url(PROXY),
        '--office',
        MCP_OFFICE,
        '--name',
        PROXY,
        ...timeout,
      ],
      { A2C_API_KEY: keyOf(PROXY) },
    );
    this.#addCaller(MCP_CLIENT, 'mcp-client', {
      url: `http://127.0.0.1:${this.#port(PROXY)}/mcp`,
      office: MCP_OFFICE,
      name: MCP_CLIENT,
      computers: OFFICES[MCP_OFFICE].computers,
      limitMs: PROXY_TIMEOUT_SECONDS * 1_000,
    });
  }

  #addCaller(name: string, program: string, options: object, env: NodeJS.ProcessEnv = {}): void {
    const all = { ...options, log: this.path(`${name}.calls`), everyMs: CALL_EVERY_MS, seed: this.#seed };
    this.#add(name, { command: process.execPath, args: [script(program), JSON.stringify(all)], ready: /ready/ }, env);
  }
}

function keyOf(name: string): string {
  return `key-of-${name}`;
}

/** One key for each member, which admits it to its own office only. */
function keys(): object[] {
  const key = (name: string, role: string, office: string) => ({
    subject: name,
    sha256: createHash('sha256').update(keyOf(name)).digest('hex'),
    roles: [role],
    offices: [office],
  });
  const members = Object.entries(OFFICES).flatMap(([office, { agent, computers }]) => [
    key(agent, 'agent', office),
    ...computers.map((computer) => key(computer, 'computer', office)),
  ]);
  return [...members, key(PROXY, 'agent', MCP_OFFICE), key('intruder', 'agent', 'street')];
}

/**
 * The documented configuration with two nodes. In the layout `spread`, Agents and Computers use different nodes while
 * both are up.
 */
function balancerConfig(layout: Layout, address: (name: string) => string): string {
  const documented = readFileSync(HAPROXY, 'utf8')
    .replace(/"\$\{A2C_BIND\}"/, address(BALANCER))
    .replace(/"\$\{A2C_(NODE[12])\}"/g, (_match, name: string) => address(name.toLowerCase()))
    .replace(/^.*A2C_NODE3.*\n/m, '');
  if (layout === 'sharded') return documented;
  const swapped = (text: string, backup: string) =>
    text.replace(new RegExp(`^( *server ${backup} .*)$`, 'm'), '$1 backup');
  const [head = '', nodes = ''] = documented.split(/^backend nodes\n/m);
  const routes = '    use_backend agents if { url_param(role) -m str agent }\n    default_backend computers';
  return [
    head.replace(/^ *default_backend .*$/m, routes),
    `backend agents\n${swapped(nodes, 'node2')}`,
    `\nbackend computers\n${swapped(nodes, 'node1')}`,
  ].join('');
}

const MAX_STARTS = 3;

/** Starts programs, and starts them again if one could not listen on its port. */
export async function onFreePorts(start: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  for (let i = 1; ; i++) {
    try {
      return await start();
    } catch (error) {
      await undo();
      if (i === MAX_STARTS || !/EADDRINUSE|address already in use|cannot bind/i.test(String(error))) throw error;
    }
  }
}

/** Below the ports that Linux gives to outgoing connections. */
const PORTS: readonly [number, number] = [15_000, 32_000];

/**
 * An unused port, for programs that must have the same one after a restart. No outgoing connection can take it while
 * its program does not run.
 */
export async function freePort(): Promise<number> {
  const [first, end] = PORTS;
  for (;;) {
    const port = first + Math.floor(Math.random() * (end - first));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
