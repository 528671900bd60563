import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { a2cCommand, oneLine } from '@a2c/protocol';
import { PROJECT_FOLDER } from '../files/load-config.js';
import { TrustStore } from '../trust/trust-store.js';
import { policyFolder, readSettings, readWithDigest, settingsFile, type UserSettings } from './settings.js';

/** Settings that switch MCP servers off, and the marketplaces that are blocked. */
export interface ApprovalLists {
  /** MCP servers, by bundle id or name, that this user switched off. */
  readonly disabled: readonly string[];
  /** If not empty, only these MCP servers are used. Set by the administrator. */
  readonly allowed: readonly string[];
  /** MCP servers that are never used. Set by the administrator. */
  readonly denied: readonly string[];
  readonly blockedMarketplaces: readonly string[];
}

/** MCP servers of a project that may start. */
export interface Approval {
  /** By bundle id or name. */
  readonly servers: readonly string[];
  readonly isForAll: boolean;
}

/** A marketplace that the settings name. */
export interface DeclaredMarketplace {
  readonly url: string;
  readonly autoUpdate: boolean;
}

/** The settings of all scopes. */
export interface ScopedSettings {
  readonly lists: ApprovalLists;
  /** What the user, `--settings` and the administrator approved. */
  readonly approved: Approval;
  /** What the user approved and refused in this folder, for files with the content `approvedContent`. */
  readonly approvedHere: Approval & { readonly refused: readonly string[]; readonly content: string | undefined };
  readonly enabledPlugins: Readonly<Record<string, boolean>>;
  /** Those of the user, of `--settings` and of the administrator. */
  readonly marketplaces: Readonly<Record<string, DeclaredMarketplace>>;
  /** If true, marketplaces that `marketplaces` does not name are refused. */
  readonly isStrict: boolean;
  readonly landingRoot: string | undefined;
  /** Keys that are ignored, each with the reason. */
  readonly warnings: readonly string[];
}

/** Where settings are read. */
export interface ScopeOptions {
  /** The folder of the project; without it there is neither a project nor a local scope. */
  readonly root?: string | undefined;
  /** The file of `--settings`. */
  readonly flag?: string | undefined;
  readonly file?: string;
  readonly policy?: string;
  readonly store?: TrustStore;
}

/** The local settings of a folder: those of this user, which are not shared. */
export function localSettingsFile(root: string): string {
  return join(root, PROJECT_FOLDER, 'settings.local.json');
}

/** What a project may not decide, because anybody may have written its files. */
const NOT_OF_PROJECTS = ['enabledMcpjsonServers', 'enableAllProjectMcpServers', 'landingRoot'] as const;
/** What a local file may decide only if this user wrote it with a2c: a repository may bring one along. */
const OF_OWN_LOCAL_FILES = [...NOT_OF_PROJECTS, 'enabledPlugins'] as const;

/**
 * Reads the settings of all scopes, from the lowest to the highest: user, project, local, `--settings`, and the
 * administrator, with `managed-settings.json` and `managed-settings.d/*.json` in the policy folder. Lists are joined;
 * of other values that of the highest scope counts. Only the administrator can allow and deny MCP servers. A project
 * cannot switch on a plugin that the user switched off.
 *
 * @throws Error that names the file and the key, for a file that cannot be read or is malformed.
 */
export async function scopedSettings(options: ScopeOptions = {}): Promise<ScopedSettings> {
  const { root, flag, file = settingsFile(), policy = policyFolder(), store = new TrustStore() } = options;
  const warnings: string[] = [];
  const user = await readSettings(file);
  const project = root === undefined ? undefined : await projectSettings(root, user, warnings);
  const local = root === undefined ? undefined : await localSettings(root, store, warnings);
  const flags = flag === undefined ? undefined : await readSettings(flag, { isRequired: true });
  const managed = await Promise.all((await policyFiles(policy)).map((path) => readSettings(path)));
  const above = [...(flags ? [flags] : []), ...managed];
  const trusted = [user, ...above];
  const all = [user, ...(project ? [project] : []), ...(local ? [local] : []), ...above];
  const declared = (settings: readonly UserSettings[]) =>
    Object.fromEntries(
      settings.flatMap(({ extraKnownMarketplaces }) =>
        Object.entries(extraKnownMarketplaces).map(([name, { source, autoUpdate = false }]) => [
          name,
          { url: source.url, autoUpdate },
        ]),
      ),
    );
  const isStrictByPolicy = managed.some(({ strictKnownMarketplaces }) => strictKnownMarketplaces);
  return {
    lists: {
      disabled: all.flatMap(({ disabledMcpjsonServers }) => disabledMcpjsonServers),
      allowed: managed.flatMap(({ allowedMcpServers }) => allowedMcpServers),
      denied: managed.flatMap(({ deniedMcpServers }) => deniedMcpServers),
      blockedMarketplaces: all.flatMap(({ blockedMarketplaces }) => blockedMarketplaces),
    },
    approved: approvalOf(trusted),
    approvedHere: {
      ...approvalOf(local ? [local] : []),
      refused: local?.refusedMcpServers ?? [],
      content: local?.approvedContent,
    },
    enabledPlugins: Object.assign({}, ...all.map(({ enabledPlugins }) => enabledPlugins)),
    // Who may only use the marketplaces of the administrator cannot name others.
    marketplaces: declared(isStrictByPolicy ? managed : trusted),
    isStrict: isStrictByPolicy || trusted.some(({ strictKnownMarketplaces }) => strictKnownMarketplaces),
    landingRoot: all.findLast(({ landingRoot }) => landingRoot !== undefined)?.landingRoot,
    warnings,
  };
}

