import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sendHostilePackets } from './hostile.js';
import { NODES, OFFICES, officeOf, REDIS } from './members.js';
import type { Fault, FaultKind } from './plan.js';
import type { System } from './system.js';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const HOUR_MS = 3_600_000;
const CLOCK_JUMPS = [HOUR_MS, -HOUR_MS, 48 * HOUR_MS, -48 * HOUR_MS, 30_000, -30_000];
/** Longer than any drain: pending calls take at most as long as their own time limits. */
const TERMINATE_MS = 20_000;

type Inject = (system: System, fault: Fault) => Promise<void>;

/** Each resolves when its fault is over and what it ended was started again. */
const INJECT: Readonly<Record<FaultKind, Inject>> = {
  kill: async (system, { target, forMs }) => {
    const program = system.program(target);
    await program.kill();
    await sleep(forMs);
    program.start();
  },
  terminate: async (system, { target, forMs }) => {
    const program = system.program(target);
    await program.terminate(TERMINATE_MS * system.load.factor);
    await sleep(forMs);
    program.start();
  },
  pause,
  'long pause': pause,
  cut: async (system, { target, forMs }) => {
    system.wire(target).cut();
    await sleep(forMs);
    system.wire(target).heal();
  },
  delay: async (system, { target, forMs, variant }) => {
    system.wire(target).delay(20 + variant * 100);
    await sleep(forMs);
    system.wire(target).heal();
  },
  'half-open': async (system, { target, forMs, variant }) => {
    system.wire(target).halfOpen(variant % 2 === 0);
    await sleep(forMs);
    system.wire(target).heal();
  },
  'kill child': async (system, { target }) => void signalChildren(system, target, 'SIGKILL'),
  'pause child': async (system, { target, forMs }) => {
    const paused = signalChildren(system, target, 'SIGSTOP');
    await sleep(forMs);
    for (const pid of paused) signal(pid, 'SIGCONT');
  },
  'slow child': (system, { target, forMs, variant }) => control(system, target, `slow ${300 + variant * 300}`, forMs),
  'dying child': (system, { target, forMs }) => control(system, target, 'die', forMs),
  'disk full': async (system, { target, forMs }) => {
    const { pid } = system.program(target);
    if (pid === undefined) return;
    // Every write that makes a file larger fails, as on a full disk.
    limitFileSize(pid, '0');
    await sleep(forMs);
    limitFileSize(pid, 'unlimited');
  },
  'clock jump': async (system, { target, forMs, variant }) => {
    const path = system.path(`clock/${target}`);
    writeFileSync(path, String(CLOCK_JUMPS[variant % CLOCK_JUMPS.length]));
    await sleep(forMs);
    rmSync(path, { force: true });
  },
  'hostile packets': (system, { target, forMs, variant }) =>
    sendHostilePackets(system.ports.get(target) ?? 0, forMs, variant),

  'crash during pause': async (system, { target, forMs }) => {
    const program = system.program(target);
    program.pause();
    await sleep(forMs);
    await program.kill();
    program.resume();
    program.start();
  },
  'drain during crash': async (system, { target, forMs }) => {
    const other = system.program(NODES.find((name) => name !== target) ?? target);
    const program = system.program(target);
    await other.kill();
    const drained = program.terminate(TERMINATE_MS * system.load.factor).then(() => program.start());
    await sleep(forMs);
    other.start();
    await drained;
  },
  'restart during repeat': async (system, { target, forMs }) => {
    // The Agent loses its connection and repeats its calls, while their Computer is killed and started again.
    const agent = OFFICES[officeOf(target)].agent;
    const program = system.program(target);
    system.wire(agent).cut();
    await program.kill();
    program.start();
    await sleep(forMs);
    system.wire(agent).heal();
  },
  'Redis lost during pause': async (system, { target, forMs }) => {
    const [node, redis] = [system.program(target), system.program(REDIS)];
    node.pause();
    await redis.kill();
    await sleep(forMs / 2);
    redis.start();
    await sleep(forMs / 2);
    node.resume();
  },
};

/** Injects a fault. Resolves when it is over. */
export async function inject(system: System, fault: Fault): Promise<void> {
  const { number, kind, target, forMs, variant } = fault;
  system.timeline.add(target, `FAULT ${number}: ${kind}, ${forMs} ms, variant ${variant}`);
  await INJECT[kind](system, fault);
  system.timeline.add(target, `fault ${number} is over`);
}

async function pause(system: System, { target, forMs }: Fault): Promise<void> {
  const program = system.program(target);
  program.pause();
  await sleep(forMs);
  program.resume();
}

async function control(system: System, computer: string, order: string, ms: number): Promise<void> {
  const path = system.path(`${computer}.control`);
  writeFileSync(path, order);
  await sleep(ms);
  rmSync(path, { force: true });
}

/** Signals the MCP servers of a Computer. Returns their process ids. */
function signalChildren(system: System, computer: string, name: NodeJS.Signals): number[] {
  const { pid } = system.program(computer);
  const children = pid === undefined ? [] : childrenOf(pid);
  system.timeline.add(computer, `${name} to the MCP server, pid ${children.join(', ')}`);
  for (const child of children) signal(child, name);
  return children;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []; // it has ended
    throw error;
  }
}

function limitFileSize(pid: number, bytes: string): void {
  spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { stdio: 'ignore' });
}

/** The programs and wires that a fault touches. */
export function touchedBy({ kind, target }: Fault): ReadonlySet<string> {
  if (kind === 'drain during crash') return new Set(NODES);
  if (kind === 'Redis lost during pause') return new Set([target, REDIS]);
  if (kind === 'restart during repeat') return new Set([target, OFFICES[officeOf(target)].agent]);
  return new Set([target]);
}
