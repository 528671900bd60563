import type { ServerConfig } from '@a2c/config';
import { declaredToolMeta, exposedName } from '@a2c/protocol';
import { shownName } from './shown-name.js';
import type { ReservedName, ToolSource } from './tool-table.js';

/** One warning for the tools whose declared settings are malformed. They are ignored; the tools stay. */
export function malformedDeclarations({ tools }: ToolSource): string[] {
  const names = tools.filter(({ _meta }) => declaredToolMeta(_meta) === null).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `the a2c_tool_meta that it declares for ${names.slice(0, 5).map(shownName).join(', ')} is malformed and ignored`,
  ];
}

/**
 * A warning for each entry of `forbidden_tools` and `tool_meta` that no tool of the server matches: a misspelt entry
 * forbids nothing and asks for no consent. Empty while the tools are unknown.
 */
export function unmatchedNames({ config, tools, bundleId, withheld = [] }: ToolSource): string[] {
  if (tools.length === 0 || namesNoTool(config)) return [];
  const own = new Set<string>([...tools.map(({ name }) => name), ...withheld]);
  const names = new Set(own);
  for (const { alias } of Object.values(config.tool_meta)) if (alias) names.add(alias);
  for (const name of [...names]) names.add(exposedName(bundleId, name));
  const unmatched = (key: string, entries: readonly string[], known: ReadonlySet<string>) =>
    entries.filter((entry) => !known.has(entry)).map((entry) => `${key}: "${entry}" matches no tool of this server`);
  return [
    ...unmatched('forbidden_tools', config.forbidden_tools, names),
    ...unmatched('tool_meta', Object.keys(config.tool_meta), own),
  ];
}

/** Whether the configuration changes nothing about single tools. */
export function namesNoTool({ forbidden_tools, tool_meta }: ServerConfig): boolean {
  return forbidden_tools.length === 0 && Object.keys(tool_meta).length === 0;
}

/** One warning for the tools of a server that are named like tools of another one. */
export function reservedNames(server: string, reserved: readonly ReservedName[]): string[] {
  const names = reserved
    .filter((each) => each.server === server)
    .map(
      ({ displayName, owner, listedAs }) =>
        `"${shownName(displayName)}" is a full name of the server "${owner}": "${shownName(listedAs)}"`,
    );
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return [`tools are listed under another name: ${names.slice(0, MAX_NAMES).join(', ')}${more}`];
}

const MAX_NAMES = 5;
