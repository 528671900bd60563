// Starts and stops eight servers at once, as many times as the argument says, and prints the processes, handles,
// listeners, open files and heap bytes that remain. Run with --expose-gc on the build.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';

const args = [fileURLToPath(new URL('servers/quick.sh', import.meta.url))];
const names = Array.from({ length: 8 }, (_, index) => `w${index}`);
const entries = names.map((name) => ({ name, type: 'stdio', server_parameters: { command: 'sh', args } }));
const { config } = readConfig(JSON.stringify(entries), { file: 'cycles.json' });
const manager = new MCPServerManager({ guard: new TrustGuard({ ...UNTRUSTED, trusted: true }), autoConnect: false });
await manager.initialize(config.servers);

const pids = [];
async function cycle(name) {
  await manager.startClient(name);
  pids.push(manager.status().find((server) => server.name === name).diagnostics.pid);
  await manager.callTool(name, 'echo', {});
  await manager.stopClient(name);
}
const round = () => Promise.all(names.map(cycle));

/** The child processes and the open file descriptors; none without /proc. */
const children = () =>
  process.platform === 'linux' ? readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim() : '';
const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

async function measure() {
  // The watchdog of the processes ends after the last of them.
  do await new Promise((resolve) => setTimeout(resolve, 50));
  while (children() !== '');
  global.gc();
  return {
    handles: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    files: openFiles(),
    heapBytes: process.memoryUsage().heapUsed,
  };
}
const isRunning = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

for (let warmUp = 0; warmUp < 3; warmUp++) await round();
const before = await measure();
for (let index = 0; index < Number(process.argv[2]); index++) await round();
const after = await measure();
const growth = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
const started = new Set(pids).size;
console.log(JSON.stringify({ started, running: pids.filter(isRunning).length, ...growth }));
await manager.close();
