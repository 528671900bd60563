import { isObject, type JsonObject, type JsonValue } from '../json/json-value.js';
import { buildServer, buildStdio, buildStreamableHttp } from '../model/build-server.js';
import type { ClientConfig } from '../model/mcp-config.js';
import type { OAuthSettings } from '../model/oauth-settings.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import type { ProblemList } from '../problems.js';
import { checkSchema } from '../schemas/check-schema.js';
import { V1_FIELD_OWNER, type V1File, type V1Server, v1File } from '../schemas/v1-schema.js';
import {
  type ConfigParts,
  checkHeaderSpelling,
  checkUrls,
  EMPTY_PARTS,
  hasTooManyServers,
  type Reader,
  type ReaderContext,
} from './reader.js';

/** The `mcp.json` of mcp-kit. One wrong server makes the whole file invalid. */
export const v1Reader: Reader = { format: 'v1', jsonc: false, read };

const MAP_FIELDS = ['env', 'http_headers', 'headers', 'env_http_headers'];

function read(value: JsonValue, { problems, origin }: ReaderContext): ConfigParts {
  const count = isObject(value) && isObject(value.servers) ? Object.keys(value.servers).length : 0;
  if (hasTooManyServers(count, ['servers'], problems)) return EMPTY_PARTS;
  const document = withoutNulls(value);
  checkAcrossFields(document, problems);
  const file = checkSchema(v1File, {
    problems,
    base: [],
    value: document,
    explainKey: ([top, name, field, ...deeper]) => {
      const known = top === 'servers' && deeper.length === 0 && Object.hasOwn(V1_FIELD_OWNER, String(field));
      const owner = known ? V1_FIELD_OWNER[String(field)] : undefined;
      return owner && `"${field}" belongs to transport ${owner}, which "${name}" does not have`;
    },
  });
  if (!file || problems.hasErrors) return EMPTY_PARTS;
  const servers = Object.entries(file.servers).map(
    ([name, server]): ServerConfig => buildServer({ name, transport: transportOf(server), origin }),
  );
  return { ...EMPTY_PARTS, servers, client: file.client ? clientOf(file.client) : null };
}

/** null means absent, except for maps, where the schema rejects it. */
function withoutNulls(value: JsonValue): JsonValue {
  if (!isObject(value) || !isObject(value.servers)) return value;
  const servers = Object.entries(value.servers).map(([name, server]) => [
    name,
    isObject(server)
      ? Object.fromEntries(
          Object.entries(server).filter(
            ([field, inner]) => inner !== null || MAP_FIELDS.includes(field) || !Object.hasOwn(V1_FIELD_OWNER, field),
          ),
        )
      : server,
  ]);
  return { ...value, servers: Object.fromEntries(servers) as JsonObject };
}

function checkAcrossFields(value: JsonValue, problems: ProblemList): void {
  if (!isObject(value) || !isObject(value.servers)) return;
  for (const [name, server] of Object.entries(value.servers)) {
    const path = ['servers', name];
    if (!isObject(server) || server.transport !== 'streamable_http') continue;
    checkUrls(server, path, problems);
    checkHeaderSpelling(server, path, problems);
  }
}

function transportOf(server: V1Server): Transport {
  switch (server.transport) {
    case 'stdio':
      return buildStdio({
        ...server,
        argv: server.argv as [string, ...string[]],
        inherit_env: server.inherit_env ?? false,
      });
    case 'unix':
      return { type: 'unix', unix_path: server.unix_path };
    case 'streamable_http':
      return buildStreamableHttp({
        ...server,
        url: server.url ?? server.http_url ?? '',
        http_headers: server.http_headers ?? server.headers,
        oauth: server.oauth as OAuthSettings | null | undefined,
      });
  }
}

function clientOf({ protocol_version, capabilities, roots }: NonNullable<V1File['client']>): ClientConfig {
  return {
    protocol_version: protocol_version ?? null,
    capabilities: (capabilities as JsonObject | undefined) ?? null,
    roots: roots?.map(({ uri, name }) => ({ uri, name: name ?? null })) ?? null,
  };
}
