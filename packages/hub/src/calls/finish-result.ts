import type { JsonObject } from '@a2c/config';
import { type CallToolResult, type ContentBlock, isRecord, META_KEYS, wireToolMeta } from '@a2c/protocol';
import { DEFAULT_TIMEOUT_MS } from '@a2c/vrl';
import type { Deadline } from '../deadline.js';
import type { AvailableTool } from '../tools/tool-table.js';
import { type CallerOptions, callerOf } from './call-options.js';
import type { ServerThreads } from './server-threads.js';
import type { Transformed } from './transform-event.js';

/** Keys that only a Computer writes: a server must not forge an error, a cancellation or the output of a script. */
const OWN_KEYS: ReadonlySet<string> = new Set(Object.values(META_KEYS));

/** Converts the answer of `tools/call` to a result and adds the owner's tool meta. The content is not copied. */
export function finishResult(answer: JsonObject, { meta }: AvailableTool): CallToolResult {
  const { content, isError, _meta } = answer as Record<string, unknown>;
  const isPlain = !meta && (isError === undefined || typeof isError === 'boolean') && isForeign(_meta);
  if (isPlain && Array.isArray(content) && content.every(isRecord)) {
    return answer as unknown as CallToolResult; // The usual answer: there is nothing to change.
  }
  const metadata = isRecord(_meta)
    ? Object.fromEntries(Object.entries(_meta).filter(([key]) => !OWN_KEYS.has(key)))
    : {};
  if (meta) {
    const own = isRecord(_meta) ? _meta[META_KEYS.toolMeta] : undefined;
    metadata[META_KEYS.toolMeta] = { ...(isRecord(own) && own), ...wireToolMeta(meta) };
  }
  const result: Record<string, unknown> = { ...answer };
  result.content = readContent(Array.isArray(content) ? content : content == null ? [] : [content]);
  if (isError !== undefined && typeof isError !== 'boolean') delete result.isError;
  if (Object.keys(metadata).length > 0) result._meta = metadata;
  else delete result._meta;
  return result as unknown as CallToolResult;
}

/** Whether `_meta` is absent, or has keys but none that only a Computer writes. */
function isForeign(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isRecord(meta)) return false;
  let hasKeys = false;
  for (const key in meta) {
    if (OWN_KEYS.has(key)) return false;
    hasKeys = true;
  }
  return hasKeys;
}

/** Some servers return bare values in place of content blocks; they become text blocks. */
function readContent(content: readonly unknown[]): readonly ContentBlock[] {
  if (content.every(isRecord)) return content as readonly ContentBlock[];
  return content.map((block) => {
    if (isRecord(block)) return block as ContentBlock;
    return { type: 'text', text: typeof block === 'string' ? block : JSON.stringify(block) };
  });
}

/**
 * Runs the VRL script of a server on a result, in a thread of the server: a hostile result may keep a script busy.
 * Returns the result with the output of the script in its `_meta`. Throws if the script fails.
 */
export async function transformResult(
  result: CallToolResult,
  { script, tool, parameters }: { readonly script: string; readonly tool: string; readonly parameters: JsonObject },
  threads: ServerThreads,
  options: CallerOptions,
  deadline: Deadline,
): Promise<CallToolResult> {
  const { content, isError, structuredContent, _meta, ...rest } = result;
  const event = {
    ...rest,
    meta: _meta ?? null,
    content,
    structuredContent: structuredContent ?? null,
    isError: isError === true,
    tool_name: tool,
    parameters,
  };
  const timeoutMs = Math.min(Math.max(1, deadline.remainingMs), DEFAULT_TIMEOUT_MS);
  const task = { kind: 'transform', script, event, timeoutMs } as const;
  const answer = await threads.run<Transformed>(callerOf(options), task, timeoutMs + GRACE_MS, deadline);
  if (answer === 'too-slow') throw new Error('it needed too much time or memory and was stopped');
  if ('problem' in answer) throw new Error(answer.problem);
  return { ...result, _meta: { ..._meta, [META_KEYS.vrlTransformed]: answer.output } };
}

/** The engine looks at the time between two steps of a script, and one step may take long. */
const GRACE_MS = 1_000;
