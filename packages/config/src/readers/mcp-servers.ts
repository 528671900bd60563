import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { nearest } from '../problems.js';
import { ENTRY_KEYS } from '../schemas/entry-schema.js';
import { EMPTY_PARTS, type Reader } from './reader.js';
import { type EntryDialect, type RawEntry, readServerEntries } from './server-entry.js';

const dialect: EntryDialect = { lenient: false, transportOfUrl: () => 'streamable_http' };

/** `{"mcpServers": {…}}`: Claude Desktop, Cursor, plugin manifests. Other keys of the file belong to the tool. */
export const mcpServersReader: Reader = {
  format: 'mcpServers',
  jsonc: false,
  read(value, context) {
    const { mcpServers } = value as JsonObject;
    if (typeof mcpServers === 'string') {
      context.problems.error(['mcpServers'], 'a path can be followed only from a file');
      return EMPTY_PARTS;
    }
    if (!isObject(mcpServers)) {
      context.problems.error(['mcpServers'], 'expected an object of servers, or the path of a file that holds them');
      return EMPTY_PARTS;
    }
    return { ...EMPTY_PARTS, servers: readServerEntries(entriesOf(mcpServers, ['mcpServers']), context, dialect) };
  },
};

/** A map of servers without a wrapper, as Claude Code writes it. */
export const serverMapReader: Reader = {
  format: 'server-map',
  jsonc: false,
  read(value, context) {
    const { $schema: _forEditors, ...servers } = value as JsonObject;
    if (typeof servers.command === 'string' || typeof servers.url === 'string') {
      context.problems.error([], 'this is one server without a name; write {"NAME": {…}}');
      return EMPTY_PARTS;
    }
    const misspelt = Object.entries(servers).find(([key, value]) => isMisspeltWrapper(key, value));
    if (!misspelt) return { ...EMPTY_PARTS, servers: readServerEntries(entriesOf(servers, []), context, dialect) };
    context.problems.unknownKey('error', [misspelt[0]], ['mcpServers']);
    return EMPTY_PARTS;
  },
};

/** Detects `mcpServer`, `mcp_servers` and similar keys, which would otherwise be read as a server of that name. */
function isMisspeltWrapper(key: string, value: JsonValue): boolean {
  if (nearest(key, ['mcpServers']) === undefined || !isObject(value)) return false;
  return !Object.keys(value).some((field) => ENTRY_KEYS.includes(field));
}

/** The entries of a map of servers whose path in the document is `base`. */
export function entriesOf(servers: JsonObject, base: JsonPath): RawEntry[] {
  return Object.entries(servers).map(([name, value]) => ({ name, value, path: [...base, name] }));
}
