import { VERSION } from '@a2c/hub';
import type { SandboxLimits } from '@a2c/sandbox';
import { PROXY_LIMITS, type ProxyLimits } from './limits.js';
import type { EmbeddingOptions } from './search/embeddings.js';
import type { ToolSelection } from './toolboxes/selected-toolbox.js';

/** The settings of a proxy. The key of each in MCPX's configuration file is in brackets. */
export interface ProxyOptions {
  /** The proxy's name in `serverInfo`. */
  readonly name: string;
  /** The proxy's version in `serverInfo`. */
  readonly version: string;
  /** Tokens the catalogue in the description of `inspect` may cost. */
  readonly catalogueTokens: number;
  /** Tokens one answer of `inspect` may cost; longer lists are split into pages. */
  readonly pageTokens: number;
  /** Show schemas as TypeScript instead of JSON Schema. (`schema_compression_enabled`) */
  readonly schemaCompression: boolean;
  /** Descriptions of parameters are cut at this many characters. (`max_description_len`) */
  readonly maxDescriptionLength: number;
  /** Show data as TOON where that is shorter than JSON. (`toon_compression_enabled`) */
  readonly toonCompression: boolean;
  /** Data with fewer entries stays JSON. (`toon_compression_min_size`) */
  readonly toonMinSize: number;
  /**
   * Add the uncompressed data as `structuredContent`, for programs. `auto` leaves it out for clients that are known to
   * show it to their model. (`include_structured_content`)
   */
  readonly structuredContent: boolean | 'auto';
  /** Results with more characters are truncated; `inspect` returns the rest. */
  readonly maxResultLength: number;
  /** Code mode: offer the tool `run`. `auto` offers it while the servers have ten tools or more. */
  readonly code: 'off' | 'on' | 'auto';
  /**
   * Ask no consent for tools that declare `readOnlyHint`, also with `auto_apply: false`. The declaration is the
   * server's own, so this is for servers that are trusted.
   */
  readonly trustReadOnly: boolean;
  /** Which tools clients see and can call. */
  readonly selection: ToolSelection;
  /** Tools that clients see directly beside `inspect` and `exec`, as patterns `server/tool`. */
  readonly pinned: readonly string[];
  /**
   * `two`: clients see `inspect`, `exec` and the pinned tools. `auto`: they see all tools directly while these cost
   * less than the two would.
   */
  readonly mode: 'two' | 'auto';
  /** Offer `query`, which is `exec` for tools that declare that they only read, so that clients can approve it. */
  readonly queryTool: boolean;
  /** An embeddings endpoint of the user's own, whose ranks are fused with those of the search. Absent: not used. */
  readonly embeddings?: EmbeddingOptions | undefined;
  /** The limits of code that differ from those of `@a2c/sandbox`. */
  readonly sandboxLimits: Partial<SandboxLimits>;
  readonly limits: ProxyLimits;
}

/** The default settings of a proxy. */
export const DEFAULT_OPTIONS: ProxyOptions = {
  name: 'a2c',
  version: VERSION,
  catalogueTokens: 2_000,
  pageTokens: 8_000,
  schemaCompression: true,
  maxDescriptionLength: 300,
  toonCompression: true,
  toonMinSize: 1,
  structuredContent: 'auto',
  maxResultLength: 60_000,
  code: 'off',
  trustReadOnly: false,
  selection: {},
  pinned: [],
  mode: 'two',
  queryTool: false,
  sandboxLimits: {},
  limits: PROXY_LIMITS,
};
