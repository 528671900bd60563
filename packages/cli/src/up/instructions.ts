import { fileURLToPath } from 'node:url';
import type { AvailableTool } from '@a2c/hub';
import { type StartingServer, startingLine } from '../computer/start-timeouts.js';
import { isInstalled } from '../installed.js';
import { a2c } from '../pasteable-command.js';
import { exampleCall } from './example-call.js';

/** What `a2c up` is running. */
export interface UpState {
  readonly url: string;
  readonly office: string;
  readonly computer: string;
  readonly tools: readonly AvailableTool[];
  /** MCP servers that are still starting. */
  readonly starting: readonly StartingServer[];
  /** A line about servers whose tools have the same names. */
  readonly sharedNames?: readonly string[];
  /** The file whose servers are hosted; undefined for the demo. */
  readonly config: string | undefined;
  /** The value of `--port`. */
  readonly port: number | undefined;
  readonly confirm: 'ask' | 'allow' | 'deny';
  /** True after `--no-console`. */
  readonly noConsole?: boolean;
  /** The link of the console. */
  readonly console?: string | undefined;
}

/** The next steps for a new user, as commands to paste. */
export function instructions(state: UpState) {
  const { url, office, computer, tools, starting, sharedNames = [], confirm, console } = state;
  const where = ['--url', url, '--office', office];
  const allowed = tools.filter(({ meta }) => confirm !== 'deny' || meta?.auto_apply === true);
  const call = exampleCall(allowed);
  const agent_command = call && a2c('agent', 'call', computer, ...call, ...where);
  const program = fileURLToPath(new URL('../../bin/a2c.js', import.meta.url));
  const mcp_client = {
    mcpServers: { a2c: { command: process.execPath, args: [program, 'proxy', '--url', url, '--office', office] } },
  };
  const usage = [
    `List its tools and call one from another terminal${isInstalled() ? '' : ' in this folder'}:`,
    `  ${a2c('agent', 'tools', ...where)}`,
    ...(agent_command ? [`  ${agent_command}`] : []),
    '',
    ...refusals(state, tools.length - allowed.length),
    'To use them in an MCP client (claude, cursor, codex, …), print its entry:',
    `  ${a2c('config', 'export', '--for', 'claude', ...where)}`,
  ];
  const lines = [
    `a2c is up at ${url}: computer "${computer}" with ${count(tools.length)} in office "${office}"`,
    ...(starting.length > 0 ? [startingLine(starting)] : []),
    ...sharedNames,
    '',
    ...(console === undefined ? [] : ['See and steer it in a browser:', `  ${console}`, ...linkHint(console), '']),
    ...(tools.length + starting.length > 0 ? usage : nothingToCall(state)),
    '',
    'An office has one Agent at a time. Press Ctrl-C to stop.',
  ];
  return { agent_command, mcp_client, lines: lines.join('\n') };
}

/** Safari does not resolve names under `localhost`. */
function linkHint(console: string): string[] {
  return process.platform === 'darwin' ? [`  (in Safari, replace ${new URL(console).hostname} with 127.0.0.1)`] : [];
}

function refusals({ office, computer, config, port, noConsole }: UpState, refused: number): string[] {
  if (refused === 0) return [];
  const again = ['--name', computer, '--office', office];
  if (config !== undefined) again.push('--config', config);
  if (port !== undefined) again.push('--port', String(port));
  if (noConsole) again.push('--no-console');
  return [
    `Calls of ${count(refused)} need consent and are refused. To allow them, restart with --confirm allow:`,
    `  ${a2c('up', ...again, '--confirm', 'allow')}`,
    '',
  ];
}

function nothingToCall({ config }: UpState): string[] {
  const doctor = config === undefined ? a2c('doctor') : a2c('doctor', '--config', config, '--trust');
  return ['There are no tools, because no MCP server is running. To find out why, run:', `  ${doctor}`];
}

function count(tools: number): string {
  return `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
}
