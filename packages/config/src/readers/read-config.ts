import { deepFreeze, type JsonValue, toValue } from '../json/json-value.js';
import { type JsonNode, JsonSyntaxError, type ParsedJson, parseJson } from '../json/parse-json.js';
import { isStrict } from '../model/formats.js';
import type { ReadResult } from '../model/mcp-config.js';
import { ProblemList } from '../problems.js';
import { detectFormat } from './detect-format.js';
import type { VrlCheck } from './reader.js';

export interface ReadOptions {
  /** The name problems and origins give the text; a path when it came from a file. */
  readonly file: string;
  readonly checkVrl?: VrlCheck;
}

/** Reads a text of any of the formats. Never throws for what the text says, starts nothing, opens nothing. */
export function readConfig(text: string, options: ReadOptions): ReadResult {
  const parsed = parseText(text, options.file);
  return parsed.ok ? readDocument(parsed.document, options) : { config: null, problems: parsed.problems.all };
}

export interface SourceDocument {
  readonly text: string;
  readonly root: JsonNode;
  readonly value: JsonValue;
  readonly beyondJson: number | undefined;
}

export type ParsedText =
  | { readonly ok: true; readonly document: SourceDocument }
  | { readonly ok: false; readonly problems: ProblemList };

export function parseText(text: string, file: string): ParsedText {
  let parsed: ParsedJson;
  try {
    parsed = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const problems = new ProblemList(file, text);
    problems.errorAtOffset(error.offset, `not JSON: ${error.message}`);
    return { ok: false, problems };
  }
  return { ok: true, document: { text, ...parsed, value: toValue(parsed.root) } };
}

export function readDocument(document: SourceDocument, { file, checkVrl }: ReadOptions): ReadResult {
  const problems = new ProblemList(file, document.text, document.root);
  const reader = detectFormat(document.value, problems);
  const strict = reader === undefined || isStrict(reader.format);
  problems.judgeKeys(strict ? 'error' : 'warning');
  if (!reader) return { config: null, problems: problems.all };
  if (document.beyondJson !== undefined && !reader.jsonc) {
    const message = 'comments and trailing commas are not JSON';
    if (strict) problems.errorAtOffset(document.beyondJson, message);
    else problems.warnAtOffset(document.beyondJson, `${message}; other tools may refuse this file`);
  }
  const { servers, ...rest } = reader.read(document.value, {
    problems,
    origin: { file, format: reader.format },
    checkVrl,
  });
  if (problems.hasErrors) return { config: null, problems: problems.all };
  const ordered = servers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { config: deepFreeze({ format: reader.format, servers: ordered, ...rest }), problems: problems.all };
}
