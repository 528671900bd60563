import type { ProxyOptions } from '../options.js';
import type { CallResult, ContentBlock } from '../toolbox.js';
import { compress } from './compress.js';
import { dataIn } from './data-text.js';
import type { KeptTexts, Page } from './kept-texts.js';

type RenderOptions = Pick<ProxyOptions, 'toonCompression' | 'toonMinSize' | 'structuredContent' | 'maxResultLength'>;

export interface RenderedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A tool's result for a model to read: data as short as it can be said, everything else as it came, nothing endless. */
export function renderResult(
  result: CallResult,
  call: RenderedCall,
  options: RenderOptions,
  kept: KeptTexts,
): CallResult {
  const said = options.toonCompression && !result.isError ? inFewerWords(result, call, options) : result;
  const { structuredContent, ...rest } = cutLong(said, options, kept);
  return options.structuredContent && structuredContent !== undefined ? { ...rest, structuredContent } : rest;
}

function inFewerWords(result: CallResult, call: RenderedCall, { toonMinSize }: RenderOptions): CallResult {
  const originals: object[] = [];
  const content = result.content.map((block) => {
    if (!isText(block)) return block;
    const data = dataIn(block.text, result, call.tool, call.arguments);
    if (data === undefined) return block;
    const { text, format } = compress(data, toonMinSize);
    if (format === 'toon') originals.push(data);
    return { ...block, text };
  });
  if (originals.length === 0 || result.structuredContent !== undefined) return { ...result, content };
  // What was turned into TOON stays readable for programs.
  return { ...result, content, structuredContent: { result: originals.length === 1 ? originals[0] : originals } };
}

function cutLong(result: CallResult, { maxResultLength }: RenderOptions, kept: KeptTexts): CallResult {
  const content = result.content.flatMap((block) => (isText(block) ? cutText(block, kept) : [block]));
  if (result.structuredContent === undefined) return { ...result, content };
  const json = JSON.stringify(result.structuredContent);
  if (json.length <= maxResultLength) return { ...result, content };
  const { structuredContent: _left, ...rest } = result;
  // Where the text shows the same data, its handle is enough; else the structure gets one of its own.
  if (content.length > result.content.length) return { ...rest, content };
  const page = kept.begin(json);
  return { ...rest, content: [...content, { type: 'text', text: `structuredContent: ${page.text}` }, noteOf(page)] };
}

function cutText(block: TextBlock, kept: KeptTexts): ContentBlock[] {
  const page = kept.begin(block.text);
  return page.next === undefined ? [block] : [{ ...block, text: page.text }, noteOf(page)];
}

/** Says that something is missing and how to get it. */
export function noteOf({ from, to, total, next }: Page): TextBlock {
  const place = `Characters ${from + 1} to ${to} of ${total}.`;
  const text = next ? `[${place} Read on: inspect {"server_name": "*", "cursor": "${next}"}]` : `[${place} The end.]`;
  return { type: 'text', text };
}

interface TextBlock extends ContentBlock {
  readonly type: 'text';
  readonly text: string;
}

function isText(block: ContentBlock): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string';
}
