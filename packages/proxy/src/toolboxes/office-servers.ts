import { type RemoteComputer, readToolServer, type SMCPTool, toMCPTool } from '@a2c/agent';
import type { ServerState, ToolboxServer, ToolboxTool } from '../toolbox.js';

/** A server of the catalogue and the Computer that has it. */
export interface OfficeServer {
  readonly computer: string;
  readonly server: ToolboxServer;
}

const STATES: Readonly<Record<RemoteComputer['state'], ServerState>> = {
  loading: 'starting',
  ready: 'ready',
  failed: 'failed',
};

/** The MCP servers of all Computers as `computer/server`. Computers that do not tell whose a tool is are one server each. */
export function officeServers(computers: Iterable<RemoteComputer>): readonly OfficeServer[] {
  return [...computers].flatMap((computer) => {
    const groups = new Map<string, SMCPTool[]>();
    for (const tool of distinct(computer.tools)) {
      const name = serverName(computer.name, readToolServer(tool));
      groups.set(name, [...(groups.get(name) ?? []), tool]);
    }
    if (groups.size === 0) groups.set(serverName(computer.name), []);
    return [...groups].map(([name, tools]) => ({ computer: computer.name, server: asServer(name, computer, tools) }));
  });
}

/** The first slash ends the Computer's part, so one of its own is written otherwise: no two servers share a name. */
function serverName(computer: string, server?: string): string {
  const owner = computer.replaceAll(/[%/]/g, encodeURIComponent);
  return server === undefined ? owner : `${owner}/${server}`;
}

function asServer(name: string, { state, error }: RemoteComputer, tools: readonly SMCPTool[]): ToolboxServer {
  return { name, state: STATES[state], ...(error && { cause: error.message }), tools: tools.map(asTool) };
}

/** Without the owner's `auto_apply`: the Computer asks its own people, and nobody should be asked twice. */
function asTool(tool: SMCPTool): ToolboxTool {
  return { ...toMCPTool(tool), ...(Object.keys(tool.meta).length > 0 && { _meta: tool.meta }) };
}

/** A Computer that lists a name twice has one tool of that name: calls could not tell them apart. */
function distinct(tools: readonly SMCPTool[]): readonly SMCPTool[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}
