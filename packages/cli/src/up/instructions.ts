import { fileURLToPath } from 'node:url';
import type { AvailableTool } from '@a2c/hub';
import { startingLine } from '../computer/patience.js';
import { a2c, isInstalled } from '../own-command.js';
import { exampleCall } from './example-call.js';

export interface WhatIsUp {
  readonly url: string;
  readonly office: string;
  readonly computer: string;
  readonly tools: readonly AvailableTool[];
  /** Servers that have not answered yet. */
  readonly starting: readonly string[];
  /** The file whose servers are hosted; undefined for the demo. */
  readonly config: string | undefined;
  /** The port that was asked for; undefined when any would do. */
  readonly port: number | undefined;
  readonly confirm: 'allow' | 'deny';
}

/** What a newcomer does next, ready to be pasted. */
export function instructions(what: WhatIsUp) {
  const { url, office, computer, tools, starting, confirm } = what;
  const where = ['--url', url, '--office', office];
  const allowed = tools.filter(({ meta }) => confirm === 'allow' || meta?.auto_apply === true);
  const call = exampleCall(allowed);
  const agent_command = call && a2c('agent', 'call', computer, ...call, ...where);
  const program = fileURLToPath(new URL('../../bin/a2c.js', import.meta.url));
  const mcp_client = {
    mcpServers: { a2c: { command: process.execPath, args: [program, 'proxy', '--url', url, '--office', office] } },
  };
  const look = [
    `See its tools, and call one, from another terminal${isInstalled() ? '' : ' in this folder'}:`,
    `  ${a2c('agent', 'tools', ...where)}`,
    ...(agent_command ? [`  ${agent_command}`] : []),
    '',
    ...refusals(what, tools.length - allowed.length),
    'Give them to an MCP client (Claude Desktop, Cursor, …) by putting this into its configuration:',
    JSON.stringify(mcp_client, null, 2).replaceAll(/^/gm, '  '),
  ];
  const lines = [
    `a2c is up at ${url}: computer "${computer}" with ${count(tools.length)} in office "${office}"`,
    ...(starting.length > 0 ? [startingLine(starting)] : []),
    '',
    ...(tools.length + starting.length > 0 ? look : nothingToCall(what)),
    '',
    'An office seats one Agent at a time. Ctrl-C ends everything.',
  ];
  return { agent_command, mcp_client, lines: lines.join('\n') };
}

function refusals({ office, computer, config, port }: WhatIsUp, refused: number): string[] {
  if (refused === 0) return [];
  const again = ['--name', computer, '--office', office];
  if (config !== undefined) again.push('--config', config);
  if (port !== undefined) again.push('--port', String(port));
  return [
    `Calls of ${count(refused)} are refused. To let Agents call them, restart with --confirm allow:`,
    `  ${a2c('up', ...again, '--confirm', 'allow')}`,
    '',
  ];
}

function nothingToCall({ config }: WhatIsUp): string[] {
  const doctor = config === undefined ? a2c('doctor') : a2c('doctor', '--config', config, '--trust');
  return ['There is nothing to call: no server is running. See why with:', `  ${doctor}`];
}

function count(tools: number): string {
  return `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
}
