import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { buildServer, buildSse, buildStdio, buildStreamableHttp, inheritsByDefault } from '../model/build-server.js';
import { toSeconds } from '../model/duration.js';
import type { ServerConfig, Transport, TransportType } from '../model/server-config.js';
import {
  FOREIGN_FIELD_OWNERS,
  FOREIGN_KEYS,
  type ForeignEntry,
  foreignEntry,
  lenientEntry,
} from '../schemas/foreign-schema.js';
import { check } from '../schemas/report-issues.js';
import { transportOfEntry } from './foreign-transport.js';
import { judgeHeaderSpelling, judgeUrls } from './http-fields.js';
import type { ReaderContext } from './reader.js';

/** Where the formats that share this entry differ. */
export interface ForeignDialect {
  /** Empty and non-text environment values are part of the format. */
  readonly lenient: boolean;
  /** Which HTTP protocol a URL without a telling `type` speaks. */
  readonly protocolOfUrl: (url: string) => 'streamable_http' | 'sse';
  /** Keys of the format that mean nothing to us and are no mistake. */
  readonly ignoredKeys?: readonly string[];
}

const PORTABLE_NAME = /^[A-Za-z0-9_-]+$/;

export function readForeignServer(
  key: string,
  value: JsonValue,
  path: JsonPath,
  context: ReaderContext,
  dialect: ForeignDialect,
): ServerConfig | undefined {
  const { problems, origin } = context;
  const name = key.trim();
  if (name === '') problems.error(path, 'a server needs a name');
  else if (!PORTABLE_NAME.test(name)) {
    problems.warn(path, 'this name works here, but mcp.json v1 permits only letters, digits, "_" and "-"');
  }
  warnOfUnknownKeys(value, path, context, dialect);
  const entry = check(dialect.lenient ? lenientEntry : foreignEntry, { problems, base: path, value }) as
    | ForeignEntry
    | undefined;
  if (!entry || !isObject(value)) return undefined;
  const type = transportOfEntry(value, path, problems, dialect.protocolOfUrl);
  if (!type || !fieldsFit(type, value, path, context)) return undefined;
  return buildServer({
    name,
    transport: buildTransport(type, entry, context),
    disabled: entry.disabled === true || entry.enabled === false,
    timeouts: { timeout: entry.timeout == null ? null : timeoutSeconds(entry.timeout) },
    origin,
  });
}

function warnOfUnknownKeys(
  value: JsonValue,
  path: JsonPath,
  { problems }: ReaderContext,
  { ignoredKeys = [] }: ForeignDialect,
): void {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    if (FOREIGN_KEYS.includes(key) || ignoredKeys.includes(key)) continue;
    problems.unknownKey('warning', [...path, key], FOREIGN_KEYS);
  }
}

/** Every field that another transport owns is an error, and so is a missing one of its own. */
function fieldsFit(type: TransportType, entry: JsonObject, path: JsonPath, { problems }: ReaderContext): boolean {
  let fits = true;
  const refuse = (at: JsonPath, message: string) => {
    problems.error(at, message);
    fits = false;
  };
  const family = type === 'stdio' || type === 'unix' ? type : 'http';
  for (const [owner, { fields, maps }] of Object.entries(FOREIGN_FIELD_OWNERS)) {
    if (owner === family) continue;
    const foreign = [
      ...fields.filter((field) => entry[field] != null),
      ...maps.filter((map) => hasEntries(entry[map])),
    ];
    for (const field of foreign)
      refuse([...path, field], `"${field}" belongs to ${owner} servers; this one is ${type}`);
  }
  if (type === 'stdio' && entry.command == null && entry.argv == null) refuse(path, '"command" is missing');
  if (type === 'unix' && entry.unix_path == null) refuse(path, '"unix_path" is missing');
  if (type === 'sse' && entry.url == null) refuse(path, '"url" is missing');
  if (type === 'streamable_http') judgeUrls(entry, path, problems);
  judgeHeaderSpelling(entry, path, problems);
  return fits;
}

function hasEntries(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

function buildTransport(type: TransportType, entry: ForeignEntry, { origin }: ReaderContext): Transport {
  const http_headers = texts(entry.http_headers ?? entry.headers);
  const url = entry.url ?? entry.http_url ?? '';
  switch (type) {
    case 'stdio':
      return buildStdio({
        ...entry,
        argv: argvOf(entry),
        env: { ...texts(entry.env), ...entry.environment },
        env_file: entry.envFile,
        inherit_env: entry.inherit_env ?? inheritsByDefault(origin),
      });
    case 'unix':
      return { type, unix_path: entry.unix_path ?? '' };
    case 'streamable_http':
      return buildStreamableHttp({ ...entry, url, http_headers });
    case 'sse':
      return buildSse({ ...entry, url, http_headers });
  }
}

/** `argv` wins outright; else `command`, one word or several, and `args`. Nothing is split at blanks. */
function argvOf({ argv, command, args }: ForeignEntry): [string, ...string[]] {
  const program = Array.isArray(command) ? command : [command ?? ''];
  return (argv ?? [...program, ...(args ?? [])]) as [string, ...string[]];
}

/** Numbers become text; null means unset. */
function texts(map: Readonly<Record<string, string | number | null>> | null | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
  );
}

/** Some tools count `timeout` in seconds, others in milliseconds, and no server is given a quarter of an hour. */
const LOWEST_MILLISECONDS = 1000;

function timeoutSeconds(timeout: number | string): number {
  const seconds = toSeconds(timeout);
  return typeof timeout === 'number' && seconds >= LOWEST_MILLISECONDS ? seconds / 1000 : seconds;
}
