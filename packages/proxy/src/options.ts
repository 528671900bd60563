import { VERSION } from '@a2c/hub';

/** How the proxy speaks. MCPX's configuration keys are in brackets. */
export interface ProxyOptions {
  /** How the proxy calls itself towards clients. */
  readonly name: string;
  readonly version: string;
  /** What the catalogue in `inspect`'s description may cost. */
  readonly catalogueTokens: number;
  /** What one answer of `inspect` may cost before it is split into pages. */
  readonly pageTokens: number;
  /** Schemas as TypeScript; else as JSON Schema. (`schema_compression_enabled`) */
  readonly schemaCompression: boolean;
  /** Descriptions of parameters are cut here. (`max_description_len`) */
  readonly maxDescriptionLength: number;
  /** Data as TOON where that is shorter. (`toon_compression_enabled`) */
  readonly toonCompression: boolean;
  /** Data with fewer entries stays JSON. (`toon_compression_min_size`) */
  readonly toonMinSize: number;
  /** The uncompressed original beside the text, for programs. (`include_structured_content`) */
  readonly structuredContent: boolean;
  /** Longer results are cut; the rest is kept to be read on. In characters. */
  readonly maxResultLength: number;
}

export const DEFAULT_OPTIONS: ProxyOptions = {
  name: 'a2c',
  version: VERSION,
  catalogueTokens: 2_000,
  pageTokens: 8_000,
  schemaCompression: true,
  maxDescriptionLength: 300,
  toonCompression: true,
  toonMinSize: 1,
  structuredContent: true,
  maxResultLength: 60_000,
};
