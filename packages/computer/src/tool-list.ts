import type { AvailableTool, NameForm } from '@a2c/hub';
import { type AgentScope, type SMCPTool, toSMCPTool } from '@a2c/protocol';
import { isInScope } from './calls/consent.js';

/** The tools in the form of the protocol, as an Agent may see them. */
export function listForAgent(
  tools: readonly AvailableTool[],
  form: NameForm,
  names: NameForm,
  scope: AgentScope,
): SMCPTool[] {
  return tools
    .filter((tool) => isInScope(scope, tool))
    .map(({ tool, meta, server, bundleId, exposedName }) => {
      const listed = toSMCPTool(tool, meta, server);
      if (form === 'display') return listed;
      return { ...listed, ...(names === 'exposed' && { name: exposedName }), bundle_id: bundleId };
    });
}
