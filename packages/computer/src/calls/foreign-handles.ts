import { type CallToolResult, META_KEYS, withoutBlobKeys } from '@a2c/protocol';

type Meta = Readonly<Record<string, unknown>> | undefined;

/** Handles are ours to give: an Agent would come to us for those that an MCP server puts into its result. */
export function withoutForeignHandles(result: CallToolResult): CallToolResult {
  const isClean = !hasHandle(result._meta) && !result.content.some(({ _meta }) => hasHandle(_meta as Meta));
  if (isClean) return result; // nearly always, and results may be large
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
