import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { oneLine } from '@a2c/protocol';
import { type ConfigSource, type LoadedConfig, loadIfPresent, PROJECT_FOLDER } from '../files/load-config.js';
import { whileLocked } from '../files/process-lock.js';
import { userConfigFolder } from '../files/user-folder.js';
import type { InputDefinition } from '../model/input-definition.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { ConfigError, type Problem, ProblemList } from '../problems.js';
import type { VrlCheck } from '../readers/reader.js';
import { TrustStore } from '../trust/trust-store.js';
import { describeStart, unreviewable } from './describe-start.js';
import { bundleIdOf, idsOf, withOwnBundleId } from './own-bundle-id.js';
import { isOwnLocalFile, localSettingsFile, type ScopedSettings } from './scopes.js';
import { inputIdsOf, inputsUsedBy, withOwnInputs } from './server-inputs.js';
import { policyFolder, type UserSettings, writeSettings } from './settings.js';

/** The MCP servers of all scopes. */
export interface ScopeServers {
  /** Those of the user and of the administrator, and the approved ones of the project. */
  readonly servers: readonly ServerConfig[];
  /** Those of the user and of the administrator. */
  readonly inputs: readonly InputDefinition[];
  /** Those that approved servers of the project refer to, with the ids `project/id` and `local/id`. */
  readonly projectInputs: readonly InputDefinition[];
  /** Servers of the project that the user has not approved yet. */
  readonly pending: readonly PendingServer[];
  /** A digest of the project's files: an approval applies to this content only. */
  readonly content: string;
  readonly warnings: readonly Problem[];
}

/** A server of a project that waits for approval. */
export interface PendingServer {
  readonly server: ServerConfig;
  readonly bundleId: string;
  readonly file: string;
  /** The file of the server of the same name in a lower scope, which is used until this one is approved. */
  readonly replaces: string | undefined;
  /** Whether its bundle id is the name or bundle id of another server that is in use. */
  readonly isShared: boolean;
  /** The bundle id that it gets: another one if a server of the user or the administrator has its own. */
  readonly assignedId: string;
  /** The inputs of the file; see `describeStart`. */
  readonly inputs: readonly InputDefinition[];
  /** Whether it refers to inputs that the file does not define. They may be those of the user. */
  readonly usesYours: boolean;
}

/** Options of `scopeServers`. */
export interface ScopeServerOptions {
  /** The folder of the project. */
  readonly root: string;
  readonly settings: ScopedSettings;
  /** What is named on the command line. The servers replace those of all scopes but the administrator's. */
  readonly named?: Pick<MCPConfig, 'servers' | 'inputs'>;
  /** Approves all for this run. */
  readonly approveAll?: boolean;
  readonly checkVrl?: VrlCheck;
  readonly policy?: string;
  readonly store?: TrustStore;
}

const FILES = { project: 'mcp.json', local: 'mcp.local.json' } as const;

/**
 * Reads the MCP servers of all scopes: `mcp.json` of the user, `.tfrobot/mcp.json` and `.tfrobot/mcp.local.json` of the
 * project, `managed-mcp.json` of the administrator. A server replaces one of the same name in a lower scope. Servers of
 * a project start programs that others may have chosen: they are pending until the user approves or refuses them, and
 * replace nothing until they are approved. Their inputs have ids of their own, so that they get no value of the user;
 * an input of the user needs an answer to a question that names it. Their bundle ids are none that a server of the user
 * or the administrator has. A malformed file of a project is left out with
 * warnings: it must not keep a Computer from starting.
 *
 * @throws ConfigError for a malformed file of the user or the administrator.
 */
