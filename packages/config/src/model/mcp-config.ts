import type { JsonObject } from '../json/json-value.js';
import type { Problem } from '../problems.js';
import type { ConfigFormat } from './formats.js';
import type { InputDefinition } from './input-definition.js';
import type { ServerConfig } from './server-config.js';

/** Everything one configuration says. Frozen to the bottom. */
export interface MCPConfig {
  readonly format: ConfigFormat;
  /** Ordered by name. */
  readonly servers: readonly ServerConfig[];
  readonly inputs: readonly InputDefinition[];
  readonly client: ClientConfig | null;
  readonly proxy: ProxySettings | null;
}

/** Overrides of what we say in MCP's `initialize`. */
export interface ClientConfig {
  readonly protocol_version: string | null;
  readonly capabilities: Readonly<JsonObject> | null;
  /** Given, even empty: the roots capability is declared and `roots/list` answered. */
  readonly roots: readonly Root[] | null;
}

export interface Root {
  readonly uri: string;
  readonly name: string | null;
}

/** What an MCPX file says about the proxy; null fields leave the proxy's default. */
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
}

/** The outcome of reading one text: a model unless there is an error, and everything there is to say about it. */
export interface ReadResult {
  readonly config: MCPConfig | null;
  readonly problems: readonly Problem[];
}
