import { isObject, type JsonObject, type JsonValue } from '../json/json-value.js';
import type { ProblemList } from '../problems.js';
import { INPUT_TAGS } from '../schemas/input-schema.js';
import { a2cReader } from './a2c.js';
import { mcpServersReader, serverMapReader } from './mcp-servers.js';
import { MCPX_SETTINGS, mcpxReader } from './mcpx.js';
import type { Reader } from './reader.js';
import { A2C_KEYS } from './server-entry.js';
import { v1Reader } from './v1.js';
import { vscodeReader } from './vscode.js';

/**
 * Detects the format from the shape of the document; the file name is not used. `mcpServers` is checked first, because
 * tools write it next to keys of their own, `version` among them.
 */
export function detectFormat(value: JsonValue, problems: ProblemList): Reader | undefined {
  if (Array.isArray(value)) return a2cReader;
  if (!isObject(value)) {
    problems.error([], 'expected an object or a list');
    return undefined;
  }
  if (value.mcpServers !== undefined) return isMcpx(value, value.mcpServers) ? mcpxReader : mcpServersReader;
  if (typeof value.version === 'number') return v1Reader;
  if (value.servers !== undefined) return detectByServers(value, value.servers, problems);
  if (Array.isArray(value.inputs) || isA2cServer(value) || INPUT_TAGS.includes(String(value.type))) return a2cReader;
  const entries = Object.values(value).filter(isObject);
  return entries.length > 0 && entries.some(hasA2cFields) ? a2cReader : serverMapReader;
}

function isMcpx(root: JsonObject, servers: JsonValue): boolean {
  return Array.isArray(servers) || MCPX_SETTINGS.some((key) => root[key] !== undefined);
}

function detectByServers(root: JsonObject, servers: JsonValue, problems: ProblemList): Reader | undefined {
  if (MCPX_SETTINGS.some((key) => root[key] !== undefined)) return mcpxReader;
  if (Array.isArray(servers)) return a2cReader;
  const entries = isObject(servers) ? Object.values(servers).filter(isObject) : [];
  if (root.client !== undefined || root.version !== undefined || entries.some(hasV1Fields)) {
    problems.error(['version'], 'mcp.json v1 needs "version": 1', { allowed: ['1'] });
    return undefined;
  }
  return entries.some(hasA2cFields) ? a2cReader : vscodeReader;
}

/** In a map of servers every value is an object, so a text under `name` or `type` means a single server. */
function isA2cServer(value: JsonObject): boolean {
  return typeof value.name === 'string' || typeof value.type === 'string' || isObject(value.server_parameters);
}

function hasA2cFields(entry: JsonObject): boolean {
  return A2C_KEYS.some((key) => key in entry);
}

function hasV1Fields(entry: JsonObject): boolean {
  return ['transport', 'argv', 'unix_path'].some((key) => key in entry);
}
