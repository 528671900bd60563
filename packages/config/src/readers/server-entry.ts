import { isObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { buildServer, buildSse, buildStdio, buildStreamableHttp } from '../model/build-server.js';
import { toSeconds } from '../model/duration.js';
import type { OAuthSettings } from '../model/oauth-settings.js';
import type { ServerConfig, Transport, TransportType } from '../model/server-config.js';
import { nearest, type ProblemList } from '../problems.js';
import { checkSchema } from '../schemas/check-schema.js';
import {
  ENTRY_FIELD_OWNERS,
  ENTRY_KEYS,
  LENIENT_ENTRY_KEYS,
  lenientServerEntry,
  type ServerEntry,
  serverEntry,
} from '../schemas/entry-schema.js';
import { serverName, TOOL_META_KEYS } from '../schemas/field-schemas.js';
import { type LocatedEntry, type TransportOfUrl, transportOfEntry } from './entry-transport.js';
import { oauthOfEntry } from './oauth-entry.js';
import {
  checkHeaderSpelling,
  checkUrls,
  hasTooManyServers,
  type Located,
  lastOfEach,
  type ReaderContext,
} from './reader.js';

/** The differences between the formats that share this entry: mcpServers, VS Code, MCPX and the files of clients. */
export interface EntryDialect {
  /** Empty headers, and numbers and null in the environment, are allowed. */
  readonly lenient: boolean;
  /** The transport of a URL without a `type`. */
  readonly transportOfUrl: TransportOfUrl;
  /** Keys of the format that have no effect here and cause no warning. */
  readonly ignoredKeys?: readonly string[];
}

/** One server of a map or a list, before it is checked. */
export interface RawEntry {
  readonly name: string;
  readonly value: JsonValue;
  readonly path: JsonPath;
}

/** Keys that only the a2c format has. Ignoring `forbidden_tools` would allow what a person has forbidden. */
export const A2C_KEYS = ['server_parameters', 'forbidden_tools', 'tool_meta', 'default_tool_meta', 'vrl'];

/** Keys of files of other clients, which `a2c config import` reads. */
const KEYS_OF_CLIENTS: Readonly<Record<string, string>> = {
  serverUrl: 'write "url"; a2c can convert the files of Windsurf',
  httpUrl: 'write "url"; a2c can convert the files of Gemini CLI',
};

/** What to write in place of a key that belongs elsewhere. */
function hintFor(key: string, keys: readonly string[]): string | undefined {
  if (Object.hasOwn(KEYS_OF_CLIENTS, key)) return KEYS_OF_CLIENTS[key];
  if (nearest(key, keys) !== undefined) return undefined;
  const setting = nearest(key, TOOL_META_KEYS);
  return setting && `"${setting}" belongs to "tool_meta" or "default_tool_meta" of the a2c format`;
}

const PORTABLE_NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Reads the servers of a map or list; a server with an error is left out, after a repeated name the last one is kept.
 */
export function readServerEntries(
  entries: readonly RawEntry[],
  context: ReaderContext,
  dialect: EntryDialect,
): readonly ServerConfig[] {
  if (hasTooManyServers(entries.length, entries[0]?.path.slice(0, -1) ?? [], context.problems)) return [];
  const servers = entries.flatMap((entry): Located<ServerConfig>[] => {
    const item = readServerEntry(entry, context, dialect);
    return item ? [{ key: item.name, path: entry.path, item }] : [];
  });
  return lastOfEach(servers, context.problems, 'server');
}

export function readServerEntry(
  { name, value, path }: RawEntry,
  context: ReaderContext,
  dialect: EntryDialect,
): ServerConfig | undefined {
  const { problems, origin } = context;
  const checked = serverName.safeParse(name);
  if (!checked.success) problems.error(path, checked.error.issues[0]?.message ?? '');
  else if (!PORTABLE_NAME.test(name)) {
    problems.warn(path, 'this name works here, but mcp.json v1 permits only letters, digits, "_" and "-"');
  }
  const { ignoredKeys = [] } = dialect;
  const keys = dialect.lenient ? LENIENT_ENTRY_KEYS : ENTRY_KEYS;
  for (const unknown of Object.keys(isObject(value) ? value : {})) {
    if (keys.includes(unknown) || ignoredKeys.includes(unknown)) continue;
    if (A2C_KEYS.includes(unknown)) {
      const remedy = 'which has "servers" instead of "mcpServers", and a "type" for each server';
      problems.error([...path, unknown], `"${unknown}" belongs to the a2c format, ${remedy}`);
      continue;
    }
    const hint = hintFor(unknown, keys);
    if (hint) problems.warn([...path, unknown], `"${unknown}" is unknown and has no effect; ${hint}`);
    else problems.unknownKey('warning', [...path, unknown], keys);
  }
  const entry = checkSchema(dialect.lenient ? lenientServerEntry : serverEntry, { problems, base: path, value }) as
    | ServerEntry
    | undefined;
  if (!entry || !isObject(value)) return undefined;
  const type = transportOfEntry({ entry: value, path }, problems, dialect.transportOfUrl);
  if (!type || !hasFieldsOf(type, { entry: value, path }, problems)) return undefined;
  return buildServer({
    name,
    transport: buildTransport(type, {
      ...entry,
      ...(dialect.lenient && { sandbox: null }),
      oauth: oauthOfEntry(value, path, problems),
    }),
    disabled: entry.disabled === true || entry.enabled === false,
    timeouts: { timeout: entry.timeout == null ? null : timeoutSeconds(entry.timeout) },
    start_timeout: entry.start_timeout == null ? null : toSeconds(entry.start_timeout),
    connections: entry.connections,
    pins: entry.pins,
    origin,
  });
}

type ReadEntry = Omit<ServerEntry, 'oauth'> & { readonly oauth: OAuthSettings | undefined };

/** Reports fields of other transports and missing fields of this one. */
function hasFieldsOf(type: TransportType, { entry, path }: LocatedEntry, problems: ProblemList): boolean {
  let ok = true;
  const reject = (at: JsonPath, message: string) => {
    problems.error(at, message);
    ok = false;
  };
  const family = type === 'stdio' || type === 'unix' ? type : 'http';
  for (const [owner, { fields, maps }] of Object.entries(ENTRY_FIELD_OWNERS)) {
    if (owner === family) continue;
    const misplaced = [
      ...fields.filter((field) => entry[field] != null),
      ...maps.filter((map) => hasEntries(entry[map])),
    ];
    for (const field of misplaced)
      reject([...path, field], `"${field}" belongs to ${owner} servers; this one is ${type}`);
  }
  if (type === 'stdio' && entry.command == null && entry.argv == null) reject(path, '"command" is missing');
  if (type === 'unix' && entry.unix_path == null) reject(path, '"unix_path" is missing');
  if (type === 'sse' && entry.url == null) reject(path, '"url" is missing');
  if (type === 'streamable_http') checkUrls(entry, path, problems);
  checkHeaderSpelling(entry, path, problems);
  return ok;
}

function hasEntries(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

function buildTransport(type: TransportType, entry: ReadEntry): Transport {
  const http_headers = texts(entry.http_headers ?? entry.headers);
  const url = entry.url ?? entry.http_url ?? '';
  switch (type) {
    case 'stdio':
      return buildStdio({
        ...entry,
        argv: argvOf(entry),
        env: { ...texts(entry.env), ...entry.environment },
        env_file: entry.envFile,
        inherit_env: entry.inherit_env ?? false,
      });
    case 'unix':
      return { type, unix_path: entry.unix_path ?? '' };
    case 'streamable_http':
      return buildStreamableHttp({ ...entry, url, http_headers });
    case 'sse':
      return buildSse({ ...entry, url, http_headers });
  }
}

/** `argv`, or otherwise `command` (a text or a list) with `args`. Texts are not split at spaces. */
function argvOf({ argv, command, args }: ReadEntry): [string, ...string[]] {
  const program = Array.isArray(command) ? command : [command ?? ''];
  return (argv ?? [...program, ...(args ?? [])]) as [string, ...string[]];
}

/** Converts numbers to text and leaves out null. */
function texts(map: Readonly<Record<string, string | number | null>> | null | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
  );
}

/** Some tools write `timeout` in seconds, others in milliseconds. A number from here on is taken as milliseconds. */
const LOWEST_MILLISECONDS = 1000;

function timeoutSeconds(timeout: number | string): number {
  const seconds = toSeconds(timeout);
  return typeof timeout === 'number' && seconds >= LOWEST_MILLISECONDS ? seconds / 1000 : seconds;
}
