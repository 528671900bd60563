import { isRecord, jsonText } from './json.js';
import type { MetaScalar, SMCPTool } from './messages/answers.js';
import { declaredToolMeta, META_KEYS, mergeToolMeta, type ToolMeta, wireToolMeta } from './tool-meta.js';

/** The fields of an MCP tool that are sent to Agents. */
export interface MCPTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The name by which a tool is shown and called: its alias, or its own name. */
export function displayName(tool: { readonly name: string }, meta?: ToolMeta): string {
  return meta?.alias || tool.name;
}

/**
 * Encodes an MCP tool for `client:get_tools`. Metadata that is not a scalar becomes JSON text, because older peers
 * reject the whole list for one nested value.
 *
 * @param meta The merged settings of the owner.
 * @param server The name of the MCP server that the tool belongs to.
 */
export function toSMCPTool(tool: MCPTool, meta?: ToolMeta, server?: string): SMCPTool {
  const declared = declaredToolMeta(tool._meta);
  const settings = declared || meta ? mergeToolMeta(declared, meta) : undefined;
  const attributes = withoutProto(tool._meta ?? {});
  // Reserved keys: an MCP server sets tags, but not `auto_apply` for its own tools, and is no other server.
  delete attributes[META_KEYS.toolMeta];
  delete attributes[META_KEYS.toolAnnotation];
  delete attributes[META_KEYS.toolServer];
  if (settings) attributes[META_KEYS.toolMeta] = wireToolMeta(settings);
  if (tool.annotations) attributes[META_KEYS.toolAnnotation] = { ...NULL_ANNOTATIONS, ...tool.annotations };
  if (server !== undefined) attributes[META_KEYS.toolServer] = server;
  return {
    name: displayName(tool, meta),
    description: tool.description ?? '',
    params_schema: tool.inputSchema as Record<string, unknown>,
    return_schema: (tool.outputSchema as Record<string, unknown> | undefined) ?? null,
    meta: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, scalar(value)])),
  };
}

/** `JSON.parse` creates `__proto__` as an ordinary key; it must not be copied. */
function withoutProto(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== '__proto__'));
}

const NULL_ANNOTATIONS = {
  title: null,
  readOnlyHint: null,
  destructiveHint: null,
  idempotentHint: null,
  openWorldHint: null,
};

/** Returns scalars unchanged and everything else as JSON text. */
export function scalar(value: unknown): MetaScalar {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return jsonText(value);
}

/** Reads the owner's settings of a listed tool; `undefined` when they are absent or malformed. */
export function readToolMeta(tool: Pick<SMCPTool, 'meta'>): ToolMeta | undefined {
  return readJsonObject(tool.meta[META_KEYS.toolMeta]);
}

/** Reads the MCP annotations of a listed tool; `undefined` when they are absent or malformed. */
export function readToolAnnotations(tool: Pick<SMCPTool, 'meta'>): Record<string, unknown> | undefined {
  return readJsonObject(tool.meta[META_KEYS.toolAnnotation]);
}

/** Reads the name of the MCP server that a listed tool belongs to; `undefined` when the Computer does not send it. */
export function readToolServer({ meta }: Pick<SMCPTool, 'meta'>): string | undefined {
  const server = meta[META_KEYS.toolServer];
  return typeof server === 'string' && server !== '' ? server : undefined;
}

function readJsonObject(text: MetaScalar | undefined): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // The tool is usable without its metadata.
  }
}
