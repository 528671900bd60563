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

/** A server that is still starting. */
export interface StartingServer {
  readonly name: string;
  readonly activity: string | null;
}

export function startingServers(computer: Computer): readonly StartingServer[] {
  return computer.status().filter(({ active, state }) => active && state === 'initialized');
}

export function startingLine(starting: readonly StartingServer[]): string {
  const texts = starting.map(({ name, activity }) => (activity === 'downloading' ? `${name} (downloading)` : name));
  return `starting ${texts.join(', ')} …`;
}

export function allStartedLine(computer: Computer): string {
  return `all servers have started or failed: ${computer.tools().length} tools`;
}
