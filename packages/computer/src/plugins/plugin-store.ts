import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  changeSettings,
  describeStart,
  MAX_REVIEWED,
  marketplaceRefusal,
  replaceFolder,
  scopedSettings,
  shownText,
  TrustGuard,
  TrustStore,
  UNTRUSTED,
  unreviewable,
} from '@a2c/config';
import { isSkillSegment, redactLog } from '@a2c/protocol';
import {
  cataloguePlugin,
  locatePlugin,
  marketplaceFolder,
  type PluginId,
  parsePluginId,
  pluginClone,
  readCatalogue,
} from './catalogue.js';
import { type GitAccess, runGit } from './git.js';
import { type MarketplaceRecord, PluginLedgers } from './ledgers.js';
import { pluginServers } from './plugin-servers.js';
import type { PluginSource } from './plugin-source.js';

/** Options of `PluginStore`. */
export interface PluginStoreOptions {
  /** The skill folder. */
  readonly home: string;
  /**
   * The rules for repositories that a catalogue names. The owner named the marketplace itself, so that one is trusted.
   * Default: untrusted.
   */
  readonly guard?: TrustGuard;
}

/** Options of a marketplace. */
export interface MarketplaceOptions {
  /** Fetch it again whenever a Computer starts. */
  readonly autoUpdate?: boolean;
}

/** A marketplace that could not be added or updated. */
export interface MarketplaceFailure {
  readonly name: string;
  readonly reason: string;
}

/** A plugin of a marketplace, as it is on this machine. */
export interface PluginState {
  readonly id: string;
  readonly description?: string;
  readonly version?: string;
  readonly state: 'available' | 'installed' | 'enabled';
}

/** The MCP servers of a plugin are not trusted. The message lists what they and their inputs start. */
export class PluginTrustError extends Error {
  override readonly name = 'PluginTrustError';
  /** The id of what the message lists, for `enable`. It has 128 bits, so that no other files have the same. */
  readonly shown: string;
  constructor(message: string, shown: string) {
    super(message);
    this.shown = shown;
  }
}

/** Options of `PluginStore.enable`. */
export interface EnableOptions {
  /** Trusts the MCP servers, whatever they start. */
  readonly trust?: boolean;
  /** Trusts the MCP servers if they are those that a `PluginTrustError` with this id has listed. */
  readonly shown?: string | undefined;
}

/**
 * Marketplaces and plugins in a skill folder. Nothing is fetched but what the owner names: a marketplace by its
 * address, a plugin by its name. Installing activates nothing; enabling offers the skills, and the MCP servers if their
 * files are trusted.
 *
 * @example
 * ```ts
 * const plugins = new PluginStore({ home: skillFolder() });
 * await plugins.addMarketplace('team', 'https://git.example.org/plugins.git');
 * await plugins.install('letters@team');
 * await plugins.enable('letters@team');
 * ```
 */
export class PluginStore {
  readonly #home: string;
  readonly #guard: TrustGuard;
  readonly #ledgers: PluginLedgers;

  /** Reads and writes nothing yet. */
  constructor({ home, guard = new TrustGuard(UNTRUSTED) }: PluginStoreOptions) {
    this.#home = home;
    this.#guard = guard;
    this.#ledgers = new PluginLedgers(home);
  }

  /** The marketplaces that were added. */
  marketplaces(): Promise<Readonly<Record<string, MarketplaceRecord>>> {
    return this.#ledgers.marketplaces();
  }

  /** Clones a marketplace. @throws Error when its name is taken or not permitted, or it has no catalogue. */
  async addMarketplace(name: string, url: string, { autoUpdate = false }: MarketplaceOptions = {}): Promise<void> {
    if (!isSkillSegment(name))
      throw new Error(`"${name}": a marketplace needs a name of lower-case words with hyphens`);
    if (url.startsWith('-')) throw new Error(`"${url}" is not the address of a git repository`);
    if ((await this.marketplaces())[name]) throw new Error(`there already is a marketplace "${name}"`);
    await this.#checkPermitted(name, url);
    await this.#cloneMarketplace(name, url, autoUpdate);
    await changeSettings(({ trustedMarketplaces }) => ({
      trustedMarketplaces: [...new Set([...trustedMarketplaces, name])],
    }));
  }