export async function scopeServers(options: ScopeServerOptions): Promise<ScopeServers> {
  const {
    root,
    settings,
    named = { servers: [], inputs: [] },
    approveAll = false,
    checkVrl,
    store = new TrustStore(),
  } = options;
  const read = (file: string, isDiscovered: boolean) =>
    loadIfPresent({ file, root: resolve(root), discovered: isDiscovered, checkVrl });
  const user = await read(resolve(userConfigFolder(), 'mcp.json'), false);
  const left: Problem[] = [];
  const leaveOut = (error: unknown, file: string): null => {
    if (!(error instanceof ConfigError)) throw error;
    const message = 'the MCP servers of this file are left out';
    left.push(...error.problems, { severity: 'warning', file, pointer: '', message });
    return null;
  };
  const files = [FILES.project, FILES.local].map((name) => resolve(root, PROJECT_FOLDER, name));
  let ofProject = await Promise.all(files.map((file) => read(file, true).catch((error) => leaveOut(error, file))));
  const managed = await read(resolve(options.policy ?? policyFolder(), 'managed-mcp.json'), false);
  try {
    checkUnique(ofProject.flatMap((config) => config?.servers ?? []));
  } catch (error) {
    ofProject = ofProject.map((config) => config && leaveOut(error, config.source.files[0].file));
  }
  const inputs = new Map([user, managed].flatMap((config) => config?.inputs ?? []).map((input) => [input.id, input]));
  const yours = [...named.inputs, ...inputs.values()];
  ofProject = ofProject.map(
    (config, index) => config && withOwnInputs(config, index === 0 ? 'project' : 'local', yours),
  );
  const present = ofProject.filter((config) => config !== null);
  const content = contentOf(present);
  const verdictOn = await verdictsBy(settings, present, { content, approveAll, store });
  const isNamed = new Set(named.servers.map(({ name }) => name));
  const pending: Omit<PendingServer, 'isShared' | 'assignedId'>[] = [];
  const projectInputs = new Set<InputDefinition>();
  const byName = new Map<string, ServerConfig>();
  const fromProject = new Set<ServerConfig>();
  for (const config of [user, ...ofProject, managed]) {
    for (const server of config?.servers ?? []) {
      if (config !== managed && isNamed.has(server.name)) continue;
      const before = pending.findIndex((each) => each.server.name === server.name);
      if (before >= 0) pending.splice(before, 1);
      const isOfProject = config && present.includes(config);
      const verdict = isOfProject ? verdictOn(server, config) : 'approved';
      if (verdict === 'approved') {
        byName.delete(server.name); // a server that replaces another has the place of its own file
        byName.set(server.name, server);
        if (isOfProject) fromProject.add(server);
        // Inputs run commands: those of a project need an approval too.
        const used = isOfProject ? inputsUsedBy(server, config.inputs) : [];
        for (const input of used) projectInputs.add(input);
      } else if (config && verdict === 'pending')
        pending.push({
          server,
          bundleId: bundleIdOf(server),
          file: config.source.files[0].file,
          replaces: byName.get(server.name)?.origin.file,
          inputs: config.inputs,
          usesYours: usesYours(server, config),
        });
    }
  }
  const loaded = [user, ...present, managed].filter((config) => config !== null);
  const inUse = new Set([...byName.values(), ...named.servers].flatMap(idsOf));
  const yoursInUse = [...byName.values(), ...named.servers].filter((server) => !fromProject.has(server));
  // A server that is switched off by its bundle id stays off.
  const isOff = (server: ServerConfig) =>
    idsOf(server).some((id) => settings.lists.disabled.includes(id) || settings.lists.denied.includes(id));
  const withId = (server: ServerConfig) => (isOff(server) ? server : withOwnBundleId(server, yoursInUse, 'project'));
  return {
    servers: [...byName.values()].map((server) => (fromProject.has(server) ? withId(server) : server)),
    inputs: [...inputs.values()],
    projectInputs: [...projectInputs],
    pending: pending.map((each) => ({
      ...each,
      isShared: inUse.has(each.bundleId),
      assignedId: bundleIdOf(withOwnBundleId(each.server, yoursInUse, 'project')),
    })),
    content,
    warnings: [...left, ...loaded.flatMap(({ warnings }) => warnings)],
  };
}

/** An answer is recorded by bundle id: it must not apply to a server that the question did not show. */
function checkUnique(servers: readonly ServerConfig[]): void {
  const owners = new Map<string, ServerConfig>();
  for (const server of servers) {
    for (const id of idsOf(server)) {
      const owner = owners.get(id) ?? server;
      owners.set(id, server);
      if (owner.name === server.name) continue; // of the local file, which replaces that of the project
      const problems = new ProblemList(server.origin.file);
      problems.error(
        [],
        `the servers "${oneLine(owner.name)}" and "${oneLine(server.name)}" share the name or bundle id "${oneLine(id)}": an approval could not tell them apart; change one of them, or its "bundle_id"`,
      );
      throw new ConfigError(problems.all);
    }
  }
}

