import type { ToolboxServer } from '../toolbox.js';
import { costOf, type PlannedServer, plan } from './budget.js';
import { estimateTokens } from './estimate-tokens.js';
import { serverEntry } from './server-entry.js';

const INTRODUCTION = 'Inspect available MCP tools and their schemas.';
const LIST = 'Available tools:';
const SEE_MORE =
  'Not everything is listed: server_name shows one server, server_name "*" all servers, query searches all tools.';
const NOTHING = 'No servers are configured.';

/** What `inspect` says about itself: the seed's list of all servers and tools, within a budget of tokens. */
export function describeCatalogue(servers: readonly ToolboxServer[], budget: number): string {
  if (servers.length === 0) return `${INTRODUCTION}\n\n${NOTHING}`;
  const left = budget - estimateTokens(`${INTRODUCTION}${LIST}${SEE_MORE}`);
  const planned = plan(servers, left);
  const shown = fitting(planned, left);
  const parts = [INTRODUCTION, '', LIST, ...shown.map(({ server, detail }) => serverEntry(server, detail))];
  if (shown.length < planned.length) parts.push(`  ... and ${planned.length - shown.length} more servers`);
  return [...parts, ...howToSeeMore(shown, planned.length)].join('\n');
}

/** Even a bare line per server can be too much: then the first ones that fit. */
function fitting(planned: readonly PlannedServer[], budget: number): readonly PlannedServer[] {
  let left = budget;
  const end = planned.findIndex(({ server, detail }) => {
    left -= costOf(server, detail);
    return left < 0;
  });
  return end === -1 ? planned : planned.slice(0, Math.max(1, end));
}

function howToSeeMore(shown: readonly PlannedServer[], all: number): string[] {
  const isWhole = shown.length === all && shown.every(({ detail }) => detail === 'lines');
  return isWhole ? [] : ['', SEE_MORE];
}
