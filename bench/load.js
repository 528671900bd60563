// Shared by the benchmarks of the Server and the Agent: processes on fixed cores, and calls under load.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

/** Runs a script in a process of its own, until it prints `ready <url>`. */
export async function start(script, { core = '0', env = {} } = {}) {
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const [command, ...args] = canPin ? ['taskset', '-c', core, ...node] : node;
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
  const end = performance.now() + ms;
  const worker = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await call();
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { p50: median(times), calls: times.length, perSecond: (times.length * 1_000) / ms };
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
