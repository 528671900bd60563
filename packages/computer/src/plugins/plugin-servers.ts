import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type ConfigSource,
  formatProblem,
  type InputDefinition,
  mapTexts,
  readConfig,
  readFileOf,
  replacePlaceholders,
  type ServerConfig,
  TrustStore,
} from '@a2c/config';
import { isRecord, oneLine } from '@a2c/protocol';
import { locatePlugin, parsePluginId } from './catalogue.js';

/** The MCP servers that a plugin brings along. They start programs, so their files need trust like a configuration. */
export interface PluginServers {
  readonly servers: readonly ServerConfig[];
  readonly inputs: readonly InputDefinition[];
  /** The folder of the files, with a digest of their names and contents; undefined if the plugin has no servers. */
  readonly source: ConfigSource | undefined;
}

const FOLDER = 'mcp-servers';
const INPUTS = 'inputs.json';

/**
 * Reads the MCP servers of a plugin: `mcp-servers/<name>.json`, each one server. The ids of its inputs get the prefix
 * `plugin@marketplace/`, so that no placeholder means an input of the user.
 *
 * @throws Error when a file is malformed or uses an input that the plugin does not define.
 */
export async function pluginServers(id: string, folder: string): Promise<PluginServers> {
  const entries = await readdir(join(folder, FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((name) => name.endsWith('.json'));
  if (names.length === 0) return { servers: [], inputs: [], source: undefined };
  const files = await Promise.all(names.toSorted().map((name) => readJson(folder, join(folder, FOLDER, name))));
  const inputs = files.filter(({ file }) => file.endsWith(`/${INPUTS}`) || file.endsWith(`\\${INPUTS}`));
  const given = inputs.flatMap(({ value }) => (Array.isArray(value) ? value : [])).filter(isRecord);
  const ids = new Set(given.map((input) => String(input.id)));
  const servers = Object.fromEntries(
    files
      .filter((file) => !inputs.includes(file))
      .map(({ file, value }) => {
        const name = file.slice(join(folder, FOLDER).length + 1, -'.json'.length);
        if (!isRecord(value) || (value.name ?? name) !== name)
          throw new Error(`${file}: expected one server with the name of the file`);
        return [name, withPrefix(value, ids, { file, id })];
      }),
  );
  const document = { servers, inputs: given.map((input) => ({ ...input, id: `${id}/${input.id}` })) };
  const { config, problems } = readConfig(JSON.stringify(document), { file: join(folder, FOLDER) });
  if (!config) throw new Error(problems.map(formatProblem).join('\n'));
  // One digest for all: without a file that was removed, the others may mean something else.
  const content = JSON.stringify(files.map(({ file, sha256 }) => [basename(file), sha256]));
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {
    servers: config.servers,
    inputs: config.inputs,
    source: { root: folder, files: [{ file: join(folder, FOLDER), sha256 }], discovered: true },
  };
}

async function readJson(folder: string, file: string) {
  const { text } = await readFileOf(folder, file).catch((error: Error) => {
    throw new Error(`${file} ${error.message}`, { cause: error });
  });
  return { file, sha256: createHash('sha256').update(text).digest('hex'), value: JSON.parse(text) as unknown };
}

/** An input of the user may be a secret: a plugin can use its own inputs only. */
function withPrefix(
  server: Record<string, unknown>,
  ids: ReadonlySet<string>,
  { file, id }: { readonly file: string; readonly id: string },
): unknown {
  return mapTexts(server, (text) =>
    replacePlaceholders(text, (whole, name) => {
      if (!name.startsWith('input:')) return whole;
      const input = name.slice('input:'.length);
      if (ids.has(input)) return `\${input:${id}/${input}}`;
      throw new Error(`${file}: the input "${oneLine(input)}" is not defined; define it in ${FOLDER}/${INPUTS}`);
    }),
  );
}

/** The MCP servers of enabled plugins, and those that are not trusted yet. */
export interface EnabledServers {
  readonly servers: readonly ServerConfig[];
  readonly inputs: readonly InputDefinition[];
  /** Plugins whose servers are left out until they are trusted. */
  readonly pending: readonly { readonly plugin: string; readonly servers: readonly string[] }[];
}

/**
 * Reads the MCP servers of enabled plugins. Those whose files are not trusted with their present content are pending,
 * unless `approveAll` is set. `warn` receives problems of single plugins, which hide no other.
 */
export async function enabledServers(
  home: string,
  enabled: readonly string[],
  options: { readonly approveAll: boolean; readonly warn: (message: string) => void; readonly store?: TrustStore },
): Promise<EnabledServers> {
  const { approveAll, warn, store = new TrustStore() } = options;
  const parts = await Promise.all(
    enabled.map(async (plugin): Promise<EnabledServers> => {
      try {
        const { folder } = await locatePlugin(home, parsePluginId(plugin));
        const { servers, inputs, source } = await pluginServers(plugin, folder);
        if (!source || approveAll || (await store.isTrusted(source))) return { servers, inputs, pending: [] };
        return { servers: [], inputs: [], pending: [{ plugin, servers: servers.map(({ name }) => name) }] };
      } catch (error) {
        warn(`the MCP servers of the plugin "${plugin}" are left out: ${(error as Error).message}`);
        return { servers: [], inputs: [], pending: [] };
      }
    }),
  );
  return {
    servers: parts.flatMap(({ servers }) => servers),
    inputs: parts.flatMap(({ inputs }) => inputs),
    pending: parts.flatMap(({ pending }) => pending),
  };
}
