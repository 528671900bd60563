import type { JsonObject } from '../json/json-value.js';
import type { Problem } from '../problems.js';
import type { ConfigFormat } from './formats.js';
import type { InputDefinition } from './input-definition.js';
import type { ServerConfig } from './server-config.js';

/** A configuration, independent of the file format. It is deeply frozen. */
export interface MCPConfig {
  readonly format: ConfigFormat;
  /** In the order of the file. */
  readonly servers: readonly ServerConfig[];
  readonly inputs: readonly InputDefinition[];
  readonly client: ClientConfig | null;
  readonly proxy: ProxySettings | null;
}

/** Overrides for the `initialize` request that is sent to MCP servers. */
export interface ClientConfig {
  readonly protocol_version: string | null;
  readonly capabilities: Readonly<JsonObject> | null;
  /** When set, even to an empty list, the roots capability is declared and `roots/list` is answered. */
  readonly roots: readonly Root[] | null;
}

/** A root that is offered to MCP servers. */
export interface Root {
  readonly uri: string;
  readonly name: string | null;
}

/** The proxy settings of an MCPX file; null means the default of the proxy. Intervals and timeouts are in seconds. */
export interface ProxySettings {
  readonly health_check_enabled: boolean | null;
  readonly health_check_interval: number | null;
  readonly health_check_timeout: number | null;
  readonly health_check_failure_threshold: number | null;
  readonly toon_compression_enabled: boolean | null;
  readonly toon_compression_min_size: number | null;
  readonly schema_compression_enabled: boolean | null;
  readonly max_description_len: number | null;
  readonly include_structured_content: boolean | null;
  /** Only these tools, as patterns `server` or `server/tool` with `*`. */
  readonly allowed_tools: readonly string[] | null;
  /** All tools except these. */
  readonly denied_tools: readonly string[] | null;
  /** Tools that clients see directly. */
  readonly pinned_tools: readonly string[] | null;
  /** Named selections of tools, by name. */
  readonly toolsets: Readonly<Record<string, Toolset>> | null;
}

/** A named selection of tools: patterns `server` or `server/tool` with `*`. */
export interface Toolset {
  readonly allow?: readonly string[] | null | undefined;
  readonly deny?: readonly string[] | null | undefined;
  readonly pinned?: readonly string[] | null | undefined;
}

/** The result of reading one text. */
export interface ReadResult {
  /** null when `problems` contains an error. */
  readonly config: MCPConfig | null;
  readonly problems: readonly Problem[];
}
