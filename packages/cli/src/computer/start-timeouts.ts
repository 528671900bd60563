import { setTimeout as delay } from 'node:timers/promises';
import type { Computer } from '@a2c/computer';

/** How long MCP servers may take to start before the Computer reports that it is ready. */
const START_MS = 2_000;
/** How long MCP servers may take to close before the process exits. */
const CLOSE_MS = 500;

/** Resolves when all servers have started or failed, or after `START_MS`, because a server may hang. */
export async function startedOrTimeout(started: Promise<void>): Promise<void> {
  await Promise.race([started, delay(START_MS, undefined, { ref: false })]);
}

/** Resolves when the servers are closed, or after `CLOSE_MS`. A watchdog ends the remaining ones after our exit. */
export async function closedOrTimeout(closed: Promise<void>): Promise<void> {
  await Promise.race([closed, delay(CLOSE_MS)]);
}

/** The servers that are still starting. */
export function startingServers(computer: Computer): readonly string[] {
  const starting = computer.status().filter(({ active, state }) => active && state === 'initialized');
  return starting.map(({ name }) => name);
}

export function startingLine(starting: readonly string[]): string {
  return `starting ${starting.join(', ')} …`;
}

export function allStartedLine(computer: Computer): string {
  return `all servers have started or failed: ${computer.tools().length} tools`;
}
