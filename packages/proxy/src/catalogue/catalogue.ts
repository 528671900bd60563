import { cutLine, displayName } from '../text/one-line.js';
import { splitMark } from '../text/tool-marks.js';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';
import { estimateTokens } from './estimate-tokens.js';
import { subjectsOf } from './subjects.js';

const INTRODUCTION = 'Inspect available MCP tools and their schemas.';
const LIST = 'Available tools:';
const SEE_MORE =
  'Not everything is listed: server_name shows one server, server_name "*" all servers, query searches all tools.';
const NO_SERVERS = 'No servers are configured.';

const MAX_INSTRUCTIONS = 300;
const MAX_SHORT_INSTRUCTIONS = 100;
const MAX_DESCRIPTION = 80;
const MAX_CAUSE = 120;
const MAX_SUBJECTS = 8;

/** How much of a server is listed: the number of its tools, also their subjects, their names, or a line for each. */
const DETAILS = ['count', 'subjects', 'names', 'lines'] as const;
type Detail = (typeof DETAILS)[number];

interface Entry {
  readonly server: ToolboxServer;
  readonly detail: Detail;
}

/** The description of `inspect`: all servers and tools, in as much detail as the budget of tokens allows. */
export function describeCatalogue(servers: readonly ToolboxServer[], budget: number): string {
  if (servers.length === 0) return `${INTRODUCTION}\n\n${NO_SERVERS}`;
  const left = budget - estimateTokens(`${INTRODUCTION}${LIST}${SEE_MORE}`);
  const costOf = entryCosts(left);
  const entries = chooseDetails(servers, left, costOf);
  const shown = firstThatFit(entries, left, costOf);
  const parts = [INTRODUCTION, '', LIST, ...shown.map(({ server, detail }) => serverEntry(server, detail))];
  if (shown.length < entries.length) parts.push(`  ... and ${entries.length - shown.length} more servers`);
  const isComplete = shown.length === entries.length && shown.every(({ detail }) => detail === 'lines');
  return [...parts, ...(isComplete ? [] : ['', SEE_MORE])].join('\n');
}

/**
 * Subjects, then names, for as many servers as possible come before descriptions for any. The same servers always get
 * the same details.
 */
function chooseDetails(servers: readonly ToolboxServer[], budget: number, costOf: EntryCosts): readonly Entry[] {
  const counts = servers.map((server): Entry => ({ server, detail: 'count' }));
  const subjects = upgrade(counts, 'subjects', budget, costOf);
  return upgrade(upgrade(subjects, 'names', budget, costOf), 'lines', budget, costOf);
}

/**
 * Gives the next detail to the servers for which it costs least, so that it reaches as many as possible. Servers that
 * did not get the detail before are left as they are.
 */
function upgrade(entries: readonly Entry[], to: Detail, budget: number, costOf: EntryCosts): readonly Entry[] {
  const from = DETAILS[DETAILS.indexOf(to) - 1];
  const spent = entries.reduce((sum, { server, detail }) => sum + costOf(server, detail), 0);
  const priced = entries
    .filter(({ detail }) => detail === from)
    .map((entry) => ({ entry, price: Math.max(0, costOf(entry.server, to) - costOf(entry.server, entry.detail)) }));
  let left = budget - spent;
  const upgraded = new Set<Entry>();
  for (const { entry, price } of priced.toSorted((a, b) => a.price - b.price)) {
    left -= price;
    if (left < 0) break;
    upgraded.add(entry);
  }
  return entries.map((entry) => (upgraded.has(entry) ? { ...entry, detail: to } : entry));
}

/** Even one line per server can exceed the budget. */
function firstThatFit(entries: readonly Entry[], budget: number, costOf: EntryCosts): readonly Entry[] {
  let left = budget;
  const end = entries.findIndex(({ server, detail }) => {
    left -= costOf(server, detail);
    return left < 0;
  });
  return end === -1 ? entries : entries.slice(0, Math.max(1, end));
}

type EntryCosts = (server: ToolboxServer, detail: Detail) => number;

/** The cost of each entry, estimated once. Above the budget the exact cost does not matter. */
function entryCosts(budget: number): EntryCosts {
  const known = new Map<ToolboxServer, Partial<Record<Detail, number>>>();
  return (server, detail) => {
    const costs = known.get(server) ?? {};
    known.set(server, costs);
    costs[detail] ??= estimateTokens(`${serverEntry(server, detail)}\n`, budget);
    return costs[detail];
  };
}

/** One server in the catalogue. Text of the server itself adds no line breaks. */
export function serverEntry(server: ToolboxServer, detail: Detail): string {
  if (detail === 'count') return heading(server, toolCount(server));
  if (detail === 'subjects') return heading(server, `${toolCount(server)}${about(server)}`);
  if (detail === 'names') {
    const names = server.tools.map(({ name }) => displayName(name)).join(', ');
    return `${heading(server, instructionsOf(server, MAX_SHORT_INSTRUCTIONS))}${names && `\n    ${names}`}`;
  }
  const lines = server.tools.map((tool) => `\n    - ${toolLine(tool)}`);
  return `${heading(server, instructionsOf(server, MAX_INSTRUCTIONS))}${lines.join('')}`;
}

/** What the server says of itself, or the subjects of its tools. */
function about(server: ToolboxServer): string {
  const own = instructionsOf(server, MAX_SHORT_INSTRUCTIONS);
  const text = own === '' ? subjectsOf(server, MAX_SUBJECTS).map(displayName).join(', ') : own;
  return text && `: ${text}`;
}

function heading(server: ToolboxServer, about: string): string {
  const problem = serverProblem(server);
  const text = [problem && `(${problem})`, about].filter((part) => part !== '').join(' ');
  return `  Server: ${displayName(server.name)}${text && ` - ${text}`}`;
}

/** Why a server cannot be used; empty if it can. A starting server with cached tools can: calls wait for it. */
export function serverProblem({ state, cause = '', tools, needsLogin }: ToolboxServer): string {
  if (state === 'ready' || (state === 'starting' && tools.length > 0)) return '';
  const reason = cutLine(cause, MAX_CAUSE);
  if (reason === '') return state;
  return needsLogin ? reason : `${state}: ${reason}`;
}

export function toolCount({ tools }: ToolboxServer): string {
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
}

function instructionsOf({ instructions = '' }: ToolboxServer, limit: number): string {
  return cutLine(instructions, limit);
}

function toolLine({ name, description = '', title = '' }: ToolboxTool): string {
  const { mark, text: own } = splitMark(description);
  const text = `${mark}${cutLine(own || title, MAX_DESCRIPTION)}`.trim();
  return text === '' ? displayName(name) : `${displayName(name)}: ${text}`;
}
