import { z } from 'zod';
import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import type { ProxySettings } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { check } from '../schemas/report-issues.js';
import { type ForeignDialect, readForeignServer } from './foreign-entry.js';
import { readServerMap } from './mcp-servers.js';
import { type ConfigParts, lastOfEach, NOTHING, type Reader, type ReaderContext } from './reader.js';

/** MCPX's `config.json`: servers as a map or a list, and the proxy's own settings beside them. */
export const mcpxReader: Reader = { format: 'mcpx', jsonc: false, read };

const count = z.int().min(0, 'must be 0 or more');
const settings = z.looseObject({
  health_check_enabled: z.boolean().nullish(),
  health_check_interval: count.nullish(),
  health_check_timeout: count.nullish(),
  health_check_failure_threshold: count.nullish(),
  toon_compression_enabled: z.boolean().nullish(),
  toon_compression_min_size: count.nullish(),
  schema_compression_enabled: z.boolean().nullish(),
  max_description_len: count.nullish(),
  include_structured_content: z.boolean().nullish(),
  disabled_tools: z.array(z.string().regex(/^[^.]+\..+$/, 'expected "server.tool"')).nullish(),
});

export const MCPX_SETTINGS: readonly string[] = Object.keys(settings.shape);
const ROOT_KEYS = ['mcpServers', 'servers', '$schema', ...MCPX_SETTINGS];

const dialect: ForeignDialect = {
  lenient: true,
  /** MCPX takes a path segment that begins with `sse` for the older protocol. */
  protocolOfUrl: (url) => (/\/sse(?:$|[/?#])/.test(url) ? 'sse' : 'streamable_http'),
};

function read(value: JsonValue, context: ReaderContext): ConfigParts {
  const { problems } = context;
  const root = value as JsonObject;
  for (const key of Object.keys(root)) {
    if (!ROOT_KEYS.includes(key)) problems.unknownKey('warning', [key], ROOT_KEYS);
  }
  const said = check(settings, { problems, base: [], value });
  const servers = readServers(root, context);
  if (!said) return NOTHING;
  return {
    ...NOTHING,
    servers: withoutDisabledTools(servers, said.disabled_tools ?? [], context),
    proxy: proxyOf(said),
  };
}

function readServers(root: JsonObject, context: ReaderContext): readonly ServerConfig[] {
  const field = root.mcpServers === undefined ? 'servers' : 'mcpServers';
  const servers = root[field] ?? {};
  if (isObject(servers)) return readServerMap(spelledOut(servers), [field], context, dialect).servers;
  if (Array.isArray(servers)) return readList(servers, [field], context);
  context.problems.error([field], 'expected a list or an object of servers');
  return [];
}

function readList(servers: readonly JsonValue[], base: JsonPath, context: ReaderContext): readonly ServerConfig[] {
  const entries = servers.flatMap((value, index) => {
    const path = [...base, index];
    if (!isObject(value) || typeof value.name !== 'string') {
      context.problems.error(isObject(value) ? [...path, 'name'] : path, 'a server in a list needs a "name"');
      return [];
    }
    const { name, ...entry } = value;
    const item = readForeignServer(name, impliedProtocol(entry), path, context, dialect);
    return item ? [{ key: item.name, path, item }] : [];
  });
  return lastOfEach(entries, context.problems, 'server');
}

function spelledOut(servers: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(servers).map(([name, entry]) => [name, impliedProtocol(entry)]));
}

/** `"type": "http"` covers both HTTP protocols here; the URL tells which. */
function impliedProtocol(entry: JsonValue): JsonValue {
  if (!isObject(entry) || entry.type !== 'http' || typeof entry.url !== 'string') return entry;
  return { ...entry, type: dialect.protocolOfUrl(entry.url) };
}

function withoutDisabledTools(
  servers: readonly ServerConfig[],
  disabled: readonly string[],
  { problems }: ReaderContext,
): readonly ServerConfig[] {
  disabled.forEach((entry, index) => {
    if (!servers.some(({ name }) => entry.startsWith(`${name}.`))) {
      problems.warn(['disabled_tools', index], 'names no server of this file');
    }
  });
  return servers.map((server) => ({
    ...server,
    forbidden_tools: disabled
      .filter((entry) => entry.startsWith(`${server.name}.`))
      .map((entry) => entry.slice(server.name.length + 1)),
  }));
}

function proxyOf(said: z.infer<typeof settings>): ProxySettings {
  return {
    health_check_enabled: said.health_check_enabled ?? null,
    health_check_interval: said.health_check_interval ?? null,
    health_check_timeout: said.health_check_timeout ?? null,
    health_check_failure_threshold: said.health_check_failure_threshold ?? null,
    toon_compression_enabled: said.toon_compression_enabled ?? null,
    toon_compression_min_size: said.toon_compression_min_size ?? null,
    schema_compression_enabled: said.schema_compression_enabled ?? null,
    max_description_len: said.max_description_len ?? null,
    include_structured_content: said.include_structured_content ?? null,
  };
}
