import type { ToolboxServer } from '../toolbox.js';
import { estimateTokens } from './estimate-tokens.js';
import { type Detail, serverEntry } from './server-entry.js';

export interface PlannedServer {
  readonly server: ToolboxServer;
  readonly detail: Detail;
}

/**
 * How much to tell of each server within a budget. Names for as many as possible come before descriptions for any, and the cheapest
 * rise first, equals in their order, so that as many as possible do. The same servers always give the same plan.
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
  const priced = planned
    .filter(({ detail }) => to === 'names' || detail === 'names')
    .map((entry) => ({ entry, price: Math.max(0, costOf(entry.server, to) - costOf(entry.server, entry.detail)) }));
  let left = budget - spent;
  const risen = new Set<PlannedServer>();
  for (const { entry, price } of priced.toSorted((a, b) => a.price - b.price)) {
    left -= price;
    if (left < 0) break;
    risen.add(entry);
  }
  return planned.map((entry) => (risen.has(entry) ? { ...entry, detail: to } : entry));
}

export function costOf(server: ToolboxServer, detail: Detail): number {
  return estimateTokens(`${serverEntry(server, detail)}\n`);
}
