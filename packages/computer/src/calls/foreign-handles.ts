import { type CallToolResult, META_KEYS, withoutBlobKeys } from '@a2c/protocol';

type Meta = Readonly<Record<string, unknown>> | undefined;

/**
 * Removes blob handles that an MCP server has put into its result: only the Computer issues handles, and an Agent would
 * try to fetch them here. Results without handles, nearly all, are returned unchanged.
 */
export function withoutForeignHandles(result: CallToolResult): CallToolResult {
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
