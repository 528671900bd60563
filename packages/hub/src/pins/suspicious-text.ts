import { isRecord, withoutHidden } from '@a2c/protocol';
import type { PinnedTool } from './pinned-tool.js';

/** Sequences that move the cursor or recolour a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
const ESCAPES = /(?:\u001b\[|\u009b)[0-9;?]*[a-z]|[\u001b\u009b]/gi;

/** How the notes of a2c begin that stand in front of descriptions. */
const MARKS = /\[\s*a2c\s*:/gi;

/** Text that addresses the model rather than describing a tool. Only forms that no honest description has. */
const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)?(?:previous|prior|above|earlier|other|system)\s+(?:instructions?|prompts?|rules|messages?)/i,
  /<\/?\s*(?:important|system|hidden)\s*>/i,
  /\b(?:do\s+not|don['’]t|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|show(?:ing)?|notify(?:ing)?|alert(?:ing)?)\b[^.\n]{0,40}\buser\b/i,
  /\b(?:before|after)\s+(?:using|calling|running)\s+(?:any|every|each|all)\s+(?:other\s+)?tools?\b[^.\n]{0,60}\b(?:read|send|call|include|pass)\b/i,
  /(?:read|send|pass|include|upload|cat)\b[^.\n]{0,60}(?:~\/\.ssh|id_rsa|\.aws\/credentials|\.env\b[^.\n]{0,20}\b(?:content|file)|private\s+key)[^.\n]{0,80}\b(?:parameter|argument|sidenote|side\s+note|field)/i,
  /\b(?:you\s+are\s+now|new\s+system\s+prompt|jailbreak)\b/i,
];

/** Longer texts, and more of them, are not searched for instructions: a stranger's text must cost little. */
const MAX_LENGTH = 20_000;
const MAX_TOTAL_LENGTH = 10 * MAX_LENGTH;

/** No pattern matches across it. */
const BETWEEN = '\n.\n';

/** What is suspicious in the texts of a tool, in words; empty if nothing is. */
export function findingsIn(tool: PinnedTool): readonly string[] {
  const texts = textsOf(tool);
  const all = texts.join(BETWEEN);
  const starts = texts.map((text) => text.slice(0, MAX_LENGTH)).join(BETWEEN);
  const searched = starts.slice(0, MAX_TOTAL_LENGTH);
  const plain = all.replaceAll(ESCAPES, '');
  return [
    withoutHidden(plain) !== plain && 'hidden characters',
    plain !== all && 'escape sequences',
    plain.search(MARKS) >= 0 && 'a mark like those of a2c',
    INSTRUCTIONS.some((pattern) => pattern.test(searched)) && 'instructions to the model',
  ].filter((finding) => finding !== false);
}

/** The text without hidden characters and escape sequences. */
export function readableText(text: string): string {
  return withoutHidden(text.replaceAll(ESCAPES, ''));
}

/** The readable text of a server; nothing in it looks like a note of a2c. */
export function readableTextOfServer(text: string): string {
  return readableText(text).replaceAll(MARKS, '[not from a2c:');
}

function textsOf(value: unknown, texts: string[] = []): readonly string[] {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) textsOf(item, texts);
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) {
      texts.push(key);
      textsOf(inner, texts);
    }
  }
  return texts;
}
