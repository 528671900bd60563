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
  type ScopeServerOptions,
  type ScopeServers,
  type ServerConfig,
  scopedSettings,
  scopeServers,
  unreviewable,
  withOwnBundleId,
} from '@a2c/config';
import { checkVrl, readFrom, storedInputs, trustCommand } from '../config-options.js';
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
export type AskAtGate = (pending: readonly PendingServer[], isRest: boolean) => Promise<GateAnswer | undefined>;

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
  const yours = [...more, ...own];
  const named = { servers: loaded?.servers ?? [], inputs: yours };
  const { scoped, settings } = await throughGate(options, named, report, ask);
  const plugins = await serversOfPlugins(options, report);
  const yourServers = [...scoped.servers, ...(loaded?.servers ?? [])];
  const ofPlugins = plugins.servers.map((server) => withOwnBundleId(server, yourServers, 'plugin'));
  return {
    config: loaded,
    // From the highest to the lowest: the administrator may replace a server of the file, and that one of a plugin.
    servers: firstBy(({ name }) => name, [...yourServers, ...ofPlugins]),
    // What the user named comes first: no other file may replace how a value of the user is found.
    inputs: firstBy(({ id }) => id, [...yours, ...scoped.inputs, ...scoped.projectInputs, ...plugins.inputs]),
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
  named: ScopeServerOptions['named'] & {},
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
  const record = async (pending: PendingServer, answer: GateAnswer) => {
    try {
      await recordAnswer(root, { ...pending, content: scoped.content }, answer);
      return true;
    } catch (error) {
      // A project may bring along a file that cannot be written: it must not keep the Computer from starting.
      report(`your answer cannot be recorded, so that it has no effect: ${(error as Error).message}`);
      return false;
    }
  };
  const { disabled, denied } = settings.lists;
  const isOff = ({ bundleId, server }: PendingServer) =>
    [...disabled, ...denied].some((id) => id === bundleId || id === server.name);
  const asked = scoped.pending.filter((each) => !isOff(each) && isReviewable(each, root, report));
  let answered = false;
  for (let pending = asked.shift(); pending; pending = asked.shift()) {
    const answer = await ask?.([pending], false);
    if (answer === undefined) {
      report(notApproved(pending));
      continue;
    }
    const others = asked.filter(({ usesYours }) => !usesYours);
    // Who approves all servers has to see them first. Without a yes, the next question is about the next one.
    const isForAll = answer === 'all' && (others.length === 0 || (await ask?.(others, true)) === 'yes');
    const given = answer === 'all' && !isForAll ? 'yes' : answer;
    answered = (await record(pending, given)) || answered;
    if (isForAll) asked.splice(0, asked.length, ...asked.filter(({ usesYours }) => usesYours));
  }
  if (!answered) return { scoped, settings };
  // The answers are in the settings: those of before do not contain a refusal.
  const present = await scopedSettings(scopesOf(options));
  const after = await read(present);
  if (after.content !== scoped.content)
    report('the MCP servers of the project changed while you were asked about them; start again to be asked again');
  return { scoped: after, settings: present };
}

/** Reports a server that has too many characters for a question. */
function isReviewable({ server, inputs, file }: PendingServer, root: string, report: Report): boolean {
  const length = unreviewable(describeStart(server, inputs));
  if (length === undefined) return true;
  report(
    `the MCP server "${server.name}" of ${file} is not started: it has ${length} characters, too many to review in a question (at most ${MAX_REVIEWED}); shorten it, or read the file and trust it: ${trustCommand(file, root)}`,
  );
  return false;
}

function notApproved({ server, file, usesYours, replaces }: PendingServer): string {
  const why = usesYours ? ', and it refers to inputs that are yours' : '';
  const meanwhile = replaces === undefined ? '' : `; the one of ${replaces} is used instead`;
  return `the MCP server "${server.name}" of ${file} is not started, because you have not approved it${why} (approve it by ${a2c('computer', 'run')} in a terminal, or by --approve-all-mcp for this run)${meanwhile}`;
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

export async function linkOptions(options: ComputerRunOptions): Promise<Partial<OfficeLinkOptions>> {
  const { url } = options;
  return { ...(url !== undefined && { url }), ...readOfficeOptions(options) };
}
