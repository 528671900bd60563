import { isRecord, withoutNulls } from './json.js';

/** The metadata keys of results and tools on the wire. */
export const META_KEYS = {
  /** The merged `ToolMeta`: an object in results, JSON text in tool lists. */
  toolMeta: 'a2c_tool_meta',
  /** The output of the VRL script, as JSON text. */
  vrlTransformed: 'a2c_vrl_transformed',
  /** The MCP annotations of a tool, as JSON text. */
  toolAnnotation: 'MCP_TOOL_ANNOTATION',
  /** In tool lists: the name of the MCP server of a tool. An addition of a2c that other Computers do not send. */
  toolServer: 'a2c_server',
  /**
   * In the `_meta` of a server request of MCP 2025: its key in MCP 2026. Only there a request has a key, so that it
   * would be lost between two proxies.
   */
  inputKey: 'a2c_input_key',
  /** True in the result of a cancelled call. */
  cancelled: 'a2c_cancelled',
  cancelReason: 'a2c_cancel_reason',
  /** True in the result of a call that timed out. */
  timeout: 'a2c_timeout',
  /** The number of the error. For an MCP server that needs authorisation, `mcpServer` and `authHint` are set too. */
  errorCode: 'error_code',
  /** In the result of a call that was refused before the tool could answer: the error, as an `ErrorBody`. */
  error: 'a2c_error',
  /** In failed results, and in the details of errors: a `FailureReason`. */
  reason: 'a2c_reason',
  /** In failed results, also of tools, and in the details of errors: an `Execution`. */
  execution: 'a2c_execution',
  mcpServer: 'mcp_server',
  authHint: 'auth_hint',
  /** In the `_meta` of a content block, or of a result for its `structuredContent`: the handle of a blob to fetch. */
  blobHandle: 'a2c_blob_handle',
  totalSize: 'a2c_total_size',
  sha256: 'a2c_sha256',
} as const;

/** A copy of the metadata without the keys of a blob. */
export function withoutBlobKeys(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { [META_KEYS.blobHandle]: _handle, [META_KEYS.totalSize]: _size, [META_KEYS.sha256]: _sum, ...own } = meta;
  return own;
}

/** The settings of the Computer's owner for a tool. Additional keys are allowed and sent to Agents. */
export interface ToolMeta {
  /** Only the value `true` lets a call run without consent. */
  readonly auto_apply?: boolean | null;
  /** The name by which the tool is shown and called. */
  readonly alias?: string | null;
  readonly tags?: readonly string[] | null;
  /** A hint for user interfaces on how to map the fields of a result. It is sent to Agents and never executed. */
  readonly ret_object_mapper?: Readonly<Record<string, unknown>> | null;
  readonly [extra: string]: unknown;
}

/**
 * Merges the settings of a tool over the default of its MCP server, field by field. null means "not set" and does not
 * erase a default. Lists and objects are replaced as a whole. A default alias is ignored: all tools would get that
 * name.
 */
export function mergeToolMeta(
  fallback: ToolMeta | null | undefined,
  own: ToolMeta | null | undefined,
): ToolMeta | undefined {
  if (!fallback && !own) return undefined;
  const { alias: _sameForAll, ...defaults } = withoutNulls(fallback ?? {});
  return { ...defaults, ...withoutNulls(own ?? {}) };
}

/**
 * The tags that an MCP server declares for its tool, which is all it may declare: undefined when it declares nothing,
 * null when its declaration is malformed.
 */
export function declaredToolMeta(meta: Readonly<Record<string, unknown>> | undefined): ToolMeta | null | undefined {
  const declared = meta?.[META_KEYS.toolMeta];
  if (declared === undefined) return undefined;
  if (!isRecord(declared)) return null;
  const { tags } = declared;
  if (tags === undefined) return {};
  return Array.isArray(tags) && tags.every((tag) => typeof tag === 'string') ? { tags } : null;
}

/** Encodes `ToolMeta` for the wire: the four known fields are always present, null when not set. */
export function wireToolMeta(meta: ToolMeta): ToolMeta {
  return { auto_apply: null, alias: null, tags: null, ret_object_mapper: null, ...withoutNulls(meta) };
}
