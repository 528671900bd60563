/** Result and tool metadata keys. Their spelling is the contract. */
export const META_KEYS = {
  /** Object in results, JSON text in tool lists: the merged `ToolMeta`. */
  toolMeta: 'a2c_tool_meta',
  /** JSON text: what a VRL script made of the result. */
  vrlTransformed: 'a2c_vrl_transformed',
  /** JSON text: the MCP annotations of a tool. */
  toolAnnotation: 'MCP_TOOL_ANNOTATION',
  /** In tool lists: the name of the MCP server a tool belongs to. Our own addition; other Computers do not tell. */
  toolServer: 'a2c_server',
  cancelled: 'a2c_cancelled',
  cancelReason: 'a2c_cancel_reason',
  timeout: 'a2c_timeout',
  /** Number, with the MCP server and a hint beside it: an upstream that wants authorisation. */
  errorCode: 'error_code',
  /** In failed results, and in the details of errors: a `FailureReason`. */
  reason: 'a2c_reason',
  mcpServer: 'mcp_server',
  authHint: 'auth_hint',
  /** In the `_meta` of a content block whose bytes must be pulled; in a result's own, for its `structuredContent` as JSON. */
  blobHandle: 'a2c_blob_handle',
  totalSize: 'a2c_total_size',
  sha256: 'a2c_sha256',
} as const;

/** Metadata that says nothing about parts to be pulled. */
export function withoutBlobKeys(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { [META_KEYS.blobHandle]: _handle, [META_KEYS.totalSize]: _size, [META_KEYS.sha256]: _sum, ...own } = meta;
  return own;
}

/** What the owner of a Computer says about a tool. Keys we do not define are the owner's and travel along. */
export interface ToolMeta {
  /** Only a literal `true` lets a call run without confirmation. */
  readonly auto_apply?: boolean | null;
  /** The name the tool is shown under. */
  readonly alias?: string | null;
  readonly tags?: readonly string[] | null;
  /** A hint for front ends how to map a result's fields; passed on, never executed. */
  readonly ret_object_mapper?: Readonly<Record<string, unknown>> | null;
  readonly [extra: string]: unknown;
}

/**
 * A tool's own entry over the server's default, field by field; null means unsaid and never erases a default. Lists and
 * objects replace, they do not merge. A default alias is ignored: every tool of the server would get the same name.
 */
export function mergeToolMeta(
  fallback: ToolMeta | null | undefined,
  own: ToolMeta | null | undefined,
): ToolMeta | undefined {
  if (!fallback && !own) return undefined;
  const { alias: _sameForAll, ...defaults } = said(fallback);
  return { ...defaults, ...said(own) };
}

function said(meta: ToolMeta | null | undefined): ToolMeta {
  return Object.fromEntries(Object.entries(meta ?? {}).filter(([, value]) => value !== null && value !== undefined));
}

/** `ToolMeta` as it stands on the wire: the four known fields always there, null where unsaid. */
export function wireToolMeta(meta: ToolMeta): ToolMeta {
  return { auto_apply: null, alias: null, tags: null, ret_object_mapper: null, ...said(meta) };
}
