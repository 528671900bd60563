import { z } from 'zod';
import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import type { ProxySettings } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { checkSchema } from '../schemas/check-schema.js';
import { entriesOf } from './mcp-servers.js';
import { type ConfigParts, EMPTY_PARTS, type Reader, type ReaderContext } from './reader.js';
import { type EntryDialect, type RawEntry, readServerEntries } from './server-entry.js';

/** MCPX's `config.json`: servers as a map or a list, with the settings of the proxy in the same object. */
export const mcpxReader: Reader = { format: 'mcpx', jsonc: false, read };

const count = z.int().min(0, 'must be 0 or more');
const positive = z.int().min(1, 'must be 1 or more');
const patterns = z.array(z.string().min(1));
const toolset = z.strictObject({ allow: patterns.nullish(), deny: patterns.nullish(), pinned: patterns.nullish() });
const settings = z.looseObject({
  health_check_enabled: z.boolean().nullish(),
  health_check_interval: positive.nullish(),
  health_check_timeout: positive.nullish(),
  health_check_failure_threshold: positive.nullish(),
  toon_compression_enabled: z.boolean().nullish(),
  toon_compression_min_size: count.nullish(),
  schema_compression_enabled: z.boolean().nullish(),
  max_description_len: count.nullish(),
  include_structured_content: z.boolean().nullish(),
  allowed_tools: patterns.nullish(),
  denied_tools: patterns.nullish(),
  pinned_tools: patterns.nullish(),
  toolsets: z.record(z.string(), toolset).nullish(),
  disabled_tools: z.array(z.string().regex(/^[^.]+\..+$/, 'expected "server.tool"')).nullish(),
});

export const MCPX_SETTINGS: readonly string[] = Object.keys(settings.shape);
const ROOT_KEYS = ['mcpServers', 'servers', '$schema', ...MCPX_SETTINGS];

const dialect: EntryDialect = {
  lenient: true,
  /** As in MCPX, a path segment `sse` means the older SSE transport. */
  transportOfUrl: (url) => (/\/sse(?:$|[/?#])/.test(url) ? 'sse' : 'streamable_http'),
};

function read(value: JsonValue, context: ReaderContext): ConfigParts {
  const { problems } = context;
  const root = value as JsonObject;
  for (const key of Object.keys(root)) {
    if (!ROOT_KEYS.includes(key)) problems.unknownKey('warning', [key], ROOT_KEYS);
  }
  const proxy = checkSchema(settings, { problems, base: [], value });
  const field = root.mcpServers === undefined ? 'servers' : 'mcpServers';
  const entries = rawEntries(root[field] ?? {}, [field], context).map(withTransportOfUrl);
  const servers = readServerEntries(entries, context, dialect);
  if (!proxy) return EMPTY_PARTS;
  return {
    ...EMPTY_PARTS,
    servers: withoutDisabledTools(servers, proxy.disabled_tools ?? [], context),
    proxy: proxySettings(proxy),
  };
}

function rawEntries(servers: JsonValue, base: JsonPath, { problems }: ReaderContext): readonly RawEntry[] {
  if (isObject(servers)) return entriesOf(servers, base);
  if (!Array.isArray(servers)) {
    problems.error(base, 'expected a list or an object of servers');
    return [];
  }
  return servers.flatMap((entry, index): RawEntry[] => {
    const path = [...base, index];
    if (isObject(entry) && typeof entry.name === 'string') {
      const { name, ...value } = entry;
      return [{ name, value, path }];
    }
    problems.error(isObject(entry) ? [...path, 'name'] : path, 'a server in a list needs a "name"');
    return [];
  });
}

/** `"type": "http"` covers both HTTP transports in MCPX; the URL decides. */
function withTransportOfUrl(entry: RawEntry): RawEntry {
  const { value } = entry;
  if (!isObject(value) || value.type !== 'http' || typeof value.url !== 'string') return entry;
  return { ...entry, value: { ...value, type: dialect.transportOfUrl(value.url) } };
}

function withoutDisabledTools(
  servers: readonly ServerConfig[],
  disabled: readonly string[],
  { problems }: ReaderContext,
): readonly ServerConfig[] {
  disabled.forEach((entry, index) => {
    if (!servers.some(({ name }) => entry.startsWith(`${name}.`))) {
      problems.warn(['disabled_tools', index], 'no server of this file has this name');
    }
  });
  return servers.map((server) => ({
    ...server,
    forbidden_tools: disabled
      .filter((entry) => entry.startsWith(`${server.name}.`))
      .map((entry) => entry.slice(server.name.length + 1)),
  }));
}

function proxySettings(given: z.infer<typeof settings>): ProxySettings {
  return {
    health_check_enabled: given.health_check_enabled ?? null,
    health_check_interval: given.health_check_interval ?? null,
    health_check_timeout: given.health_check_timeout ?? null,
    health_check_failure_threshold: given.health_check_failure_threshold ?? null,
    toon_compression_enabled: given.toon_compression_enabled ?? null,
    toon_compression_min_size: given.toon_compression_min_size ?? null,
    schema_compression_enabled: given.schema_compression_enabled ?? null,
    max_description_len: given.max_description_len ?? null,
    include_structured_content: given.include_structured_content ?? null,
    allowed_tools: given.allowed_tools ?? null,
    denied_tools: given.denied_tools ?? null,
    pinned_tools: given.pinned_tools ?? null,
    toolsets: given.toolsets ?? null,
  };
}
