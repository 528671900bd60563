import { setTimeout as delay } from 'node:timers/promises';
import type { Computer } from '@a2c/computer';

/** How long MCP servers may take to start before a Computer is ready without them. */
const PATIENCE_MS = 2_000;
/** How long they may take to leave. */
const FAREWELL_MS = 500;

/** Until the servers have started or failed, or have had their time: one that hangs makes nobody wait. */
export async function startedOrLate(started: Promise<void>): Promise<void> {
  await Promise.race([started, delay(PATIENCE_MS, undefined, { ref: false })]);
}

/** The servers that have not answered yet. */
export function stillStarting(computer: Computer): readonly string[] {
  const waiting = computer.status().filter(({ active, state }) => active && state === 'initialized');
  return waiting.map(({ name }) => name);
}

export function startingLine(starting: readonly string[]): string {
  return `starting ${starting.join(', ')} …`;
}

export function allStartedLine(computer: Computer): string {
  return `all servers have started or failed: ${computer.tools().length} tools`;
}

/** A server that does not leave by itself is ended when we are gone; nobody at a terminal waits for that. */
export async function farewell(closed: Promise<void>): Promise<void> {
  await Promise.race([closed, delay(FAREWELL_MS)]);
}
