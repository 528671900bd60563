// Starts and stops one server many times and prints the processes, handles, listeners and heap bytes that remain.
// Run with --expose-gc on the build.
import { fileURLToPath } from 'node:url';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';

const args = [fileURLToPath(new URL('servers/quick.sh', import.meta.url))];
const entry = { name: 'w', type: 'stdio', server_parameters: { command: 'sh', args } };
const { config } = readConfig(JSON.stringify([entry]), { file: 'cycles.json' });
const manager = new MCPServerManager({ guard: new TrustGuard({ ...UNTRUSTED, trusted: true }), autoConnect: false });
await manager.initialize(config.servers);

const pids = [];
async function cycle() {
  await manager.startClient('w');
  pids.push(manager.status()[0].diagnostics.pid);
  await manager.callTool('w', 'echo', {});
  await manager.stopClient('w');
}
async function measure() {
  await new Promise((resolve) => setTimeout(resolve, 50));
  global.gc();
  return {
    handles: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
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

for (let warmUp = 0; warmUp < 20; warmUp++) await cycle();
const before = await measure();
for (let index = 0; index < Number(process.argv[2]); index++) await cycle();
const after = await measure();
const growth = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
console.log(JSON.stringify({ running: pids.filter(isRunning).length, ...growth }));
await manager.close();
