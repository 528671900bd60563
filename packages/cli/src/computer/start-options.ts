import { resolve } from 'node:path';
import { type EnabledServers, enabledServers, type OfficeLinkOptions } from '@a2c/computer';
import {
  type ApprovalLists,
  approvalLists,
  type InputDefinition,
  type LoadedConfig,
  type ServerConfig,
} from '@a2c/config';
import { loadFrom, printWarnings, storedInputs } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { type OfficeOptions, readOfficeOptions } from '../office-options.js';
import { printError } from '../output.js';
import { a2c } from '../pasteable-command.js';
import type { PinChoice } from '../pin-options.js';
import { enabledPlugins, type SkillChoice, skillHome } from '../skill-options.js';
import { fileArgument, readText, ShellError } from './shell/command-line.js';
import type { Language } from './shell/language.js';
import { readInputs } from './shell/read-config.js';

export type ConfirmMode = 'ask' | 'allow' | 'deny';

export interface ComputerRunOptions extends OfficeOptions, SkillChoice {
  readonly config?: string;
  readonly inputs?: string;
  readonly root?: string;
  readonly url?: string;
  readonly office?: string;
  readonly name: string;
  readonly autoConnect: boolean;
  readonly autoReconnect: boolean;
  readonly confirm: ConfirmMode;
  readonly historyFile?: string;
  /** A port; true for a free one. */
  readonly console?: number | true;
  readonly pins: PinChoice;
  /** True for the file in the state folder. */
  readonly durable?: string | true;
  readonly landingRoot?: string;
  readonly approveAllMcp?: true;
  readonly headless?: true;
  readonly json?: true;
  readonly failFast?: true;
  readonly lang?: Language;
  /** False after `--no-color`. */
  readonly color: boolean;
}

export interface StartFiles {
  readonly config: LoadedConfig | undefined;
  /** Those of the configuration and of enabled plugins. */
  readonly servers: readonly ServerConfig[];
  readonly lists: ApprovalLists;
  readonly inputs: readonly InputDefinition[];
  readonly storedInputs: Readonly<Record<string, string>>;
}

/** Loads the files named on the command line and prints their warnings. An invalid file ends the start. */
export async function loadStartFiles(options: ComputerRunOptions): Promise<StartFiles> {
  const { config, inputs, root = '.' } = options;
  const loaded = config === undefined ? undefined : await loadFrom({ root, config: pathOf(config) });
  const stored = loaded ? await storedInputs(loaded) : {};
  const own = loaded?.inputs ?? [];
  const more = inputs === undefined ? [] : await loadInputs(resolve(root, pathOf(inputs)));
  const plugins = await serversOfPlugins(options);
  const named = new Set(loaded?.servers.map(({ name }) => name));
  return {
    config: loaded,
    // A server of the configuration replaces that of a plugin.
    servers: [...(loaded?.servers ?? []), ...plugins.servers.filter(({ name }) => !named.has(name))],
    inputs: [...own, ...more, ...plugins.inputs],
    storedInputs: stored,
    lists: await approvalLists(),
  };
}

/** The MCP servers of enabled plugins that the user trusted; the others are reported. */
async function serversOfPlugins({ skills, plugin, approveAllMcp }: ComputerRunOptions): Promise<EnabledServers> {
  if (skills === false) return { servers: [], inputs: [], pending: [] };
  const enabled = await enabledServers(skillHome(skills), await enabledPlugins(plugin), {
    approveAll: approveAllMcp ?? false,
    warn: printError,
  });
  for (const { plugin: id, servers } of enabled.pending) {
    const command = a2c('plugin', 'enable', id, '--trust');
    printError(
      `the MCP servers of the plugin "${id}" are not started, because they are not trusted: ${servers.join(', ')} (allowed by ${command}, or by --approve-all-mcp for this run)`,
    );
  }
  return enabled;
}

async function loadInputs(path: string): Promise<readonly InputDefinition[]> {
  try {
    const { inputs, warnings } = readInputs(JSON.parse(await readText(path)), path);
    printWarnings(warnings);
    return inputs;
  } catch (error) {
    if (error instanceof ShellError) throw new UsageError(error.message, { cause: error });
    if (error instanceof SyntaxError) throw new UsageError(`${path}: not JSON: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Accepts `@path` and `path`. */
function pathOf(text: string): string {
  return fileArgument(text) ?? text;
}

export function linkOptions(options: ComputerRunOptions): Partial<OfficeLinkOptions> {
  const { url } = options;
  return { ...(url !== undefined && { url }), ...readOfficeOptions(options) };
}
