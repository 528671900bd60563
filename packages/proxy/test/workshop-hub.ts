import { fileURLToPath } from 'node:url';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox } from '@a2c/proxy';
import { atEnd } from './doors.js';

/** A hub with the workshop. */
export async function workshopHub(): Promise<MCPServerManager> {
  const script = fileURLToPath(new URL('workshop.mjs', import.meta.url));
  const text = JSON.stringify({ mcpServers: { workshop: { command: process.execPath, args: [script] } } });
  const { config, problems } = readConfig(text, { file: 'mcp.json' });
  if (!config) throw new Error(JSON.stringify(problems));
  const guard = new TrustGuard({ ...UNTRUSTED, trusted: true });
  const hub = new MCPServerManager({ ...HubToolbox.answerers, guard, autoConnect: false });
  atEnd(() => hub.close());
  await hub.initialize(config.servers);
  await hub.startAll();
  return hub;
}
