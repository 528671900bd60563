// Calls a tool of the server until its input ends. Arguments: URL of the server, folder of the vault, pause in ms.
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { Vault } from '@a2c/login';

const [, , url, folder, pause] = process.argv;
const entry = { name: 'notes', type: 'streamable', server_parameters: { url } };
const { config } = readConfig(JSON.stringify([entry]), { file: 'notes.json' });
const hub = new MCPServerManager({
  guard: new TrustGuard({ ...UNTRUSTED, trusted: true }),
  vault: new Vault(folder, 'file'),
});
let isEnded = false;
process.stdin.on('end', () => {
  isEnded = true;
});
process.stdin.resume();
try {
  await hub.initialize(config.servers);
  await hub.executeTool('read', {});
  console.log('ready');
  while (!isEnded) {
    await hub.executeTool('read', {});
    await new Promise((resolve) => setTimeout(resolve, Number(pause) * (0.5 + Math.random())));
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await hub.close();
}
