import { type CallToolResult, type ContentBlock, isRecord } from '@a2c/protocol';
import type { ProxyOptions } from '../options.js';
import { type RenderedCall, returnsDocument, returnsListing, textsOf } from './document-tools.js';
import { equalJson, isLongerThan, type JsonText, mayBeJson, ParseBudget, parseJsonText } from './json-text.js';
import { shortText } from './short-text.js';
import { isText, type TextBlock, type TruncatedTexts, truncate } from './truncate.js';

/**
 * So many blocks are compared with the structured content. Servers repeat it in the first one, and each comparison may
 * read all of it.
 */
const MAX_COMPARED = 8;

type RenderOptions = Pick<ProxyOptions, 'toonCompression' | 'toonMinSize' | 'structuredContent' | 'maxResultLength'>;

/**
 * Prepares the result of a tool for a model: data as TOON or compact JSON, everything else unchanged, long texts
 * truncated. A text is parsed at most once, and its data is written only in the form that is shown; `JsonText` carries
 * the text, the data and its length along.
 */
export function renderResult(
  result: CallToolResult,
  call: RenderedCall,
  options: RenderOptions,
  rests: TruncatedTexts,
): CallToolResult {
  if (isShortProse(result, options.maxResultLength)) return result;
  const { structuredContent, content, ...rest } = result;
  const isCompressed = options.toonCompression && !result.isError;
  const budget = new ParseBudget();
  const blocks = isCompressed
    ? compress(result, call, options, budget)
    : content.map((block): RenderedBlock => ({ block }));
  const structure = structuredContent ?? originalOf(blocks);
  const isLong = structure !== undefined && isLongerThan(options.maxResultLength, structure);
  const isShown = structure !== undefined && options.structuredContent && !isLong;
  const shown = blocks.map(({ block }) => block);
  // Structured content that is left out becomes part of the text, where it can be truncated, unless it is there.
  if (structuredContent !== undefined && !isShown && !isRepeated(structuredContent, blocks, budget)) {
    const json = JSON.stringify(structuredContent);
    const isShort = isCompressed && budget.allows(json);
    const text = isShort ? shortStructure(structuredContent, json, options) : json;
    shown.push({ type: 'text', text: shown.length === 0 ? text : `structuredContent: ${text}` });
  }
  return {
    ...rest,
    content: truncate(shown, options.maxResultLength, rests),
    ...(isShown && { structuredContent: structure }),
  };
}

/** The usual result of a small tool: a few texts that are no data. There is nothing to change. */
function isShortProse({ structuredContent, content }: CallToolResult, maxLength: number): boolean {
  if (structuredContent !== undefined) return false;
  let left = maxLength;
  for (const block of content) {
    if (!isText(block) || mayBeJson(block.text)) return false;
    left -= block.text.length;
  }
  return left >= 0;
}

interface RenderedBlock {
  readonly block: ContentBlock;
  /** The data of a text block that was found to be data. */
  readonly data?: object;
  readonly isToon?: boolean;
}

function compress(
  result: CallToolResult,
  call: RenderedCall,
  options: RenderOptions,
  budget: ParseBudget,
): readonly RenderedBlock[] {
  const { content } = result;
  const dataIn = dataFinder(result, call, budget);
  const parsed = content.map((block, index) => (isText(block) ? dataIn(block.text, index) : undefined));
  const joined = joinedItems(content, parsed);
  if (joined) return [rendered({ type: 'text', text: '' }, joined, options)];
  return content.map((block, index) => {
    const data = parsed[index];
    return data ? rendered(block as TextBlock, data, options) : { block };
  });
}

function rendered(block: TextBlock, parsed: JsonText, { toonMinSize }: RenderOptions): RenderedBlock {
  const { text, isToon } = shortText(parsed, toonMinSize);
  return { block: { ...block, text }, data: parsed.data, isToon };
}

/** One block per item of a list, as many servers send it, is one list. Blocks with annotations stay apart. */
function joinedItems(
  content: readonly ContentBlock[],
  parsed: readonly (JsonText | undefined)[],
): JsonText | undefined {
  const items = parsed.filter((one) => one !== undefined);
  if (items.length < 2 || items.length < content.length) return undefined;
  if (content.some((block) => Object.keys(block).length > 2)) return undefined;
  const commas = items.length - 1;
  const compactLength = items.reduce((sum, item) => sum + item.compactLength, 2 + commas);
  return { text: '', data: items.map(({ data }) => data), compactLength };
}

/** Finds the data in the texts of a result. A document, which is to be quoted or edited as it is, is no data. */
function dataFinder(
  { structuredContent }: CallToolResult,
  call: RenderedCall,
  budget: ParseBudget,
): (text: string, index: number) => JsonText | undefined {
  if (structuredContent === undefined) {
    let isDocument: boolean | undefined;
    return (text) => {
      if (!mayBeJson(text)) return undefined;
      isDocument ??= returnsDocument(call);
      return isDocument ? undefined : parseJsonText(text, budget);
    };
  }
  const isDocument = returnsDocument(call);
  const values = returnsListing(call) ? new Set() : textsOf(structuredContent);
  return (text, index) => {
    if (values.has(text) || (isDocument && index >= MAX_COMPARED)) return undefined;
    const parsed = parseJsonText(text, budget);
    return !parsed || !isDocument || repeats(structuredContent, parsed.data) ? parsed : undefined;
  };
}

/** Whether the text has the same data as the structured content, as MCP asks servers to send it. */
function isRepeated(structuredContent: unknown, blocks: readonly RenderedBlock[], budget: ParseBudget): boolean {
  return blocks.slice(0, MAX_COMPARED).some(({ block, data }) => {
    const shown = data ?? (isText(block) ? parseJsonText(block.text, budget)?.data : undefined);
    return shown !== undefined && repeats(structuredContent, shown);
  });
}

/** Equal, or one of them is wrapped in an object with a single key, such as `result`. */
function repeats(structuredContent: unknown, data: unknown): boolean {
  if (equalJson(structuredContent, data)) return true;
  return equalJson(onlyValue(structuredContent), data) || equalJson(structuredContent, onlyValue(data));
}

/** The value of an object with one key; a value that no JSON equals otherwise. */
function onlyValue(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const [only, ...others] = Object.values(value);
  return others.length === 0 ? only : undefined;
}

function shortStructure(structure: unknown, text: string, { toonMinSize }: RenderOptions): string {
  if (typeof structure !== 'object' || structure === null) return text;
  return shortText({ text, data: structure, compactLength: text.length }, toonMinSize).text;
}

/**
 * The data that is shown as TOON, in the form of structured content. Only if the data is all there is: clients that
 * prefer structured content would hide the other blocks.
 */
function originalOf(blocks: readonly RenderedBlock[]): object | undefined {
  const [only, ...others] = blocks;
  return others.length === 0 && only?.isToon ? { result: only.data } : undefined;
}
