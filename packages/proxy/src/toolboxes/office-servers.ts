import { type RemoteComputer, readToolServer, type SMCPTool, toMCPTool } from '@a2c/agent';
import type { ServerState, ToolboxServer, ToolboxTool } from '../toolbox.js';

/** An MCP server and its Computer. */
export interface OfficeServer {
  readonly computer: string;
  /** Undefined if the Computer does not name it. */
  readonly bundleId: string | undefined;
  readonly server: ToolboxServer;
}

const STATES: Readonly<Record<RemoteComputer['state'], ServerState>> = {
  loading: 'starting',
  ready: 'ready',
  failed: 'failed',
};

/**
 * The MCP servers of all Computers as `computer/server`. A Computer whose tools do not name their server is one server.
 */
export function officeServers(computers: Iterable<RemoteComputer>): readonly OfficeServer[] {
  return [...computers].flatMap((computer) => {
    const groups = new Map<string, SMCPTool[]>();
    for (const tool of computer.tools) {
      const name = serverName(computer.name, readToolServer(tool));
      const known = groups.get(name);
      if (known) known.push(tool);
      else groups.set(name, [tool]);
    }
    if (groups.size === 0) groups.set(serverName(computer.name), []);
    return [...groups].map(([name, tools]) => ({
      computer: computer.name,
      bundleId: bundleIdOf(tools),
      server: asServer(name, computer, tools),
    }));
  });
}

/** A Computer that does not name the servers of its tools is one server here, whatever their bundle ids are. */
function bundleIdOf([tool]: readonly SMCPTool[]): string | undefined {
  return tool && readToolServer(tool) !== undefined ? tool.bundle_id : undefined;
}

/** The name of a Computer before a slash. The first slash ends it, so slashes in it are escaped. Names stay unique. */
export function computerReference(computer: string): string {
  return computer.replaceAll(/[%/]/g, encodeURIComponent);
}

function serverName(computer: string, server?: string): string {
  const owner = computerReference(computer);
  return server === undefined ? owner : `${owner}/${server}`;
}

function asServer(
  name: string,
  { name: computer, state, error }: RemoteComputer,
  tools: readonly SMCPTool[],
): ToolboxServer {
  return { name, computer, state: STATES[state], ...(error && { cause: error.message }), tools: tools.map(asTool) };
}

/** Each tool is converted once: an office reports every change of a Computer. */
const converted = new WeakMap<SMCPTool, ToolboxTool>();

/** Without `autoApply`: the Computer asks for consent itself, and the client must not be asked again. */
function asTool(tool: SMCPTool): ToolboxTool {
  const known = converted.get(tool);
  if (known) return known;
  const own = { ...toMCPTool(tool), ...(Object.keys(tool.meta).length > 0 && { _meta: tool.meta }) };
  converted.set(tool, own);
  return own;
}

/** Whether the servers and their tools are the same. The texts of long lists are not compared. */
export function areSame(a: readonly ToolboxServer[], b: readonly ToolboxServer[]): boolean {
  return a.length === b.length && a.every((server, at) => isSame(server, b[at] as ToolboxServer));
}

function isSame({ tools, ...a }: ToolboxServer, { tools: others, ...b }: ToolboxServer): boolean {
  if (tools.length !== others.length || tools.some((tool, at) => tool !== others[at])) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