/** Whether a server refers to inputs that its file does not define. */
function usesYours(server: ServerConfig, { inputs }: LoadedConfig): boolean {
  return inputIdsOf(server).size > inputsUsedBy(server, inputs).length;
}

type Verdict = 'approved' | 'refused' | 'pending';

async function verdictsBy(
  { approved, approvedHere }: ScopedSettings,
  files: readonly LoadedConfig[],
  {
    content,
    approveAll,
    store,
  }: { readonly content: string; readonly approveAll: boolean; readonly store: TrustStore },
): Promise<(server: ServerConfig, config: LoadedConfig) => Verdict> {
  const trusted = new Set<ConfigSource>();
  for (const { source } of files) if (await store.isTrusted(source)) trusted.add(source);
  const isUnchanged = approvedHere.content === content;
  return (server, config) => {
    const isIn = (names: readonly string[]) => idsOf(server).some((id) => names.includes(id));
    // The answer "no" is stronger than every approval.
    if (isUnchanged && isIn(approvedHere.refused)) return 'refused';
    if (approveAll || trusted.has(config.source) || (isUnchanged && isIn(approvedHere.servers))) return 'approved';
    // Who approves names or all servers has not seen which inputs of the user they get, nor what was too long to show.
    const isShown = unreviewable(describeStart(server, config.inputs)) === undefined;
    if (usesYours(server, config) || !isShown) return 'pending';
    return approved.isForAll || isIn(approved.servers) || (isUnchanged && approvedHere.isForAll)
      ? 'approved'
      : 'pending';
  };
}

/** One digest of all files, with those they refer to: an approval ends when one of them changes. */
function contentOf(files: readonly LoadedConfig[]): string {
  const digests = files.flatMap(({ source }) => source.files.map(({ sha256 }) => sha256));
  return createHash('sha256').update(digests.join()).digest('hex');
}

/** The answer of the user about a pending server: this one, all of the project, or none. */
export type GateAnswer = 'yes' | 'all' | 'no';

type AnsweredServer = Pick<PendingServer, 'bundleId' | 'isShared'> & { readonly content: string };

/**
 * Records an answer in the local settings of the project, as the SDKs do: `enabledMcpjsonServers`,
 * `enableAllProjectMcpServers` or `disabledMcpjsonServers`. An answer is valid for `content`, which is that of the
 * files when the user was asked: they may have changed since then. `disabledMcpjsonServers` switches off servers of all
 * scopes: a refused server whose id another one has is only in `refusedMcpServers`.
 */
export async function recordAnswer(
  root: string,
  server: AnsweredServer,
  answer: GateAnswer,
  { store = new TrustStore() }: { readonly store?: TrustStore } = {},
): Promise<void> {
  // Until the new content is trusted: meanwhile, another process would take the file for one of another program.
  await whileLocked(localSettingsFile(root), () => writeAnswer(root, server, answer, store));
}

async function writeAnswer(
  root: string,
  { bundleId, content, isShared }: AnsweredServer,
  answer: GateAnswer,
  store: TrustStore,
): Promise<void> {
  const file = localSettingsFile(root);
  const change = async (before: UserSettings, digest: string | null): Promise<Partial<UserSettings>> => {
    const isOwn = await isOwnLocalFile(root, digest, store);
    // What another program wrote, or was approved for other content, does not become approved by this answer.
    const isValid = isOwn && before.approvedContent === content;
    const withAnswer = (ids: readonly string[], isAnswer: boolean) => [
      ...ids.filter((id) => id !== bundleId),
      ...(isAnswer ? [bundleId] : []),
    ];
    return {
      approvedContent: content,
      enabledMcpjsonServers: withAnswer(isValid ? before.enabledMcpjsonServers : [], answer !== 'no'),
      disabledMcpjsonServers: withAnswer(before.disabledMcpjsonServers, answer === 'no' && !isShared),
      refusedMcpServers: withAnswer(isValid ? before.refusedMcpServers : [], answer === 'no'),
      // Not false: for the SDKs that would take back what the user approved for all projects.
      enableAllProjectMcpServers: answer === 'all' || (isValid && before.enableAllProjectMcpServers) || undefined,
      ...(!isOwn && { landingRoot: undefined, enabledPlugins: {} }),
    };
  };
  const sha256 = await writeSettings(change, file, { project: root });
  await store.trust({ root, files: [{ file, sha256 }], discovered: true });
}
