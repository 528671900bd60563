import { type CallToolResult, type Execution, META_KEYS, withoutBlobKeys } from '@a2c/protocol';

type Meta = Readonly<Record<string, unknown>> | undefined;

/** The fields of a result in MCP. */
const FIELDS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** The keys of `_meta` by which a Computer reports that a call has failed, or has not run. */
const REFUSAL_KEYS: ReadonlySet<string> = new Set([
  META_KEYS.error,
  META_KEYS.errorCode,
  META_KEYS.execution,
  META_KEYS.reason,
  META_KEYS.cancelled,
  META_KEYS.cancelReason,
  META_KEYS.timeout,
  META_KEYS.mcpServer,
  META_KEYS.authHint,
]);

/**
 * The result of a tool, without what would look like an answer of the Computer: fields that MCP does not define, in
 * which Agents read errors of the protocol, and blob handles. A failed one says that the tool has run, so that no Agent
 * concludes something else from its text.
 */
export function resultOfTool(result: CallToolResult): CallToolResult {
  const own = withoutRefusal(withoutForeignHandles(withFieldsOfMCP(result)));
  if (own.isError !== true) return own;
  return { ...own, _meta: { ...own._meta, [META_KEYS.execution]: 'ran' satisfies Execution } };
}

function withFieldsOfMCP(result: CallToolResult): CallToolResult {
  if (Object.keys(result).every((field) => FIELDS.has(field))) return result;
  return Object.fromEntries(Object.entries(result).filter(([field]) => FIELDS.has(field))) as unknown as CallToolResult;
}

/** The hub has removed these keys from what a server sent; nothing behind it may depend on that alone. */
function withoutRefusal(result: CallToolResult): CallToolResult {
  const keys = Object.keys(result._meta ?? {});
  if (!keys.some((key) => REFUSAL_KEYS.has(key))) return result;
  const kept = Object.entries(result._meta ?? {}).filter(([key]) => !REFUSAL_KEYS.has(key));
  return { ...result, _meta: Object.fromEntries(kept) };
}

/**
 * Removes blob handles that an MCP server has put into its result: only the Computer issues handles, and an Agent would
 * try to fetch them here. Results without handles, nearly all, are returned unchanged.
 */
function withoutForeignHandles(result: CallToolResult): CallToolResult {
  if (!hasHandle(result._meta) && !result.content.some(({ _meta }) => hasHandle(_meta as Meta))) return result;
  const content = result.content.map((block) =>
    hasHandle(block._meta as Meta)
      ? { ...block, _meta: withoutBlobKeys(block._meta as Record<string, unknown>) }
      : block,
  );
  return { ...result, content, ...(result._meta && { _meta: withoutBlobKeys(result._meta) }) };
}

function hasHandle(meta: Meta): boolean {
  return meta?.[META_KEYS.blobHandle] !== undefined;
}
