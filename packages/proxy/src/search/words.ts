import { stem } from './stem.js';

/** Letters and digits of one kind of script. Cheaper than `WORD`, which then splits each run once. */
const RUN = /[a-z0-9]+|[^\0-\x7f]+/gi;
/** Runs of Chinese characters stay together; the vocabulary splits them into words. */
const WORD =
  /\p{Script=Han}+|(?:Git(?:Hub|Lab)|YouTube|(?:Type|Java)Script|OpenAPI|GraphQL|VoIP|(?:Postgre|My|No)SQL|MongoDB|OAuth|[Ii]OS|macOS|iP(?:hone|ad)|WhatsApp|LinkedIn|PayPal|DevOps|CircleCI|AppleScript|PowerPoint|DevTools|OneDrive|SharePoint|BigQuery|DynamoDB|CloudWatch|CloudFront|HubSpot|WordPress|ClickUp|DuckDuckGo|ChatGPT|OpenAI)(?!\p{Ll})|\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}|\d+/gu;
const HAN = /^\p{Script=Han}/u;
const LOWER_CASE = /^[a-z]+$/;

/** The words of runs seen before. Descriptions of tools repeat their words. */
const cache = new Map<string, readonly string[]>();
/** Bounds the memory of the cache. */
const MAX_CACHED = 20_000;
const MAX_CACHED_RUN = 100;
/** Longer texts are cut: no name or sentence is as long. */
const MAX_TEXT = 10_000;

/**
 * Splits text and identifiers into stemmed words: `readTextFiles` and "read text file" give the same. A run of Chinese
 * characters is one word.
 */
export function wordsOf(text: string): readonly string[] {
  if (text.length <= MAX_CACHED_RUN && LOWER_CASE.test(text)) return wordsOfRun(text);
  const runs = runsOf(text);
  return runs.length === 1 ? wordsOfRun(runs[0] as string) : runs.flatMap((run) => wordsOfRun(run));
}

/** The parts of a text that have letters and digits of one kind of script, without what is between them. */
export function runsOf(text: string): readonly string[] {
  return text.slice(0, MAX_TEXT).match(RUN) ?? [];
}

/** The words of a part of a text that has letters and digits of one kind of script. */
export function wordsOfRun(run: string): readonly string[] {
  let known = cache.get(run);
  if (!known) {
    known = LOWER_CASE.test(run) ? [stem(run)] : (run.match(WORD) ?? []).map((word) => stem(word.toLowerCase()));
    if (cache.size >= MAX_CACHED) cache.clear();
    if (run.length <= MAX_CACHED_RUN) cache.set(run, known);
  }
  return known;
}

/** Whether the word is a run of Chinese characters. */
export function isHan(word: string): boolean {
  return word.charCodeAt(0) > 0x7f && HAN.test(word);
}
