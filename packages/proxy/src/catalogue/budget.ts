import type { ToolboxServer } from '../toolbox.js';
import { estimateTokens } from './estimate-tokens.js';
import { type Detail, serverEntry } from './server-entry.js';

export interface PlannedServer {
  readonly server: ToolboxServer;
  readonly detail: Detail;
}

/**
 * How much to tell of each server within a budget. Names for as many as possible come before descriptions for any, and each rise
 * is even: whoever needs no more than a certain share rises, and the share is the largest that all together can afford. The same
 * servers always give the same plan.
 */
export function plan(servers: readonly ToolboxServer[], budget: number): readonly PlannedServer[] {
  const names = rise(
    servers.map((server) => ({ server, detail: 'count' })),
    'names',
    budget,
  );
  return rise(names, 'lines', budget);
}

function rise(planned: readonly PlannedServer[], to: Detail, budget: number): readonly PlannedServer[] {
  const spent = planned.reduce((sum, { server, detail }) => sum + costOf(server, detail), 0);
  const prices = planned.map(({ server, detail }) => {
    const mayRise = to === 'names' || detail === 'names';
    return mayRise ? Math.max(0, costOf(server, to) - costOf(server, detail)) : Number.POSITIVE_INFINITY;
  });
  const share = largestShare(prices, budget - spent);
  return planned.map((entry, index) => ((prices[index] as number) <= share ? { ...entry, detail: to } : entry));
}

/** The highest price such that everybody at or below it can be paid; below nothing when not even the cheapest can. */
function largestShare(prices: readonly number[], budget: number): number {
  let share = -1;
  let sum = 0;
  const sorted = prices.filter(Number.isFinite).toSorted((a, b) => a - b);
  for (const [index, price] of sorted.entries()) {
    sum += price;
    if (sum > budget) break;
    if (sorted[index + 1] !== price) share = price; // equals rise together or not at all
  }
  return share;
}

export function costOf(server: ToolboxServer, detail: Detail): number {
  return estimateTokens(`${serverEntry(server, detail)}\n`);
}
