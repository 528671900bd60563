import { deepFreeze, type JsonValue, toValue } from '../json/json-value.js';
import { type JsonNode, JsonSyntaxError, type ParsedJson, parseJson } from '../json/parse-json.js';
import { isStrict } from '../model/formats.js';
import type { ReadResult } from '../model/mcp-config.js';
import { ProblemList } from '../problems.js';
import { MAX_VRL_CHARACTERS } from '../schemas/a2c-schema.js';
import { detectFormat } from './detect-format.js';
import type { VrlCheck } from './reader.js';

/** Options of `readConfig`. */
export interface ReadOptions {
  /** The file name for problems and origins: the path of the file that the text was read from. */
  readonly file: string;
  /** Checks the VRL scripts of the servers; without it they are not checked. */
  readonly checkVrl?: VrlCheck;
}

/**
 * Reads a configuration text in any of the formats. It does not throw for invalid text, starts no program and opens no
 * file. `config` is null when `problems` contains an error.
 *
 * @example
 * ```ts
 * const { config, problems } = readConfig(text, { file: 'mcp.json' });
 * for (const problem of problems) console.error(formatProblem(problem));
 * ```
 */
export function readConfig(text: string, options: ReadOptions): ReadResult {
  const parsed = parseText(text, options.file);
  return parsed.ok ? readDocument(parsed.document, options) : { config: null, problems: parsed.problems.all };
}

export interface SourceDocument {
  readonly text: string;
  readonly root: JsonNode;
  readonly value: JsonValue;
  readonly extensionOffset: number | undefined;
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
  problems.checkKeys(strict ? 'error' : 'warning');
  if (!reader) return { config: null, problems: problems.all };
  if (document.extensionOffset !== undefined && !reader.jsonc) {
    const message = 'comments and trailing commas are not JSON';
    if (strict) problems.errorAtOffset(document.extensionOffset, message);
    else problems.warnAtOffset(document.extensionOffset, `${message}; other tools may reject this file`);
  }
  const { servers, ...rest } = reader.read(document.value, {
    problems,
    origin: { file, format: reader.format },
    checkVrl: checkVrl && firstScripts(checkVrl),
  });
  if (problems.hasErrors) return { config: null, problems: problems.all };
  // In the order of the file: of two tools with one name, that of the first server has it.
  return { config: deepFreeze({ format: reader.format, servers, ...rest }), problems: problems.all };
}

/**
 * Checks the scripts of a file until they have as many characters together as one may have: untrusted files are
 * read too. The others are compiled when their server starts.
 */
function firstScripts(check: VrlCheck): VrlCheck {
  let left = MAX_VRL_CHARACTERS;
  return (source) => {
    left -= source.length;
    return left < 0 ? null : check(source);
  };
}
