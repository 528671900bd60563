import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isInsideFolder, readFileOf } from '@a2c/config';
import { isRecord, isSkillSegment } from '@a2c/protocol';
import { type PluginSource, pluginSource } from './plugin-source.js';

/** The name of a plugin and of its marketplace, written `plugin@marketplace`. */
export interface PluginId {
  readonly name: string;
  readonly marketplace: string;
}

/** A plugin whose files are on this machine. */
export interface PluginFolder {
  readonly folder: string;
  readonly version?: string;
}

/** An entry in the catalogue of a marketplace. */
export interface CataloguePlugin {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly source: PluginSource;
  readonly isStrict: boolean;
}

const MANIFESTS = '.tfrobot-plugin';
/** What a plugin.json may not declare if its entry in the catalogue says `strict: false`. */
const COMPONENTS = ['commands', 'agents', 'hooks', 'skills', 'mcpServers', 'lspServers'];

/** @throws Error when it is not `plugin@marketplace` in lower case. */
export function parsePluginId(text: string): PluginId {
  const [name = '', marketplace = '', ...rest] = text.split('@');
  if (rest.length > 0 || !isSkillSegment(name) || !isSkillSegment(marketplace))
    throw new Error(`"${text}": expected "plugin@marketplace", both in lower case`);
  return { name, marketplace };
}

/** The clone of a marketplace. */
export const marketplaceFolder = (home: string, marketplace: string): string => join(home, 'marketplace', marketplace);

/** The clone of a plugin that has a repository of its own. */
export const pluginClone = (home: string, { name, marketplace }: PluginId): string =>
  join(home, 'marketplace', '.plugins', marketplace, name);

/**
 * Reads one plugin in the catalogue of a marketplace.
 *
 * @throws Error when the catalogue is missing or malformed, or has no such plugin.
 */
export async function cataloguePlugin(home: string, { name, marketplace }: PluginId): Promise<CataloguePlugin> {
  const { entries, catalogue } = await readCatalogue(marketplaceFolder(home, marketplace));
  const entry = entries.find((plugin) => plugin.name === name);
  if (!entry) throw new Error(`the marketplace "${marketplace}" has no plugin "${name}"`);
  const { description, version, strict } = entry;
  return {
    name,
    source: pluginSource(entry.source, catalogue),
    isStrict: strict !== false,
    ...(typeof description === 'string' && { description }),
    ...(typeof version === 'string' && { version }),
  };
}

/** The names and descriptions in the catalogue in a folder. @throws Error when it has none. */
export async function readCatalogue(folder: string) {
  const catalogue = await readObject(folder, 'marketplace.json');
  const entries = (Array.isArray(catalogue.plugins) ? catalogue.plugins : []).filter(isRecord);
  return { catalogue, entries };
}

/**
 * Finds the files of a plugin: within its marketplace, or beside it if the catalogue names another repository.
 *
 * @throws Error when they are missing, lead out of their repository, or contradict the catalogue.
 */
export async function locatePlugin(home: string, id: PluginId): Promise<PluginFolder> {
  const { source, version: listed, isStrict } = await cataloguePlugin(home, id);
  const base = source.kind === 'local' ? marketplaceFolder(home, id.marketplace) : pluginClone(home, id);
  const [root, folder] = await Promise.all([realpath(base), realpath(join(base, source.path))]).catch(() => {
    throw new Error(`its files are missing in ${join(base, source.path)}; install it`);
  });
  if (folder !== root && !isInsideFolder(root, folder)) throw new Error('its source leads out of the marketplace');
  const manifest = await readObject(folder, 'plugin.json').catch(() => ({}) as JsonRecord);
  const [declared] = isStrict ? [] : COMPONENTS.filter((field) => isDeclared(manifest[field]));
  if (declared !== undefined)
    throw new Error(`its plugin.json declares "${declared}", but the catalogue says "strict": false`);
  const version = listed ?? (typeof manifest.version === 'string' ? manifest.version : undefined);
  return { folder, ...(version !== undefined && { version }) };
}

type JsonRecord = Record<string, unknown>;

const isDeclared = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

async function readObject(folder: string, name: string): Promise<JsonRecord> {
  const path = join(folder, MANIFESTS, name);
  const value: unknown = JSON.parse((await readFileOf(folder, path)).text);
  if (!isRecord(value)) throw new Error(`${path} is not a JSON object`);
  return value;
}
