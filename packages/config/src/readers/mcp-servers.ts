import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { nearest } from '../problems.js';
import { FOREIGN_KEYS } from '../schemas/foreign-schema.js';
import { type ForeignDialect, readForeignServer } from './foreign-entry.js';
import { type ConfigParts, lastOfEach, NOTHING, type Reader, type ReaderContext } from './reader.js';

const dialect: ForeignDialect = { lenient: false, protocolOfUrl: () => 'streamable_http' };

/** `{"mcpServers": {…}}`: Claude Desktop, Cursor, plugin manifests. Other keys beside it belong to the tool. */
export const mcpServersReader: Reader = {
  format: 'mcpServers',
  jsonc: false,
  read(value, context) {
    const { mcpServers } = value as JsonObject;
    if (typeof mcpServers === 'string') {
      context.problems.error(['mcpServers'], 'a path can be followed only from a file');
      return NOTHING;
    }
    if (!isObject(mcpServers)) {
      context.problems.error(['mcpServers'], 'expected an object of servers, or the path of a file that holds them');
      return NOTHING;
    }
    return readServerMap(mcpServers, ['mcpServers'], context, dialect);
  },
};

/** A server under each key and nothing else: Claude Code. */
export const serverMapReader: Reader = {
  format: 'server-map',
  jsonc: false,
  read(value, context) {
    const { $schema: _forEditors, ...servers } = value as JsonObject;
    const misspelt = Object.entries(servers).find(([key, value]) => isMisspeltWrapper(key, value));
    if (!misspelt) return readServerMap(servers, [], context, dialect);
    context.problems.unknownKey('error', [misspelt[0]], ['mcpServers']);
    return NOTHING;
  },
};

/** `mcpServer`, `mcp_servers` and their like: a wrapper that would otherwise be taken for a server of that name. */
function isMisspeltWrapper(key: string, value: JsonValue): boolean {
  if (nearest(key, ['mcpServers']) === undefined || !isObject(value)) return false;
  return !Object.keys(value).some((field) => FOREIGN_KEYS.includes(field));
}

export function readServerMap(
  servers: JsonObject,
  base: JsonPath,
  context: ReaderContext,
  format: ForeignDialect,
): ConfigParts {
  const entries = Object.entries(servers).flatMap(([key, value]: [string, JsonValue]) => {
    const path = [...base, key];
    const item = readForeignServer(key, value, path, context, format);
    return item ? [{ key: item.name, path, item }] : [];
  });
  return { ...NOTHING, servers: lastOfEach(entries, context.problems, 'server') };
}
