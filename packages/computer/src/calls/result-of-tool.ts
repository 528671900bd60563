import { type CallToolResult, type Execution, META_KEYS, withoutBlobKeys } from '@a2c/protocol';

type Meta = Readonly<Record<string, unknown>> | undefined;

/** The fields of a result in MCP. */
const FIELDS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/**
 * The result of a tool, without what would look like an answer of the Computer: fields that MCP does not define, in
 * which Agents read errors of the protocol, and blob handles. A failed one says that the tool has run, so that no Agent
 * concludes something else from its text.
 */
export function resultOfTool(result: CallToolResult): CallToolResult {
  const own = withoutForeignHandles(withFieldsOfMCP(result));
  if (own.isError !== true) return own;
  return { ...own, _meta: { ...own._meta, [META_KEYS.execution]: 'ran' satisfies Execution } };
}

function withFieldsOfMCP(result: CallToolResult): CallToolResult {
  if (Object.keys(result).every((field) => FIELDS.has(field))) return result;
  return Object.fromEntries(Object.entries(result).filter(([field]) => FIELDS.has(field))) as unknown as CallToolResult;
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
