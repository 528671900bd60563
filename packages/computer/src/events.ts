import type { MCPServerManager, ServerState } from '@a2c/hub';
import type { Logger } from '@a2c/log';
import type { CallToolResult, Emitter, ExecutedCall } from '@a2c/protocol';
import type { ToolCallRecord } from './history/call-history.js';
import type { SecretFilter } from './secrets.js';

/** The events of a Computer. */
export interface ComputerEvents {
  /** The configuration of servers or inputs changed. */
  config: undefined;
  /** The tool list changed. */
  tools: undefined;
  /** A window, or the set of windows, changed. */
  desktop: undefined;
  /** A skill changed, or the set of skills. */
  skills: undefined;
  /** A tool call ended. */
  call: { readonly record: ToolCallRecord; readonly result: CallToolResult };
  /** A tool call began, or reached its next step. */
  step: ExecutedCall;
  /** The inputs, or their values, changed. */
  inputs: undefined;
  /** The program of a server wrote to stderr. */
  output: { readonly server: string };
  /** A log message of a server, without secrets. */
  log: { readonly server: string; readonly level: string; readonly text: string };
  /** A warning; no operation failed. */
  warning: { readonly server: string; readonly message: string };
  /** The state of a server changed; `cause` is its last failure. */
  status: { readonly server: string; readonly state: ServerState; readonly cause: string | null };
}

export interface EventTargets {
  readonly events: Emitter<ComputerEvents>;
  readonly logger: Logger;
  readonly secrets: SecretFilter;
}

/** How many tools a warning names. */
const MAX_NAMES = 3;

/** Emits and logs the events of the hub, without secrets. */
export function forwardHubEvents(manager: MCPServerManager, targets: EventTargets): void {
  const { events, logger, secrets } = targets;
  manager.on('tools', () => events.emit('tools'));
  manager.on('output', ({ server }) => events.emit('output', { server }));
  manager.on('windows', () => events.emit('desktop'));
  manager.on('warning', ({ server, message }) => warn(targets, server, message));
  manager.on('conflict', ({ server, displayNames, keptBy }) => {
    const listed = displayNames.map((name) => `"${server}.${name}"`);
    const shown =
      listed.length > MAX_NAMES ? [...listed.slice(0, MAX_NAMES), `${listed.length - MAX_NAMES} more`] : listed;
    const message = `listed as ${shown.join(', ')}: server "${keptBy}" has tools of the same names; give them aliases in tool_meta`;
    warn(targets, server, message, { sharesNames: true });
  });
  manager.on('log', ({ server, level, logger: source, data }) => {
    const text = secrets.text(typeof data === 'string' ? data : (JSON.stringify(data) ?? ''));
    logger.debug({ server, level, logger: source }, text);
    events.emit('log', { server, level, text });
  });
  manager.on('state', ({ server, state, cause: raw }) => {
    const cause = raw === null ? null : secrets.text(raw);
    if (state === 'error') logger.warn({ server, state }, cause ?? 'the MCP server failed');
    else logger.debug({ server, state }, 'the state of the server changed');
    events.emit('status', { server, state, cause });
  });
}

/** Emits and logs a warning, without secrets. `kind` lets a log combine warnings of many servers. */
export function warn(
  { events, logger, secrets }: EventTargets,
  server: string,
  message: string,
  kind: { readonly sharesNames?: true } = {},
): void {
  const redacted = secrets.text(message);
  logger.warn({ server, ...kind }, redacted);
  events.emit('warning', { server, message: redacted });
}
