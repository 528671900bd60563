import { resolve } from 'node:path';
import { type EnabledServers, enabledServers, type OfficeLinkOptions } from '@a2c/computer';
import {
  type GateAnswer,
  type InputDefinition,
  type LoadedConfig,
  type PendingServer,
  recordAnswer,
  type ScopedSettings,
  type ScopeOptions,
  type ScopeServers,
  type ServerConfig,
  scopedSettings,
  scopeServers,
} from '@a2c/config';
import { checkVrl, loadFrom, printWarnings, storedInputs } from '../config-options.js';
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
  /** A file with settings. */
  readonly settings?: string;
  readonly headless?: true;
  readonly json?: true;
  readonly failFast?: true;
  readonly lang?: Language;
  /** False after `--no-color`. */
  readonly color: boolean;
}

export interface StartFiles {
  readonly config: LoadedConfig | undefined;
  /** Those of the configuration, of all scopes and of enabled plugins. */
  readonly servers: readonly ServerConfig[];
  readonly settings: ScopedSettings;
  readonly inputs: readonly InputDefinition[];
  readonly storedInputs: Readonly<Record<string, string>>;
}

/** Asks the user whether a server of the project may start. Undefined: no answer, which is asked again next time. */
export type AskAtGate = (pending: PendingServer) => Promise<GateAnswer | undefined>;

/** Where the settings of a run are. */
export function scopesOf({ root = '.', settings }: ComputerRunOptions): ScopeOptions {
  return { root: resolve(root), ...(settings !== undefined && { flag: resolve(root, settings) }) };
}

/** Loads the files named on the command line and prints their warnings. An invalid file ends the start. */
export async function loadStartFiles(options: ComputerRunOptions, ask?: AskAtGate): Promise<StartFiles> {
  const { config, inputs, root = '.' } = options;
  const loaded = config === undefined ? undefined : await loadFrom({ root, config: pathOf(config) });
  const stored = loaded ? await storedInputs(loaded) : {};
  const own = loaded?.inputs ?? [];
  const more = inputs === undefined ? [] : await loadInputs(resolve(root, pathOf(inputs)));
  const settings = await scopedSettings(scopesOf(options));
  for (const warning of settings.warnings) printError(warning);
  const scoped = await throughGate(options, settings, loaded?.servers ?? [], ask);
  const plugins = await serversOfPlugins(options);
  return {
    config: loaded,
    // From the highest to the lowest: the administrator may replace a server of the file, and that one of a plugin.
    servers: firstOfName([...scoped.servers, ...(loaded?.servers ?? []), ...plugins.servers]),
    inputs: [...own, ...more, ...scoped.inputs, ...plugins.inputs],
    storedInputs: stored,
    settings,
  };
}

function firstOfName(servers: readonly ServerConfig[]): readonly ServerConfig[] {
  const names = new Set<string>();
  return servers.filter(({ name }) => !names.has(name) && names.add(name));
}

/** The servers of all scopes. Asks about those of the project that are not approved yet, or reports them. */
async function throughGate(
  options: ComputerRunOptions,
  settings: ScopedSettings,
  loaded: readonly ServerConfig[],
  ask: AskAtGate | undefined,
): Promise<ScopeServers> {
  const root = resolve(options.root ?? '.');
  const named = new Set(loaded.map(({ name }) => name));
  const approveAll = options.approveAllMcp ?? false;
  const read = (present: ScopedSettings) => scopeServers({ root, settings: present, named, approveAll, checkVrl });
  const scoped = await read(settings);
  printWarnings(scoped.warnings);
  let answered = false;
  for (const pending of scoped.pending) {
    const { disabled, denied } = settings.lists;
    if ([...disabled, ...denied].some((id) => id === pending.bundleId || id === pending.server.name)) continue;
    const answer = await ask?.(pending);
    if (answer !== undefined) await recordAnswer(root, pending.bundleId, answer, { checkVrl });
    if (answer === undefined)
      printError(
        `the MCP server "${pending.server.name}" of ${pending.file} is not started, because you have not approved it (approve it by ${a2c('computer', 'run')} in a terminal, or by --approve-all-mcp for this run)`,
      );
    answered ||= answer !== undefined;
    if (answer === 'all') break;
  }
  return answered ? read(await scopedSettings(scopesOf(options))) : scoped;
}

/** The MCP servers of enabled plugins that the user trusted; the others are reported. */
async function serversOfPlugins(options: ComputerRunOptions): Promise<EnabledServers> {
  const { skills, plugin, approveAllMcp } = options;
  if (skills === false) return { servers: [], inputs: [], pending: [] };
  const enabled = await enabledServers(skillHome(skills), await enabledPlugins(plugin, scopesOf(options)), {
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
