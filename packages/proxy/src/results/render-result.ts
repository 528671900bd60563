import type { ProxyOptions } from '../options.js';
import type { CallToolResult, ContentBlock } from '../toolbox.js';
import { compress } from './compress.js';
import { cutLong, isText } from './cut-long.js';
import { dataIn, says } from './data-text.js';
import type { KeptTexts } from './kept-texts.js';

type RenderOptions = Pick<ProxyOptions, 'toonCompression' | 'toonMinSize' | 'structuredContent' | 'maxResultLength'>;

export interface RenderedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Said {
  readonly content: readonly ContentBlock[];
  /** What was turned into TOON, for programs. */
  readonly original?: unknown;
}

/** A tool's result for a model to read: data as short as it can be said, everything else as it came, nothing endless. */
export function renderResult(
  result: CallToolResult,
  call: RenderedCall,
  options: RenderOptions,
  kept: KeptTexts,
): CallToolResult {
  const { structuredContent, ...rest } = result;
  const { content, original }: Said =
    options.toonCompression && !result.isError ? inFewerWords(result, call, options) : result;
  const structure = options.structuredContent ? (structuredContent ?? original) : undefined;
  const json = structure === undefined ? '' : JSON.stringify(structure);
  const isLong = json.length > options.maxResultLength;
  // A structure too long to stand beside the text becomes part of it, unless the text says the same already.
  const isTold = () =>
    structuredContent === undefined || result.content.some((b) => isText(b) && says(b.text, structure));
  const all = isLong && !isTold() ? [...content, { type: 'text', text: `structuredContent: ${json}` }] : content;
  return {
    ...rest,
    content: cutLong(all, options.maxResultLength, kept),
    ...(structure !== undefined && !isLong && { structuredContent: structure }),
  };
}

function inFewerWords(result: CallToolResult, call: RenderedCall, { toonMinSize }: RenderOptions): Said {
  const originals: object[] = [];
  const content = result.content.map((block) => {
    if (!isText(block)) return block;
    const data = dataIn(block.text, result, call.tool, call.arguments);
    if (data === undefined) return block;
    const { text, format } = compress(data, toonMinSize);
    if (format === 'toon') originals.push(data);
    return { ...block, text };
  });
  if (originals.length === 0) return { content };
  return { content, original: { result: originals.length === 1 ? originals[0] : originals } };
}
