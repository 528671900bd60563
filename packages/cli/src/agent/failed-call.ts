import { type CallToolResult, SMCPError } from '@a2c/agent';
import { META_KEYS } from '@a2c/protocol';
import { languageOf } from '../computer/shell/language.js';
import { inEnglish } from '../in-english.js';

/** What a failed result means and what to do, on one line; undefined when its own text says it. */
export function explanationOf({ content, _meta }: CallToolResult): string | undefined {
  const [english] = content.flatMap(({ text }) => explain(text) ?? []);
  const code = _meta?.[META_KEYS.errorCode];
  return english === undefined || code === undefined ? english : `${code} ${english}`;
}

/** The same for a call that was refused as a whole. */
export function inPlainWords(error: unknown): unknown {
  const english = error instanceof SMCPError ? explain(error.message) : undefined;
  if (english === undefined) return error;
  const { kind, details } = error as SMCPError;
  return new SMCPError(kind, english, { details, cause: error });
}

function explain(text: unknown): string | undefined {
  const english = inEnglish(text, languageOf(process.env));
  if (english === undefined) return undefined;
  const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(english)) ?? [];
  return remedy === undefined ? english : `${english}; ${remedy}`;
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/consent/, 'restart the Computer with --confirm allow'],
  [/timed out/, 'give it longer with --timeout'],
];