/** The lists that switch MCP servers and marketplaces off. */
export async function approvalLists(options: ScopeOptions = {}): Promise<ApprovalLists> {
  return (await scopedSettings(options)).lists;
}

/** Why nothing of a marketplace is used; undefined if the settings permit it. */
export function marketplaceRefusal(settings: ScopedSettings, name: string, url?: string): string | undefined {
  if (settings.lists.blockedMarketplaces.includes(name)) return `the marketplace "${name}" is blocked by the settings`;
  const declared = settings.marketplaces[name];
  if (!settings.isStrict || (declared && (url === undefined || declared.url === url))) return undefined;
  return `the settings permit only the marketplaces in extraKnownMarketplaces (strictKnownMarketplaces): "${name}" is not one of them, or has another address there`;
}

function approvalOf(settings: readonly UserSettings[]): Approval {
  return {
    servers: settings.flatMap(({ enabledMcpjsonServers }) => enabledMcpjsonServers),
    isForAll:
      settings.findLast((each) => each.enableAllProjectMcpServers !== undefined)?.enableAllProjectMcpServers === true,
  };
}

async function projectSettings(
  root: string,
  user: UserSettings,
  warnings: string[],
): Promise<UserSettings | undefined> {
  const file = join(root, PROJECT_FOLDER, 'settings.json');
  const reason = 'a project cannot decide this; put it into your own settings.json';
  const settings = (await readUntrusted(root, file, warnings))?.settings;
  if (!settings) return undefined;
  const isRefused = ([id, isOn]: [string, boolean]) => isOn && user.enabledPlugins[id] === false;
  const plugins = Object.entries(settings.enabledPlugins);
  for (const [id] of plugins.filter(isRefused))
    warnings.push(
      `${file}: the plugin "${oneLine(id)}" stays off, as in your settings; switch it on: ${a2cCommand('plugin enable', id)}`,
    );
  const enabledPlugins = Object.fromEntries(plugins.filter((plugin) => !isRefused(plugin)));
  return without({ ...settings, enabledPlugins }, NOT_OF_PROJECTS, (key) =>
    warnings.push(`${file}: ${key} is ignored: ${reason}`),
  );
}

async function localSettings(root: string, store: TrustStore, warnings: string[]): Promise<UserSettings | undefined> {
  const file = localSettingsFile(root);
  const read = await readUntrusted(root, file, warnings);
  if (!read) return undefined;
  const { settings, sha256 } = read;
  if (await isOwnLocalFile(root, sha256, store)) return settings;
  const reason = 'the file was not written by a2c on this machine, or was changed since';
  return without(settings, OF_OWN_LOCAL_FILES, (key) => warnings.push(`${file}: ${key} is ignored: ${reason}`));
}

/** A malformed file of a project is left out: it must not keep a Computer from starting. */
async function readUntrusted(project: string, file: string, warnings: string[]) {
  try {
    return await readWithDigest(file, { project });
  } catch (error) {
    warnings.push(`${(error as Error).message}; they are ignored`);
    return undefined;
  }
}

/**
 * Whether a2c wrote the local settings on this machine, and they are unchanged since.
 *
 * @param sha256 the digest of the settings that were read: another program may replace the file at any time
 */
export async function isOwnLocalFile(root: string, sha256: string | null, store: TrustStore): Promise<boolean> {
  const files = sha256 === null ? undefined : ([{ file: localSettingsFile(root), sha256 }] as const);
  return files !== undefined && (await store.isTrusted({ root, files, discovered: true }));
}

/** A copy without these keys. Reports those that had a value. */
function without(
  settings: UserSettings,
  keys: readonly (keyof typeof NOTHING)[],
  report: (key: string) => void,
): UserSettings {
  const isGiven = (value: unknown) =>
    typeof value === 'object' ? Object.keys(Object(value)).length > 0 : Boolean(value);
  for (const key of keys.filter((each) => isGiven(settings[each]))) report(key);
  return { ...settings, ...Object.fromEntries(keys.map((key) => [key, NOTHING[key]])) };
}

const NOTHING = {
  enabledMcpjsonServers: [],
  enableAllProjectMcpServers: undefined,
  landingRoot: undefined,
  enabledPlugins: {},
} as const;

async function policyFiles(policy: string): Promise<readonly string[]> {
  const parts = await readdir(join(policy, 'managed-settings.d')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`the policy of this machine cannot be read: ${error.message}`, { cause: error });
  });
  const managed = parts.filter((name) => name.endsWith('.json')).toSorted();
  return [join(policy, 'managed-settings.json'), ...managed.map((name) => join(policy, 'managed-settings.d', name))];
}
