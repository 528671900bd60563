import { resolve } from 'node:path';
import { type EnabledServers, enabledServers, type OfficeLinkOptions } from '@a2c/computer';
import {
  describeStart,
  formatProblem,
  type GateAnswer,
  type InputDefinition,
  type LoadedConfig,
  MAX_REVIEWED,
  type PendingServer,
  type Problem,
  recordAnswer,
  type ScopedSettings,
  type ScopeOptions,
  type ScopeServers,
  type ServerConfig,
  scopedSettings,
  scopeServers,
  unreviewable,
} from '@a2c/config';
import { checkVrl, readFrom, storedInputs } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { type OfficeOptions, readOfficeOptions } from '../office-options.js';
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

/** Prints a message about a part that has no effect or does not start. */
type Report = (message: string) => void;

function reportWarnings(warnings: readonly Problem[], report: Report): void {
  for (const warning of warnings) report(formatProblem(warning));
}

/** Where the settings of a run are. */
export function scopesOf({ root = '.', settings }: ComputerRunOptions): ScopeOptions {
  return { root: resolve(root), ...(settings !== undefined && { flag: resolve(root, settings) }) };
}

/** Loads the files named on the command line and reports their warnings. An invalid file ends the start. */
export async function loadStartFiles(
  options: ComputerRunOptions,
  report: Report,
  ask?: AskAtGate,
): Promise<StartFiles> {
  const { config, inputs, root = '.' } = options;
  const loaded = config === undefined ? undefined : await readFrom({ root, config: pathOf(config) });
  reportWarnings(loaded?.warnings ?? [], report);
  const stored = loaded ? await storedInputs(loaded) : {};
  const own = loaded?.inputs ?? [];
  const more = inputs === undefined ? [] : await loadInputs(resolve(root, pathOf(inputs)), report);
  const { scoped, settings } = await throughGate(options, loaded?.servers ?? [], report, ask);
  const plugins = await serversOfPlugins(options, report);
  return {
    config: loaded,
    // From the highest to the lowest: the administrator may replace a server of the file, and that one of a plugin.
    servers: firstBy(({ name }) => name, [...scoped.servers, ...(loaded?.servers ?? []), ...plugins.servers]),
    // What the user named comes first: no other file may replace how a value of the user is found.
    inputs: firstBy(({ id }) => id, [...more, ...own, ...scoped.inputs, ...plugins.inputs]),
    storedInputs: stored,
    settings,
  };
}

function firstBy<T>(keyOf: (item: T) => string, items: readonly T[]): readonly T[] {
  const known = new Set<string>();
  return items.filter((item) => !known.has(keyOf(item)) && known.add(keyOf(item)));
}

/**
 * The servers of all scopes, with the settings that apply to them. Asks about those of the project that are not
 * approved yet, or reports them.
 */
async function throughGate(
  options: ComputerRunOptions,
  named: readonly ServerConfig[],
  report: Report,
  ask: AskAtGate | undefined,
): Promise<{ readonly scoped: ScopeServers; readonly settings: ScopedSettings }> {
  const root = resolve(options.root ?? '.');
  const settings = await scopedSettings(scopesOf(options));
  for (const warning of settings.warnings) report(warning);
  const approveAll = options.approveAllMcp ?? false;
  const read = (current: ScopedSettings) => scopeServers({ root, settings: current, named, approveAll, checkVrl });
  const scoped = await read(settings);
  reportWarnings(scoped.warnings, report);
  let answered = false;
  for (const pending of scoped.pending) {
    const { disabled, denied } = settings.lists;
    if ([...disabled, ...denied].some((id) => id === pending.bundleId || id === pending.server.name)) continue;
    const length = unreviewable([...describeStart(pending.server), ...pending.commands]);
    if (length !== undefined) {
      report(
        `the MCP server "${pending.server.name}" of ${pending.file} is not started: it has ${length} characters, too many to review in a question (at most ${MAX_REVIEWED}); shorten it, or read the file and trust it: ${a2c('config', 'trust', pending.file)}`,
      );
      continue;
    }
    const answer = await ask?.(pending);
    if (answer !== undefined) await recordAnswer(root, { ...pending, content: scoped.content }, answer);
    if (answer === undefined) {
      const meanwhile = pending.replaces === undefined ? '' : `; the one of ${pending.replaces} is used instead`;
      report(
        `the MCP server "${pending.server.name}" of ${pending.file} is not started, because you have not approved it (approve it by ${a2c('computer', 'run')} in a terminal, or by --approve-all-mcp for this run)${meanwhile}`,
      );
    }
    answered ||= answer !== undefined;
    if (answer === 'all') break;
  }
  if (!answered) return { scoped, settings };
  // The answers are in the settings: those of before do not contain a refusal.
  const present = await scopedSettings(scopesOf(options));
  const after = await read(present);
  if (after.content !== scoped.content)
    report('the MCP servers of the project changed while you were asked about them; start again to be asked again');
  return { scoped: after, settings: present };
}

/** The MCP servers of enabled plugins that the user trusted; the others are reported. */
async function serversOfPlugins(options: ComputerRunOptions, report: Report): Promise<EnabledServers> {
  const { skills, plugin, approveAllMcp } = options;
  if (skills === false) return { servers: [], inputs: [], pending: [] };
  const enabled = await enabledServers(skillHome(skills), await enabledPlugins(plugin, scopesOf(options)), {
    approveAll: approveAllMcp ?? false,
    warn: report,
  });
  for (const { plugin: id, servers } of enabled.pending) {
    const command = a2c('plugin', 'enable', id);
    report(
      `the MCP servers of the plugin "${id}" are not started, because they are not trusted: ${servers.join(', ')} (allowed by ${command}, or by --approve-all-mcp for this run)`,
    );
  }
  return enabled;
}

async function loadInputs(path: string, report: Report): Promise<readonly InputDefinition[]> {
  try {
    const { inputs, warnings } = readInputs(JSON.parse(await readText(path)), path);
    reportWarnings(warnings, report);
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
