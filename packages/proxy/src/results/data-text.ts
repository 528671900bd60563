import type { CallResult } from '../toolbox.js';

/** Tools that hand out documents: what they return is to be edited or quoted, so every character counts. */
const DOCUMENT_TOOL = /read|file|cat|content|fetch|download|source|raw|document|page|get_text/i;
const DOCUMENT_ARGUMENT = /path|file|uri|url|document|page/i;

/** Parsing and comparing more than this would hold up everybody else; it is cut before anybody reads it. */
const MAX_LENGTH = 2 * 1024 * 1024;

/**
 * The data in a text block, when the text is nothing but a serialised object or array: JSON that loses nothing when parsed (no
 * 64-bit integers, no repeated keys) and that is not the contents of a file. In doubt it is no data, and stays as it is.
 */
export function dataIn(
  text: string,
  result: CallResult,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): object | undefined {
  if (text.length > MAX_LENGTH || !/^\s*[[{]/.test(text)) return undefined;
  const data = parseExactly(text);
  if (data === undefined) return undefined;
  if (result.structuredContent !== undefined) return mirrors(result.structuredContent, data) ? data : undefined;
  return handsOutDocuments(tool, args) || /\n$/.test(text) ? undefined : data;
}

function parseExactly(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isSame = typeof value === 'object' && value !== null && JSON.stringify(value) === withoutSpace(text);
    return isSame ? value : undefined;
  } catch {
    return undefined; // not JSON
  }
}

/** JSON without the white space between its tokens; strings are kept as they are. */
function withoutSpace(json: string): string {
  return json.replaceAll(/("(?:[^"\\]+|\\.)*")|\s+/g, (_match, quoted: string | undefined) => quoted ?? '');
}

/** The specification asks servers to repeat structured content as text, some inside `{result: …}`. */
function mirrors(structured: unknown, data: object): boolean {
  const text = JSON.stringify(data);
  const inner = (structured as { result?: unknown } | null)?.result;
  return JSON.stringify(structured) === text || (inner !== undefined && JSON.stringify(inner) === text);
}

function handsOutDocuments(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  return DOCUMENT_TOOL.test(tool) || Object.keys(args).some((name) => DOCUMENT_ARGUMENT.test(name));
}
