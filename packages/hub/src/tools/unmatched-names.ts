import type { ToolSource } from './tool-table.js';

/**
 * A warning for each entry of `forbidden_tools` that no tool of the server matches: a misspelt entry forbids nothing.
 * Empty while the tools are unknown.
 */
export function unmatchedNames({ config, tools }: ToolSource): string[] {
  if (tools.length === 0) return [];
  const names = new Set<string>(tools.map(({ name }) => name));
  for (const { alias } of Object.values(config.tool_meta)) if (alias) names.add(alias);
  return config.forbidden_tools
    .filter((entry) => !names.has(entry))
    .map((entry) => `forbidden_tools: "${entry}" matches no tool of this server`);
}
