import type { z } from 'zod';
import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { buildServer, buildSse, buildStdio, buildStreamableHttp } from '../model/build-server.js';
import { toSeconds } from '../model/duration.js';
import type { OAuthSettings } from '../model/oauth-settings.js';
import type { ServerConfig, ToolMeta, Transport, TransportType } from '../model/server-config.js';
import { nearest, type ProblemList } from '../problems.js';
import { A2C_TYPES, a2cContainer, a2cFlat, a2cFlatInMap, a2cNested, a2cNestedInMap } from '../schemas/a2c-schema.js';
import { checkSchema } from '../schemas/check-schema.js';
import { serverName, TOOL_META_KEYS } from '../schemas/field-schemas.js';
import { looksLikeInput, readInput, readInputs } from './a2c-inputs.js';
import {
  type ConfigParts,
  EMPTY_PARTS,
  hasTooManyServers,
  type Located,
  lastOfEach,
  type Reader,
  type ReaderContext,
} from './reader.js';

/**
 * A2C servers and inputs: one object, a list, or an object that holds both. Our own format: unknown keys are errors.
 */
export const a2cReader: Reader = { format: 'a2c', jsonc: false, read };

type RawServer = z.infer<typeof a2cNestedInMap> | z.infer<typeof a2cFlatInMap>;

/** A server of a document. `key` is its key in a map of servers; undefined in a list. */
interface RawEntry {
  readonly value: JsonValue;
  readonly path: JsonPath;
  readonly key?: string;
}

function read(value: JsonValue, context: ReaderContext): ConfigParts {
  const { problems } = context;
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(looksLikeInput))
      return { ...EMPTY_PARTS, inputs: readInputs(value, [], problems) };
    return { ...EMPTY_PARTS, servers: readServers(value, [], context) };
  }
  if (looksLikeInput(value)) {
    const input = readInput(value, [], problems);
    return { ...EMPTY_PARTS, inputs: input ? [input] : [] };
  }
  if (isObject(value) && (value.servers !== undefined || value.inputs !== undefined))
    return readContainer(value, context);
  if (isObject(value) && typeof value.name !== 'string' && typeof value.type !== 'string') {
    const { $schema: _forEditors, ...servers } = value;
    return { ...EMPTY_PARTS, servers: readServers(servers, [], context) };
  }
  const server = readServer({ value, path: [] }, context);
  return { ...EMPTY_PARTS, servers: server ? [server.item] : [] };
}

function readContainer(value: JsonObject, context: ReaderContext): ConfigParts {
  const container = checkSchema(a2cContainer, { problems: context.problems, base: [], value });
  if (!container) return EMPTY_PARTS;
  return {
    ...EMPTY_PARTS,
    servers: readServers((value.servers ?? []) as JsonValue[] | JsonObject, ['servers'], context),
    inputs: readInputs((value.inputs ?? []) as JsonValue[], ['inputs'], context.problems),
  };
}

function readServers(servers: JsonValue[] | JsonObject, base: JsonPath, context: ReaderContext): ServerConfig[] {
  const entries: RawEntry[] = Array.isArray(servers)
    ? servers.map((value, index) => ({ value, path: [...base, index] }))
    : Object.entries(servers).map(([key, value]) => ({ value, path: [...base, key], key }));
  if (hasTooManyServers(entries.length, base, context.problems)) return [];
  const read = entries.map((entry) => readServer(entry, context)).filter((server) => server !== undefined);
  const kept = lastOfEach(read, context.problems, 'server');
  checkBundleIds(read, new Set(kept), context.problems);
  return kept;
}

function checkBundleIds(
  located: readonly Located<ServerConfig>[],
  kept: ReadonlySet<ServerConfig>,
  problems: ProblemList,
): void {
  const owners = new Map<string, string>();
  for (const { item, path } of located) {
    if (item.bundle_id === undefined || !kept.has(item)) continue;
    const owner = owners.get(item.bundle_id);
    if (owner !== undefined) problems.error([...path, 'bundle_id'], `server "${owner}" has the same bundle id`);
    else owners.set(item.bundle_id, item.name);
  }
}

