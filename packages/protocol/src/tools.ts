import { jsonText } from './limits.js';
import type { MetaScalar, SMCPTool } from './messages.js';
import { META_KEYS, type ToolMeta, wireToolMeta } from './tool-meta.js';

/** The part of an MCP tool this wire carries. */
export interface MCPTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The name a tool is shown and called by. */
export function displayName(tool: { readonly name: string }, meta?: ToolMeta): string {
  return meta?.alias || tool.name;
}

/**
 * An MCP tool as an Agent sees it. `meta` is the tool's merged `ToolMeta`, `server` the MCP server it belongs to. Whatever is not a scalar becomes JSON text:
 * older peers validate the values as scalars and answer nothing at all when one is not.
 */
export function toSMCPTool(tool: MCPTool, meta?: ToolMeta, server?: string): SMCPTool {
  const attributes = withoutProto(tool._meta ?? {});
  // These are ours to write: a server must not grant its own tools `auto_apply`, nor pass them off as another's.
  delete attributes[META_KEYS.toolMeta];
  delete attributes[META_KEYS.toolAnnotation];
  delete attributes[META_KEYS.toolServer];
  if (meta) attributes[META_KEYS.toolMeta] = wireToolMeta(meta);
  if (tool.annotations) attributes[META_KEYS.toolAnnotation] = { ...UNSAID_ANNOTATIONS, ...tool.annotations };
  if (server !== undefined) attributes[META_KEYS.toolServer] = server;
  return {
    name: displayName(tool, meta),
    description: tool.description ?? '',
    params_schema: tool.inputSchema as Record<string, unknown>,
    return_schema: (tool.outputSchema as Record<string, unknown> | undefined) ?? null,
    meta: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, scalar(value)])),
  };
}

/** After `JSON.parse` it is an own key like any other, and never a field. */
function withoutProto(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== '__proto__'));
}

const UNSAID_ANNOTATIONS = {
  title: null,
  readOnlyHint: null,
  destructiveHint: null,
  idempotentHint: null,
  openWorldHint: null,
};

/** Scalars as they are, everything else as JSON text. */
export function scalar(value: unknown): MetaScalar {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return jsonText(value);
}

/** The owner's metadata of a listed tool, read back from its JSON text; `undefined` when there is none or it is broken. */
export function readToolMeta(tool: Pick<SMCPTool, 'meta'>): ToolMeta | undefined {
  return readJsonObject(tool.meta[META_KEYS.toolMeta]);
}

/** The MCP annotations of a listed tool. */
export function readToolAnnotations(tool: Pick<SMCPTool, 'meta'>): Record<string, unknown> | undefined {
  return readJsonObject(tool.meta[META_KEYS.toolAnnotation]);
}

/** The MCP server a listed tool belongs to; `undefined` when its Computer does not tell. */
export function readToolServer({ meta }: Pick<SMCPTool, 'meta'>): string | undefined {
  const server = meta[META_KEYS.toolServer];
  return typeof server === 'string' && server !== '' ? server : undefined;
}

function readJsonObject(text: MetaScalar | undefined): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // Metadata is an ornament: a peer that writes it wrongly must not cost us its tool.
    return undefined;
  }
}
