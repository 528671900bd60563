import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { mapTexts } from '../placeholders/syntax.js';
import type { ClientName } from './client-files.js';

/** A group of servers inside a client's file. */
export interface Section {
  readonly servers: JsonObject;
  readonly path: JsonPath;
  /** The project folder that these servers are configured for; null for all projects. */
  readonly project: string | null;
}

/** The groups of servers in a client's file. A file with other settings only has none. */
export function sectionsOf(client: ClientName, document: JsonValue): Section[] {
  if (!isObject(document)) return [];
  switch (client) {
    case 'claude-code':
      return [...at(document, ['mcpServers']), ...projectsOf(document), ...bareMap(document)];
    case 'vscode':
      return [...at(document, ['servers']), ...at(document, ['mcp', 'servers'])];
    case 'codex':
      return at(document, ['mcp_servers']);
    default:
      return at(document, ['mcpServers']);
  }
}

function at(document: JsonObject, path: readonly string[], project: string | null = null): Section[] {
  let value: JsonValue | undefined = document;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return isObject(value) ? [{ servers: value, path, project }] : [];
}

/** `~/.claude.json` also has a group of servers for each project. */
function projectsOf(document: JsonObject): Section[] {
  const { projects } = document;
  if (!isObject(projects)) return [];
  return Object.keys(projects).flatMap((project) => at(document, ['projects', project, 'mcpServers'], project));
}

/** `.mcp.json` may be the map of servers itself; then every entry has a command or a URL. */
function bareMap(document: JsonObject): Section[] {
  const { $schema: _forEditors, ...servers } = document;
  const entries = Object.values(servers);
  const isMap =
    entries.length > 0 && entries.every((entry) => isObject(entry) && ('command' in entry || 'url' in entry));
  return isMap ? [{ servers, path: [], project: null }] : [];
}

/** VS Code keeps inputs next to its servers. */
export function inputsOf(
  client: ClientName,
  document: JsonValue,
): { readonly items: JsonValue[]; readonly path: JsonPath } {
  if (client === 'vscode' && isObject(document)) {
    if (Array.isArray(document.inputs)) return { items: document.inputs, path: ['inputs'] };
    if (isObject(document.mcp) && Array.isArray(document.mcp.inputs)) {
      return { items: document.mcp.inputs, path: ['mcp', 'inputs'] };
    }
  }
  return { items: [], path: [] };
}

export interface CommonEntry {
  readonly entry: JsonObject;
  /** Tools that are disabled in the client. */
  readonly forbidden: readonly string[];
  /** The key of a list of the only tools that the client uses. a2c has no such list for a server. */
  readonly allowList?: string;
}

/** Translates the keys of one client to the keys that all clients share. */
export function toCommonEntry(client: ClientName, entry: JsonObject): CommonEntry {
  switch (client) {
    case 'windsurf': {
      const { serverUrl, disabledTools, ...rest } = entry;
      return { entry: { ...rest, ...defined({ url: rest.url ?? serverUrl }) }, forbidden: texts(disabledTools) };
    }
    case 'gemini': {
      const { httpUrl, excludeTools, includeTools, ...rest } = entry;
      // `url` without a type means SSE, `httpUrl` means Streamable HTTP.
      const type = rest.type ?? (httpUrl !== undefined ? 'http' : rest.url !== undefined ? 'sse' : undefined);
      const common = { ...rest, ...defined({ url: httpUrl ?? rest.url, type }) };
      return {
        entry: mapTexts(common, withBraces),
        forbidden: texts(excludeTools),
        ...(includeTools !== undefined && { allowList: 'includeTools' }),
      };
    }
    case 'codex': {
      const { env_vars, disabled_tools, enabled_tools, tool_timeout_sec, ...rest } = entry;
      const passed = (Array.isArray(env_vars) ? env_vars : []).map((item) =>
        isObject(item) ? (item.name ?? null) : item,
      );
      const env = {
        ...Object.fromEntries(texts(passed).map((name) => [name, `\${env:${name}}`])),
        ...record(rest.env),
      };
      return {
        entry: { ...rest, ...defined({ timeout: tool_timeout_sec }), ...(Object.keys(env).length > 0 && { env }) },
        forbidden: texts(disabled_tools),
        ...(enabled_tools !== undefined && { allowList: 'enabled_tools' }),
      };
    }
    default:
      return { entry, forbidden: [] };
  }
}

/** Keys of the clients that do not concern the connection to a server. */
export const IGNORED_CLIENT_KEYS = [
  ...['alwaysAllow', 'autoApprove', 'trust', 'gallery', 'dev', 'version', 'name', 'oauth', 'auth', 'authProviderType'],
  ...['startup_timeout_sec', 'startup_timeout_ms', 'experimental_environment', 'scopes', 'required', 'sandboxEnabled'],
];

function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function record(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Gemini also expands `$NAME` without braces. */
function withBraces(text: string): string {
  return text.replaceAll(/\$([A-Za-z_][A-Za-z0-9_]*)/g, '${$1}');
}