function readServer({ value, path, key }: RawEntry, context: ReaderContext): Located<ServerConfig> | undefined {
  const { problems, origin, checkVrl } = context;
  const nested = isObject(value) && value.server_parameters !== undefined;
  const schema = key === undefined ? (nested ? a2cNested : a2cFlat) : nested ? a2cNestedInMap : a2cFlatInMap;
  const raw = checkSchema(schema, { problems, base: path, value }) as RawServer | undefined;
  if (!raw) return undefined;
  const name = raw.name ?? key ?? '';
  if (key !== undefined && name !== key) {
    problems.error([...path, 'name'], 'the name differs from the key of the entry');
  } else if (raw.name === undefined) {
    const checked = serverName.safeParse(name);
    if (!checked.success) problems.error(path, checked.error.issues[0]?.message ?? '');
  }
  const vrlProblem = raw.vrl ? checkVrl?.(raw.vrl) : null;
  if (vrlProblem) problems.error([...path, 'vrl'], vrlProblem);
  checkToolMeta(raw.default_tool_meta, [...path, 'default_tool_meta'], problems);
  for (const [tool, meta] of Object.entries(raw.tool_meta ?? {})) {
    checkToolMeta(meta, [...path, 'tool_meta', tool], problems);
  }
  if (raw.default_tool_meta?.alias) {
    problems.warn(
      [...path, 'default_tool_meta', 'alias'],
      'has no effect: all tools of the server would get the same name',
    );
  }
  const parameters = 'server_parameters' in raw ? raw.server_parameters : raw;
  const item = buildServer({
    ...raw,
    name,
    bundle_id: raw.bundle_id ?? raw.bundleId,
    transport: transportOf(raw.type, parameters),
    tool_meta: raw.tool_meta as Record<string, ToolMeta> | null | undefined,
    default_tool_meta: raw.default_tool_meta as ToolMeta | null | undefined,
    timeouts: 'timeout' in parameters || 'sse_read_timeout' in parameters ? timeoutsOf(parameters) : {},
    start_timeout: raw.start_timeout == null ? null : toSeconds(raw.start_timeout),
    origin,
  });
  return { key: name, path, item };
}

/**
 * Additional keys are passed on to Agents, but one that resembles a known key is a mistake: a misspelt `auto_apply:
 * false` would let a tool run without consent.
 */
function checkToolMeta(meta: object | null | undefined, path: JsonPath, problems: ProblemList): void {
  for (const key of Object.keys(meta ?? {})) {
    if (TOOL_META_KEYS.includes(key) || nearest(key, TOOL_META_KEYS) === undefined) continue;
    problems.unknownKey('error', [...path, key], TOOL_META_KEYS);
  }
}

/** The parameters of all transports. The schema has already checked which of them are present. */
interface Parameters {
  readonly command?: string;
  readonly args?: readonly string[] | null | undefined;
  readonly env?: Record<string, string> | null | undefined;
  readonly envFile?: string | null | undefined;
  readonly inherit_env?: boolean | null | undefined;
  readonly url?: string;
  readonly unix_path?: string;
  readonly headers?: Record<string, string | number | boolean | null> | null | undefined;
  readonly timeout?: number | string | null | undefined;
  readonly sse_read_timeout?: number | string | null | undefined;
  readonly oauth?: unknown;
}

function transportOf(type: string, parameters: Parameters): Transport {
  const { command = '', args, envFile, inherit_env, url = '', unix_path = '', headers } = parameters;
  const oauth = parameters.oauth as OAuthSettings | null | undefined;
  const http_headers = Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
  switch (transportType(type)) {
    case 'stdio':
      return buildStdio({
        ...parameters,
        argv: [command, ...(args ?? [])],
        env_file: envFile,
        inherit_env: inherit_env ?? false,
      });
    case 'unix':
      return { type: 'unix', unix_path };
    case 'sse':
      return buildSse({ ...parameters, url, http_headers, oauth });
    case 'streamable_http':
      return buildStreamableHttp({ ...parameters, url, http_headers, oauth });
  }
}

function transportType(type: string): TransportType {
  const [transport] =
    Object.entries(A2C_TYPES).find(([, spellings]) => (spellings as readonly string[]).includes(type)) ?? [];
  return transport as TransportType;
}

function timeoutsOf({ timeout, sse_read_timeout }: Parameters) {
  const seconds = (value: number | string | null | undefined) => (value == null ? null : toSeconds(value));
  return { timeout: seconds(timeout), sse_read_timeout: seconds(sse_read_timeout) };
}
