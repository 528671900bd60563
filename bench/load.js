// Shared by the benchmarks of the Server and the Agent: processes on fixed cores, and calls under load.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { median } from './table.js';

const UNLIMITED = 1e9;

/** Limits of the Server that no benchmark reaches. */
export const LIMITS = {
  eventsPerSecond: UNLIMITED,
  callsPerSecond: UNLIMITED,
  officeCallsPerSecond: UNLIMITED,
  callsInFlight: UNLIMITED,
  officeCallsInFlight: UNLIMITED,
  connectionsPerAddress: UNLIMITED,
  handshakesPerSecond: UNLIMITED,
};

/**
 * Servers run on the first core, all clients on the second, so that the scheduler affects both sides of a comparison
 * alike.
 */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0;

/** Moves this process to the second core. */
export function pinClient() {
  if (canPin) spawnSync('taskset', ['-cp', '1', String(process.pid)], { stdio: 'ignore' });
}

/** A command that runs on one core; on any if that is null. */
export const onCore = (core, command) => (canPin && core !== null ? ['taskset', '-c', core, ...command] : command);

/**
 * A command in a session of its own, as a2c starts MCP servers: the scheduler shares a core first between sessions, and
 * then between the processes of each.
 */
export const inSession = (command) => (canPin ? ['setsid', ...command] : command);

/** Runs a script in a process of its own, until it prints `ready <url>`. A nice one has a lower priority. */
export async function start(script, { core = '0', env = {}, isNice = false } = {}) {
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const [command, ...args] = onCore(core, isNice ? ['nice', '-n', '10', ...node] : node);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, A2C_LOG_LEVEL: 'error', ...env },
  });
  const [chunk] = await once(child.stdout, 'data');
  return { child, url: /ready (\S+)/.exec(String(chunk))[1] };
}

/** Calls for `ms` with `concurrency` calls in flight. Returns the median duration, the number of calls and the rate. */
export async function slice(call, concurrency, ms) {
  const times = [];
  const began = performance.now();
  const end = began + ms;
  const worker = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await call();
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { p50: median(times), calls: times.length, perSecond: (times.length * 1_000) / (performance.now() - began) };
}

/**
 * Makes `count` calls with `concurrency` in flight and returns the rate. On a busy machine, a fixed number of calls
 * compares better than a fixed time: code is compiled after a number of calls.
 */
export async function repeat(call, concurrency, count) {
  let left = count;
  const started = performance.now();
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (count * 1_000) / (performance.now() - started);
}

/** The resident memory of a process, from Linux's process table. */
export function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024;
}

const TICKS_PER_SECOND = 100;

/** The processor time that a process has used so far, from Linux's process table. */
export function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** A free port, for programs that do not choose one themselves. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return String(port);
}
