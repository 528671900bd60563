import type { MCPServerManager } from '@a2c/hub';
import { ProgressLine } from '../progress-line.js';

/** A start that is faster shows nothing. */
const SHOWN_AFTER_S = 2;

/**
 * Starts one server, or all enabled ones. At a terminal, a slow start shows what the servers do:
 * `npx: downloading (12 s)`.
 */
export async function startShown(hub: MCPServerManager, server?: string): Promise<void> {
  const line = new ProgressLine();
  let seconds = 0;
  const timer = setInterval(() => {
    seconds++;
    const starting = hub
      .status()
      .filter(({ name, state, disabled }) => state === 'initialized' && (name === server || (!server && !disabled)));
    const texts = starting.map(({ name, activity }) => `${name}: ${activity ?? 'starting'}`);
    if (seconds >= SHOWN_AFTER_S && texts.length > 0) line.show(`${texts.join(', ')} (${seconds} s)`);
  }, 1_000);
  if (!process.stderr.isTTY) clearInterval(timer);
  try {
    await (server === undefined ? hub.startAll() : hub.startClient(server));
  } finally {
    clearInterval(timer);
    line.clear();
  }
}
