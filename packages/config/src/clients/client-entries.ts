import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import type { ClientName } from './client-files.js';

/** A group of servers inside a client's file. */
export interface Section {
  readonly servers: JsonObject;
  readonly path: JsonPath;
  /** The project that the client keeps these servers for; null for all. */
  readonly project: string | null;
}

/** Where a client keeps servers inside its file. A file without any is no mistake: it holds other settings. */
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

/** `~/.claude.json` keeps servers also under each project they were added for. */
function projectsOf(document: JsonObject): Section[] {
  const { projects } = document;
  if (!isObject(projects)) return [];
  return Object.keys(projects).flatMap((project) => at(document, ['projects', project, 'mcpServers'], project));
}

/** `.mcp.json` may be the map alone; then every entry says how to reach a server. */
function bareMap(document: JsonObject): Section[] {
  const { $schema: _forEditors, ...servers } = document;
  const entries = Object.values(servers);
  const isMap =
    entries.length > 0 && entries.every((entry) => isObject(entry) && ('command' in entry || 'url' in entry));
  return isMap ? [{ servers, path: [], project: null }] : [];
}

/** VS Code's inputs stand beside its servers. */
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
  /** Tools that the client was told not to offer. */
  readonly forbidden: readonly string[];
}

/** A client's own spelling of an entry in the words that all of them share. */
export function toCommonEntry(client: ClientName, entry: JsonObject): CommonEntry {
  switch (client) {
    case 'windsurf': {
      const { serverUrl, disabledTools, ...rest } = entry;
      return { entry: { ...rest, ...said({ url: rest.url ?? serverUrl }) }, forbidden: texts(disabledTools) };
    }
    case 'gemini': {
      const { httpUrl, excludeTools, ...rest } = entry;
      // Its `url` alone means the older protocol, its `httpUrl` the newer one.
      const type = rest.type ?? (httpUrl !== undefined ? 'http' : rest.url !== undefined ? 'sse' : undefined);
      const common = { ...rest, ...said({ url: httpUrl ?? rest.url, type }) };
      return { entry: withShellVariables(common) as JsonObject, forbidden: texts(excludeTools) };
    }
    case 'codex': {
      const { env_vars, disabled_tools, tool_timeout_sec, ...rest } = entry;
      const passed = (Array.isArray(env_vars) ? env_vars : []).map((item) =>
        isObject(item) ? (item.name ?? null) : item,
      );
      const env = {
        ...Object.fromEntries(texts(passed).map((name) => [name, `\${env:${name}}`])),
        ...record(rest.env),
      };
      return {
        entry: { ...rest, ...said({ timeout: tool_timeout_sec }), ...(Object.keys(env).length > 0 && { env }) },
        forbidden: texts(disabled_tools),
      };
    }
    default:
      return { entry, forbidden: [] };
  }
}

/** Keys of the clients that say nothing about how to reach a server. */
export const KEYS_OF_CLIENTS = [
  ...['alwaysAllow', 'autoApprove', 'trust', 'gallery', 'dev', 'version', 'name', 'oauth', 'auth', 'authProviderType'],
  ...['startup_timeout_sec', 'startup_timeout_ms', 'experimental_environment', 'scopes', 'required', 'sandboxEnabled'],
];

function said(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function record(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Gemini also knows `$NAME` without braces. */
function withShellVariables(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll(/\$([A-Za-z_][A-Za-z0-9_]*)/g, '${$1}');
  if (Array.isArray(value)) return value.map(withShellVariables);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withShellVariables(inner)]));
}
