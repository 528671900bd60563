import type { ContextCost } from '@a2c/protocol';
import type { Registry } from '../registry.js';
import type { ToolboxTool } from '../toolbox.js';
import { toolDefinitions } from '../tools/definitions.js';
import { estimateTokens } from './estimate-tokens.js';

/** Tool lists are replaced when they change, so their cost is computed once. */
const costs = new WeakMap<readonly ToolboxTool[], number>();

/**
 * Estimates what a model reads at the start: the tool lists of all servers, or the two tools of the proxy instead.
 *
 * @example
 * ```ts
 * const { raw, proxy } = contextCost(registry);
 * console.log(`${proxy} tokens instead of ${raw}`);
 * ```
 */
export function contextCost({ servers, description }: Registry): ContextCost {
  const costed = servers.map(({ name, tools }) => ({ name, tools: tools.length, raw: listCost(tools) }));
  const definitions = toolDefinitions({ catalogue: description, withOutputSchema: false, code: undefined });
  return {
    servers: costed,
    raw: costed.reduce((sum, { raw }) => sum + raw, 0),
    proxy: estimateTokens(JSON.stringify(definitions)),
  };
}

function listCost(tools: readonly ToolboxTool[]): number {
  const known = costs.get(tools);
  if (known !== undefined) return known;
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const cost = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(listed));
  costs.set(tools, cost);
  return cost;
}
