import { wordsOf } from '../search/words.js';
import type { CallToolResult } from '../toolbox.js';
import { parseExactly } from './exact-json.js';

/** Tools that hand out documents: what they return is to be edited or quoted, so every character counts. */
const DOCUMENT_TOOL = new Set(wordsOf('read file cat content fetch download source raw document text readfile'));
const DOCUMENT_ARGUMENT = new Set(wordsOf('path file uri url document filename filepath'));

/** Parsing and comparing more than this would hold up everybody else; it is cut before anybody reads it. */
const MAX_LENGTH = 2 * 1024 * 1024;

/**
 * The data in a text block, when the text is nothing but a serialised object or array: JSON that loses nothing when parsed (no
 * 64-bit integers, no repeated keys) and that is not the contents of a file. In doubt it is no data, and stays as it is.
 */
export function dataIn(
  text: string,
  result: CallToolResult,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): object | undefined {
  const data = serialisedIn(text);
  if (data === undefined) return undefined;
  if (result.structuredContent !== undefined) return mirrors(result.structuredContent, data) ? data : undefined;
  return handsOutDocuments(tool, args) || /\n$/.test(text) ? undefined : data;
}

/** Whether a text says the same as a structure. The specification asks servers to repeat structured content as text. */
export function says(text: string, structured: unknown): boolean {
  const data = serialisedIn(text);
  return data !== undefined && mirrors(structured, data);
}

function serialisedIn(text: string): object | undefined {
  return text.length > MAX_LENGTH || !/^\s*[[{]/.test(text) ? undefined : parseExactly(text);
}

/** Some repeat only what stands inside `{result: …}`. */
function mirrors(structured: unknown, data: object): boolean {
  const text = JSON.stringify(data);
  const inner = (structured as { result?: unknown } | null)?.result;
  return JSON.stringify(structured) === text || (inner !== undefined && JSON.stringify(inner) === text);
}

function handsOutDocuments(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  return has(DOCUMENT_TOOL, tool) || Object.keys(args).some((name) => has(DOCUMENT_ARGUMENT, name));
}

const has = (words: ReadonlySet<string>, name: string): boolean => wordsOf(name).some((word) => words.has(word));
