import { fileURLToPath } from 'node:url';
import type { MCPServerManager } from '@a2c/hub';
import { start } from './hub-over.js';

/** A hub with the server of `workshop.mjs`. */
export async function workshopHub(): Promise<MCPServerManager> {
  const script = fileURLToPath(new URL('workshop.mjs', import.meta.url));
  const { hub, started } = await start({ workshop: { command: process.execPath, args: [script] } });
  await started;
  return hub;
}
