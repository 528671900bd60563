import { estimateTokens } from '../catalogue/estimate-tokens.js';
import type { MCPProxy } from '../mcp-proxy.js';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';
import { isNamed } from '../toolboxes/selected-toolbox.js';
import { type Exposed, exposedTools } from './exposed-names.js';

/**
 * Definitions of tools that cost fewer tokens than this are shown directly in the mode `auto`. Tasks of one, three and
 * ten calls break even at about 1,300, 1,700 and 2,500: `npm run bench tasks`.
 */
const BREAK_EVEN_TOKENS = 1_700;

const costs = new WeakMap<readonly ToolboxServer[], number>();

/** Whether clients see all tools directly, without `inspect` and `exec`. */
export function isDirect({ registry, options }: MCPProxy): boolean {
  if (options.mode !== 'auto') return false;
  const { servers } = registry;
  let cost = costs.get(servers);
  if (cost === undefined) {
    const definitions = exposedTools(registry).map(({ item }) => definitionOf(item, item.name));
    cost = estimateTokens(JSON.stringify(definitions), BREAK_EVEN_TOKENS);
    costs.set(servers, cost);
  }
  return cost < BREAK_EVEN_TOKENS;
}

/** The tools that clients see directly: the pinned ones, or all. */
export function directTools(proxy: MCPProxy): readonly Exposed<ToolboxTool>[] {
  const all = exposedTools(proxy.registry);
  if (isDirect(proxy)) return all;
  const { pinned } = proxy.options;
  return pinned.length === 0 ? [] : all.filter(({ server, item }) => isNamed(pinned, server, item.name));
}

/** A tool as clients see it. */
export function definitionOf(tool: ToolboxTool, name: string): Readonly<Record<string, unknown>> {
  const { title, description, inputSchema, annotations } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
  };
}
