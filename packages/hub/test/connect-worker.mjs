// Connects to the MCP server at a URL and prints its state and the cause of a failure.
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { Vault } from '@a2c/login';

const [, , url, folder] = process.argv;
const entry = { name: 'remote', type: 'streamable', server_parameters: { url } };
const { config } = readConfig(JSON.stringify([entry]), { file: 'remote.json' });
const guard = new TrustGuard({ ...UNTRUSTED, trusted: true });
const hub = new MCPServerManager({ guard, vault: new Vault(folder, 'file'), autoReconnect: false });
await hub.initialize(config.servers);
const [{ state, cause }] = hub.status();
console.log(JSON.stringify({ state, cause }));
await hub.close();
