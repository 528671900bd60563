import type { JsonPath, JsonValue } from '../json/json-value.js';
import type { ConfigFormat } from '../model/formats.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { Origin } from '../model/server-config.js';
import type { ProblemList } from '../problems.js';

/** Says what is wrong with a VRL program, or null. The language lives in another package; whoever has it plugs it in. */
export type VrlCheck = (source: string) => string | null;

export interface ReaderContext {
  readonly problems: ProblemList;
  readonly origin: Origin;
  readonly checkVrl: VrlCheck | undefined;
}

export type ConfigParts = Omit<MCPConfig, 'format'>;

/** Turns a parsed file into the parts of a model. Problems go to the context; a server with an error is left out. */
export interface Reader {
  readonly format: ConfigFormat;
  /** Whether comments and trailing commas are part of the format. */
  readonly jsonc: boolean;
  read(value: JsonValue, context: ReaderContext): ConfigParts;
}

export const NOTHING: ConfigParts = { servers: [], inputs: [], client: null, proxy: null };

/** Later definitions of the same name replace earlier ones, as adding a server twice does; nobody is left to guess. */
export function lastOfEach<T>(
  entries: readonly { readonly key: string; readonly path: JsonPath; readonly item: T }[],
  problems: ProblemList,
  noun: string,
): T[] {
  const byKey = new Map<string, T>();
  for (const { key, path, item } of entries) {
    if (byKey.has(key)) problems.warn(path, `another ${noun} of this name stands above; this one replaces it`);
    byKey.set(key, item);
  }
  return [...byKey.values()];
}
