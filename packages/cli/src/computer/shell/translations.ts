import { COMMON_MESSAGES } from './common-translations.js';
import { COMPUTER_MESSAGES } from './computer-translations.js';
import { CONFIG_MESSAGES } from './config-translations.js';
import { HUB_MESSAGES } from './hub-translations.js';
import type { Language } from './language.js';
import { LIBRARY_MESSAGES } from './library-translations.js';
import { LOGIN_MESSAGES } from './login-translations.js';
import { SERVER_MESSAGES } from './server-translations.js';
import { START_MESSAGES } from './start-translations.js';

/** `{name}` stands for any text, which is translated too where a message contains another one. */
type Message = readonly [english: string, chinese: string];

/** Messages of the packages. Those of libraries are not in our sources. */
const OWN: readonly Message[] = [
  ...COMMON_MESSAGES,
  ...CONFIG_MESSAGES,
  ...COMPUTER_MESSAGES,
  ...HUB_MESSAGES,
  ...LOGIN_MESSAGES,
  ...SERVER_MESSAGES,
];

/** Names of placeholders that contain names, addresses or texts of others, which are shown as they are. */
const QUOTED: ReadonlySet<string> = new Set(
  'server tool name path file folder host url uri id key value values near command header variable line program prompt addressee holder office computer entry other word text token link owner plugin marketplace'.split(
    ' ',
  ),
);

/** Placeholders that contain several messages, and what separates them. */
const LISTS: Readonly<Record<string, readonly [english: string, chinese: string]>> = {
  problems: ['; ', '；'],
  findings: [' and ', '和'],
  scripts: [' and ', '、'],
  pids: [' and ', '、'],
  servers: [' and ', '、'],
  urls: [' and ', '、'],
};

/** Words of `describeStart`: those with blanks are JSON, so that they cannot look like a part of the message. */
const WORDS: ReadonlySet<string> = new Set(['paths', 'uses', 'options', 'value']);

const QUOTED_WORDS = String.raw`(?:"(?:[^"\\]|\\.)*"|[^"])*?`;

/** Placeholders at the beginning of a template whose other words are common. */
const FORMS: Readonly<Record<string, string>> = { entry: String.raw`\S+?`, option: '--[^:]+?' };

type Pattern = readonly [pattern: RegExp, chinese: string];

/** English with placeholders as a pattern. The whole message must match. */
function patternOf([english, chinese]: Message, words: ReadonlySet<string> = new Set()): Pattern {
  const source = english
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return `(?<${name}>${words.has(name) ? QUOTED_WORDS : (FORMS[name] ?? '[^]*?')})`;
    })
    .join('');
  return [new RegExp(`^${source}$`, 'u'), chinese];
}

/** Longer lines have texts of servers, and comparing them with all patterns would take time. */
const MAX_LINE = 4_000;

/** A message that another one ends: it would be a part of the last placeholder of other templates. */
const WRAPPED = '{problem}';

/** Those that end another message; then, the more of a message a template names, the better it fits. */
function specificFirst(messages: readonly Message[]): readonly Message[] {
  const named = ([english]: Message) =>
    english.replaceAll(/\{\w+\}/g, '').length + (english.startsWith(WRAPPED) ? MAX_LINE : 0);
  return messages.toSorted((a, b) => named(b) - named(a));
}

const PATTERNS = specificFirst([...OWN, ...LIBRARY_MESSAGES]).map((message) => patternOf(message));
const START_PATTERNS = specificFirst(START_MESSAGES).map((message) => patternOf(message, WORDS));

/** The English templates, for the test that compares them with the sources. */
export const TRANSLATED: readonly string[] = [...OWN, ...START_MESSAGES].map(([english]) => english);

/** How deeply one message may contain another. */
const MAX_DEPTH = 4;

/** The same for the place before a message, such as `file: key: `. */
const MAX_PREFIXED = 1_000;
const MAX_PREFIXES = 3;

/** Translates a message, line by line; a line that the catalogue does not have stays as it is. */
export function translateMessage(message: string, language: Language): string {
  if (language === 'en') return message;
  return message
    .split('\n')
    .map((line) => translateLine(line, 0))
    .join('\n');
}

/** Translates the mark of a2c at the beginning of a tool's description; the rest is a text of the server. */
export function translateMark(description: string, language: Language): string {
  return description.replace(/^\[a2c: (.*?)\]/, (_, notes: string) => `[a2c: ${translateMessage(notes, language)}]`);
}

/** Translates a line of `describeStart`. What it quotes stays as it is: it decides which code runs. */
export function translateStart(line: string, language: Language): string {
  if (language === 'en') return line;
  const part = (text: string): string => matched(text, START_PATTERNS, (inner) => inner) ?? text;
  return (
    matched(line, START_PATTERNS, (text, name) =>
      name === 'uses' ? unquotedParts(text).map(part).join('，') : text,
    ) ?? line
  );
}

/** Splits at `and`, but not in a word that is written as JSON. */
function unquotedParts(text: string): readonly string[] {
  const parts = text.matchAll(/((?:"(?:[^"\\]|\\.)*"|(?! and )[^"])+)(?: and |$)/gy);
  return Array.from(parts, ([, part = '']) => part);
}

function translateLine(line: string, depth: number): string {
  if (depth > MAX_DEPTH || line.length > MAX_LINE || !/[a-z]{2}/i.test(line)) return line;
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const text = line.slice(indent.length);
  return (
    indent + (matched(text, PATTERNS, (part, name) => translatePart(part, name, depth + 1)) ?? prefixed(text, depth))
  );
}

function translatePart(text: string, name: string, depth: number): string {
  if (QUOTED.has(name)) return text;
  const [separator = '', joined = ''] = LISTS[name] ?? [];
  const parts = separator === '' ? [] : text.split(separator);
  const translated = parts.map((part) => translateLine(part, depth));
  if (parts.length > 1 && translated.every((part, index) => part !== parts[index] || /^\w+$/.test(part)))
    return translated.join(joined);
  return text
    .split('\n')
    .map((line) => translateLine(line, depth))
    .join('\n');
}

/** A message after the place that it is about. */
function prefixed(text: string, depth: number): string {
  if (text.length > MAX_PREFIXED) return text;
  let at = -2;
  for (let count = 0; count < MAX_PREFIXES; count += 1) {
    at = text.indexOf(': ', at + 2);
    if (at < 0) break;
    const rest = text.slice(at + 2);
    const translated = matched(rest, PATTERNS, (part, name) => translatePart(part, name, depth + 1));
    if (translated !== undefined) return text.slice(0, at + 2) + translated;
  }
  return text;
}

/** The translation by the first pattern that matches; undefined if none does. */
function matched(
  text: string,
  patterns: readonly Pattern[],
  translate: (part: string, name: string) => string,
): string | undefined {
  let incomplete: string | undefined;
  for (const [pattern, chinese] of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    const { problem = '', ...groups } = match.groups ?? {};
    const inner = translate(problem, 'problem');
    const found = chinese.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'problem' ? inner : translate(groups[name] ?? '', name),
    );
    // Another template may have more of the message.
    if (problem === '' || inner !== problem) return found;
    incomplete ??= found;
  }
  return incomplete;
}
