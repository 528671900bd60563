import type { JsonObject } from '@a2c/config';
import { type CallToolResult, type ContentBlock, isRecord, META_KEYS, wireToolMeta } from '@a2c/protocol';
import { compile, DEFAULT_TIMEOUT_MS, toJson, type VrlProgram } from '@a2c/vrl';
import type { AvailableTool } from '../tools/tool-table.js';

/** Reads the answer of `tools/call` and adds what the owner says about the tool. */
export function finishResult(answer: JsonObject, { meta }: AvailableTool): CallToolResult {
  const { content, isError, _meta, ...rest } = answer as Record<string, unknown>;
  // These two are ours to write: what a server says under our names would be taken for its owner's word.
  const { [META_KEYS.toolMeta]: said, [META_KEYS.vrlTransformed]: _forged, ...theirs } = isRecord(_meta) ? _meta : {};
  const metadata = meta
    ? { ...theirs, [META_KEYS.toolMeta]: { ...(isRecord(said) && said), ...wireToolMeta(meta) } }
    : theirs;
  return {
    ...rest,
    content: Array.isArray(content) ? content.map(readBlock) : [],
    ...(typeof isError === 'boolean' && { isError }),
    ...(Object.keys(metadata).length > 0 && { _meta: metadata }),
  };
}

/** Blocks stay as they are; a bare value is no block, and as text it is at least seen. */
function readBlock(block: unknown): ContentBlock {
  if (isRecord(block)) return block as ContentBlock;
  return { type: 'text', text: typeof block === 'string' ? block : JSON.stringify(block) };
}

/** The script of one server, compiled once. */
export class ResultTransformer {
  readonly #program: VrlProgram;

  constructor(source: string) {
    this.#program = compile(source);
  }

  /** The result with the script's view of it beside it. Throws when the script fails. */
  transform(result: CallToolResult, tool: string, parameters: JsonObject, remainingMs: number): CallToolResult {
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
    // A script runs on our only thread: it may use what is left of the call's time, but never much of everybody's.
    const timeoutMs = Math.min(Math.max(1, remainingMs), DEFAULT_TIMEOUT_MS);
    const { processedEvent } = this.#program.run(event, { timezone: localTimeZone(), timeoutMs });
    return { ...result, _meta: { ..._meta, [META_KEYS.vrlTransformed]: toJson(processedEvent) } };
  }
}

function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
