import { join } from 'node:path';
import type { MCPServerManager } from '@a2c/hub';
import { inject } from 'vitest';
import { start } from './hub-over.js';

/** A hub with the server of `workshop.mjs`. */
export async function workshopHub(): Promise<MCPServerManager> {
  const script = join(inject('commands'), 'workshop.js');
  const { hub, started } = await start({ workshop: { command: process.execPath, args: [script] } });
  await started;
  return hub;
}
