import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, whileLocked } from '@a2c/config';
import { isRecord } from '@a2c/protocol';

/** A marketplace that was added. */
export interface MarketplaceRecord {
  readonly source: { readonly type: 'git'; readonly url: string };
  readonly installLocation: string;
  readonly lastUpdated: string;
  readonly commitSha: string;
  /** Fetched again when a Computer starts. */
  readonly autoUpdate?: boolean;
}

/** A plugin that was installed. */
export interface PluginRecord {
  readonly scope: 'user';
  readonly installPath: string;
  readonly version?: string;
  readonly commitSha: string;
  readonly installedAt: string;
  readonly lastUpdated: string;
  /** The bundle ids of its MCP servers. */
  readonly mcpServers: readonly string[];
}

/** The first line of both files, as the SDKs of A2C-SMCP write it. */
const HEADER = '// Maintained automatically by a2c-computer. DO NOT EDIT.';

/** The file that changes with every command about plugins. */
export const INSTALLED = 'installed_plugins.json';
const KNOWN = 'known_marketplaces.json';

/** The two files about marketplaces and plugins in a skill folder, in the format of the SDKs. */
export class PluginLedgers {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  async marketplaces(): Promise<Readonly<Record<string, MarketplaceRecord>>> {
    return this.#read(KNOWN, 'marketplaces') as Promise<Record<string, MarketplaceRecord>>;
  }

  async plugins(): Promise<Readonly<Record<string, PluginRecord>>> {
    const lists = (await this.#read(INSTALLED, 'plugins')) as Record<string, readonly PluginRecord[]>;
    return Object.fromEntries(Object.entries(lists).flatMap(([id, [record]]) => (record ? [[id, record]] : [])));
  }

  setMarketplace(name: string, record: MarketplaceRecord | undefined): Promise<void> {
    return whileLocked(this.#path(KNOWN), async () => {
      const { [name]: _, ...others } = await this.marketplaces();
      await this.#write(KNOWN, { version: 1, marketplaces: { ...others, ...(record && { [name]: record }) } });
    });
  }

  /** Changes the record of one plugin, as it is at that moment. Undefined removes it. */
  changePlugin(id: string, change: (before: PluginRecord | undefined) => PluginRecord | undefined): Promise<void> {
    return whileLocked(this.#path(INSTALLED), async () => {
      const { [id]: before, ...others } = await this.plugins();
      const record = change(before);
      const plugins = { ...others, ...(record && { [id]: record }) };
      const lists = Object.fromEntries(Object.entries(plugins).map(([key, value]) => [key, [value]]));
      await this.#write(INSTALLED, { version: 1, plugins: lists });
    });
  }

  /** A damaged file is an error: to treat it as empty would forget what was installed. */
  async #read(file: string, key: string): Promise<Record<string, unknown>> {
    const path = this.#path(file);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    try {
      const value: unknown = JSON.parse(text.replaceAll(/^[ \t]*\/\/.*$/gm, ''));
      const part = isRecord(value) ? (value[key] ?? {}) : undefined;
      if (isRecord(part)) return part;
      throw new Error(`"${key}" is not an object`);
    } catch (error) {
      throw new Error(`${path} is damaged: ${(error as Error).message}. Delete it, and add or install again.`);
    }
  }

  async #write(file: string, value: object): Promise<void> {
    await replaceFile(this.#path(file), `${HEADER}\n${JSON.stringify(value, null, 2)}\n`);
  }

  #path(file: string): string {
    return join(this.#home, file);
  }
}
