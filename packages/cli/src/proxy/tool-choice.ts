import type { ProxySettings } from '@a2c/config';
import type { ProxyOptions } from '@a2c/proxy';
import { UsageError } from '../exit-codes.js';
import { suggestion } from '../options.js';

/** The options that choose tools. */
export interface ToolOptions {
  readonly toolset?: string;
  readonly allowTool?: readonly string[];
  readonly denyTool?: readonly string[];
  readonly pinTool?: readonly string[];
}

/** The command line narrows what the toolset or the configuration selects. */
export function toolChoice(
  { toolset: name, allowTool, denyTool = [], pinTool = [] }: ToolOptions,
  settings: ProxySettings | null,
): Pick<ProxyOptions, 'selection' | 'pinned'> {
  const toolsets = settings?.toolsets ?? {};
  if (name !== undefined && !Object.hasOwn(toolsets, name)) {
    const names = Object.keys(toolsets);
    const hint = names.length === 0 ? 'the configuration has no "toolsets"' : suggestion(name, names);
    throw new UsageError(`there is no toolset "${name}": ${hint}`);
  }
  const toolset = name === undefined ? undefined : toolsets[name];
  const allow = allowTool ?? toolset?.allow ?? settings?.allowed_tools ?? undefined;
  const deny = [...denyTool, ...(toolset?.deny ?? []), ...(settings?.denied_tools ?? [])];
  const pinned = [...pinTool, ...(toolset?.pinned ?? []), ...(settings?.pinned_tools ?? [])];
  return { selection: { allow, deny }, pinned };
}

/** Patterns of tools, and where they are written. */
export interface PatternSource {
  readonly origin: string;
  readonly patterns: readonly string[];
}

/** All patterns that this proxy uses. `offered`: the toolsets that clients can choose. */
export function patternsOf(
  { toolset, allowTool = [], denyTool = [], pinTool = [] }: ToolOptions,
  settings: ProxySettings | null,
  offered: readonly string[],
): readonly PatternSource[] {
  const names = toolset === undefined ? offered : [toolset];
  const ofToolsets = names.flatMap((name) =>
    Object.entries(settings?.toolsets?.[name] ?? {}).map(([key, patterns]) => ({
      origin: `${key} of toolset "${name}"`,
      patterns: patterns ?? [],
    })),
  );
  return [
    { origin: '--allow-tool', patterns: allowTool },
    { origin: '--deny-tool', patterns: denyTool },
    { origin: '--pin-tool', patterns: pinTool },
    ...ofToolsets,
    { origin: 'allowed_tools', patterns: settings?.allowed_tools ?? [] },
    { origin: 'denied_tools', patterns: settings?.denied_tools ?? [] },
    { origin: 'pinned_tools', patterns: settings?.pinned_tools ?? [] },
  ];
}