  /** Fetches a marketplace again, and the plugins that are installed from it. Its address may have changed. */
  async updateMarketplace(
    name: string,
    { autoUpdate, url, signal }: MarketplaceOptions & { readonly url?: string; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { source, autoUpdate: before = false } = await this.#marketplace(name);
    await this.#checkPermitted(name, url ?? source.url);
    await this.#cloneMarketplace(name, url ?? source.url, autoUpdate ?? before, signal);
    for (const id of await this.#installedFrom(name)) await this.install(id);
  }

  /**
   * Adds the marketplaces that the settings declare, and updates those with `autoUpdate` and those whose declared
   * address has changed. Returns the failures; the files of a marketplace that failed stay as they were.
   *
   * @param all Updates all marketplaces.
   */
  async syncMarketplaces({
    all = false,
    signal,
  }: {
    readonly all?: boolean;
    readonly signal?: AbortSignal;
  } = {}): Promise<readonly MarketplaceFailure[]> {
    const { marketplaces: declared } = await scopedSettings();
    const present = await this.marketplaces();
    const failures: MarketplaceFailure[] = [];
    for (const name of new Set([...Object.keys(present), ...Object.keys(declared)])) {
      const { url, autoUpdate = false } = declared[name] ?? {};
      const record = present[name];
      const hasMoved = url !== undefined && record !== undefined && record.source.url !== url;
      try {
        if (!record && url !== undefined) await this.addMarketplace(name, url, { autoUpdate });
        else if (all || hasMoved || autoUpdate || record?.autoUpdate)
          await this.updateMarketplace(name, { ...(url !== undefined && { url }), ...(signal && { signal }) });
      } catch (error) {
        if (signal?.aborted) break;
        failures.push({ name, reason: (error as Error).message });
      }
    }
    return failures;
  }

  /** Removes a marketplace. @throws Error while plugins are installed from it. */
  async removeMarketplace(name: string): Promise<void> {
    await this.#marketplace(name);
    const [installed] = await this.#installedFrom(name);
    if (installed !== undefined) throw new Error(`the plugin "${installed}" is installed from it: uninstall it first`);
    await this.#ledgers.setMarketplace(name, undefined);
    await changeSettings(({ trustedMarketplaces }) => ({
      trustedMarketplaces: trustedMarketplaces.filter((other) => other !== name),
    }));
    await rm(marketplaceFolder(this.#home, name), { recursive: true, force: true });
    await rm(join(this.#home, 'marketplace', '.plugins', name), { recursive: true, force: true });
  }

  /** All plugins of all marketplaces. */
  async list(): Promise<readonly PluginState[]> {
    const [installed, { enabledPlugins }] = [await this.#ledgers.plugins(), await scopedSettings()];
    const lists = Object.keys(await this.marketplaces()).map(async (marketplace): Promise<PluginState[]> => {
      const { entries } = await readCatalogue(marketplaceFolder(this.#home, marketplace));
      return entries.map(({ name, description, version }) => {
        const id = `${name}@${marketplace}`;
        const present = installed[id]?.version ?? (typeof version === 'string' ? version : undefined);
        return {
          id,
          ...(typeof description === 'string' && { description }),
          ...(present !== undefined && { version: present }),
          state: !installed[id] ? 'available' : enabledPlugins[id] === true ? 'enabled' : 'installed',
        };
      });
    });
    return (await Promise.all(lists)).flat();
  }

  /** Fetches the files of a plugin. Its skills and servers stay off until it is enabled. */
  async install(id: string): Promise<void> {
    const plugin = parsePluginId(id);
    const { commitSha: ofMarketplace } = await this.#marketplace(plugin.marketplace);
    const { source } = await cataloguePlugin(this.#home, plugin);
    const commitSha = source.kind === 'git' ? await this.#clonePlugin(plugin, source) : ofMarketplace;
    const { folder, version } = await locatePlugin(this.#home, plugin);
    const { servers } = await pluginServers(id, folder);
    const now = new Date().toISOString();
    await changeSettings(({ installedPlugins }) => ({ installedPlugins: [...new Set([...installedPlugins, id])] }));
    await this.#ledgers.changePlugin(id, (before) => ({
      scope: 'user',
      installPath: folder,
      version: version ?? commitSha,
      commitSha,
      installedAt: before?.installedAt ?? now,
      lastUpdated: now,
      mcpServers: servers.map(({ name, bundle_id }) => bundle_id ?? name),
    }));
  }

  /** Removes a plugin and switches it off. */
  async uninstall(id: string): Promise<void> {
    const plugin = parsePluginId(id);
    await this.#checkInstalled(id);
    await changeSettings(({ installedPlugins, enabledPlugins: { [id]: _, ...enabledPlugins } }) => ({
      installedPlugins: installedPlugins.filter((other) => other !== id),
      enabledPlugins,
    }));
    await this.#ledgers.changePlugin(id, () => undefined);
    await rm(pluginClone(this.#home, plugin), { recursive: true, force: true });
  }

  /**
   * Switches an installed plugin on: its skills, and its MCP servers. All of it or nothing. Returns what its MCP
   * servers and their inputs start, one line each.
   *
   * @throws PluginTrustError when it has MCP servers that are not trusted.
   */
  async enable(id: string, { trust = false, shown }: EnableOptions = {}): Promise<readonly string[]> {
    await this.#checkInstalled(id);
    await this.#checkPermitted(parsePluginId(id).marketplace);
    const { folder } = await locatePlugin(this.#home, parsePluginId(id));
    const { servers, inputs, source } = await pluginServers(id, folder);
    const store = new TrustStore();
    const starts = servers.map(
      (server) => `${shownText(server.name)}: ${describeStart(server, inputs).join('\n    ')}`,
    );
    const present = source?.files[0].sha256.slice(0, 32);
    if (source && present !== undefined && !trust && shown !== present && !(await store.isTrusted(source))) {
      const length = unreviewable(starts);
      if (length !== undefined)
        throw new Error(
          `the plugin "${id}" has MCP servers with ${length} characters, too many to review here (at most ${MAX_REVIEWED}); read the files in ${source.files[0].file} and enable it with --trust`,
        );
      const what = shown === undefined ? 'are not trusted yet' : 'are not those that were shown';
      throw new PluginTrustError(`the plugin "${id}" has MCP servers that ${what}:\n  ${starts.join('\n  ')}`, present);
    }
    if (source) await store.trust(source);
    await this.#setEnabled(id, true);
    return starts;
  }

  /** Switches a plugin off; its files stay. */
  async disable(id: string): Promise<void> {
    await this.#checkInstalled(id);
    await this.#setEnabled(id, false);
  }

  async #setEnabled(id: string, isEnabled: boolean): Promise<void> {
    await changeSettings(({ enabledPlugins }) => ({ enabledPlugins: { ...enabledPlugins, [id]: isEnabled } }));
    const lastUpdated = new Date().toISOString();
    await this.#ledgers.changePlugin(id, (record) => record && { ...record, lastUpdated });
  }

  async #marketplace(name: string): Promise<MarketplaceRecord> {
    const record = (await this.marketplaces())[name];
    if (!record) throw new Error(`there is no marketplace "${name}"; add it first`);
    return record;
  }

  async #checkInstalled(id: string): Promise<void> {
    parsePluginId(id);
    if (!(await this.#ledgers.plugins())[id]) throw new Error(`the plugin "${id}" is not installed`);
  }

  async #installedFrom(marketplace: string): Promise<readonly string[]> {
    return Object.keys(await this.#ledgers.plugins()).filter((id) => id.endsWith(`@${marketplace}`));
  }

  async #checkPermitted(name: string, url?: string): Promise<void> {
    const refusal = marketplaceRefusal(await scopedSettings(), name, url);
    if (refusal !== undefined) throw new Error(refusal);
  }

  async #cloneMarketplace(name: string, url: string, autoUpdate: boolean, signal?: AbortSignal): Promise<void> {
    const folder = marketplaceFolder(this.#home, name);
    await clone(folder, { url }, { signal }, async (fetched) => {
      await readCatalogue(fetched).catch((error: Error) => {
        throw new Error(`${redactLog(url, [])} is not a marketplace: ${error.message}`);
      });
    });
    await this.#ledgers.setMarketplace(name, {
      source: { type: 'git', url },
      installLocation: folder,
      lastUpdated: new Date().toISOString(),
      commitSha: await headOf(folder),
      ...(autoUpdate && { autoUpdate }),
    });
  }

  /** The catalogue names this repository, not the owner: the rules for untrusted sources apply. */
  async #clonePlugin(plugin: PluginId, source: Extract<PluginSource, { kind: 'git' }>): Promise<string> {
    const name = `${plugin.name}@${plugin.marketplace}`;
    const { addresses } = await this.#guard.approveUrl(source.url, name);
    const access: GitAccess = this.#guard.policy.trusted ? {} : { untrusted: { url: source.url, addresses } };
    const folder = pluginClone(this.#home, plugin);
    await clone(folder, source, access);
    return headOf(folder);
  }
}

const headOf = (folder: string): Promise<string> => runGit(['-C', folder, 'rev-parse', 'HEAD']);

/** Clones into a new folder and then replaces the old one: a failure leaves what was there. */
async function clone(
  folder: string,
  { url, ref, sha }: { readonly url: string; readonly ref?: string; readonly sha?: string },
  access: GitAccess,
  check: (fetched: string) => Promise<void> = async () => {},
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const fresh = await mkdtemp(join(dirname(folder), '.new-'));
  try {
    const branch = ref === undefined ? [] : ['--branch', ref];
    const depth = sha === undefined ? ['--depth', '1'] : [];
    await runGit(['clone', '--quiet', ...depth, ...branch, '--', url, fresh], access);
    if (sha !== undefined) await runGit(['-C', fresh, 'checkout', '--quiet', '--detach', sha], access);
    await check(fresh);
    await replaceFolder(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
