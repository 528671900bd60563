import { type CallToolResult, type ContentBlock, isRecord } from '@a2c/protocol';
import { encode } from '@toon-format/toon';
import type { ProxyOptions } from '../options.js';
import { wordsOf } from '../search/words.js';
import { compactJson, equalJson, isLongerThan, type JsonText, parseJsonText } from './json-text.js';
import { isText, type TruncatedTexts, truncate } from './truncate.js';

/** TOON is used below this share of the length of compact JSON: there it cost fewer tokens in each of 306 samples. */
const TOON_SHARE = 0.85;

/** Tools that return documents. Their text is to be edited or quoted, so it is never rewritten. */
const DOCUMENT_TOOL = new Set(wordsOf('read file cat content fetch download source raw document text readfile'));
const DOCUMENT_ARGUMENT = new Set(wordsOf('path file uri url document filename filepath'));

export interface RenderedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

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
  const { structuredContent, content, ...rest } = result;
  const isCompressed = options.toonCompression && !result.isError;
  const blocks = content.map(
    (block): RenderedBlock => (isCompressed ? compress(block, result, call, options) : { block }),
  );
  const structure = options.structuredContent ? (structuredContent ?? originalOf(blocks)) : undefined;
  const isLong = structure !== undefined && isLongerThan(options.maxResultLength, structure);
  const isMirrored = () =>
    blocks.some(
      ({ block, data }) => data ?? (!isCompressed && isText(block) && mirrorOf(block.text, structuredContent)),
    );
  const shown = blocks.map(({ block }) => block);
  // A structure that is too long becomes part of the text, where it can be truncated, unless the text has the same
  // content.
  if (isLong && structuredContent !== undefined && !isMirrored()) {
    shown.push({ type: 'text', text: `structuredContent: ${JSON.stringify(structure)}` });
  }
  return {
    ...rest,
    content: truncate(shown, options.maxResultLength, rests),
    ...(structure !== undefined && !isLong && { structuredContent: structure }),
  };
}

interface RenderedBlock {
  readonly block: ContentBlock;
  /** The data of a text block that was found to be data. */
  readonly data?: object;
  readonly isToon?: boolean;
}

function compress(
  block: ContentBlock,
  result: CallToolResult,
  call: RenderedCall,
  { toonMinSize }: RenderOptions,
): RenderedBlock {
  const parsed = isText(block) ? dataIn(block.text, result, call) : undefined;
  if (!parsed) return { block };
  const { data, compactLength } = parsed;
  const toon = sizeOf(data) < toonMinSize ? undefined : encodeToon(data);
  const isToon = toon !== undefined && toon.length < TOON_SHARE * compactLength;
  return { block: { ...block, text: isToon ? toon : compactJson(parsed) }, data, isToon };
}

/**
 * The data in a text. A text with other content than `structuredContent`, or from a tool that returns documents, is no
 * data.
 */
function dataIn(text: string, { structuredContent }: CallToolResult, call: RenderedCall): JsonText | undefined {
  if (structuredContent !== undefined) return mirrorOf(text, structuredContent);
  return text.endsWith('\n') || returnsDocuments(call) ? undefined : parseJsonText(text);
}

/**
 * The text as data, if it repeats the structured content, as MCP asks servers to do. Some repeat only the value of
 * `result`.
 */
function mirrorOf(text: string, structuredContent: unknown): JsonText | undefined {
  const parsed = parseJsonText(text);
  if (!parsed) return undefined;
  const inner = isRecord(structuredContent) ? structuredContent.result : undefined;
  return equalJson(structuredContent, parsed.data) || equalJson(inner, parsed.data) ? parsed : undefined;
}

/** The data that is shown as TOON, in the form of structured content. */
function originalOf(blocks: readonly RenderedBlock[]): object | undefined {
  const originals = blocks.filter(({ isToon }) => isToon).map(({ data }) => data);
  if (originals.length === 0) return undefined;
  return { result: originals.length === 1 ? originals[0] : originals };
}

function returnsDocuments({ tool, arguments: args }: RenderedCall): boolean {
  return hasWord(DOCUMENT_TOOL, tool) || Object.keys(args).some((name) => hasWord(DOCUMENT_ARGUMENT, name));
}

const hasWord = (words: ReadonlySet<string>, name: string): boolean => wordsOf(name).some((word) => words.has(word));

const sizeOf = (data: object): number => (Array.isArray(data) ? data.length : Object.keys(data).length);

/** Undefined for the rare JSON that TOON cannot express, such as a lone surrogate. */
function encodeToon(data: object): string | undefined {
  try {
    return encode(data);
  } catch {
    return undefined;
  }
}
