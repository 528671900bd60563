import { stem } from './stem.js';

/** Letters and digits of one kind of script. Cheaper than `WORD`, which then splits each run once. */
const RUN = /[a-z0-9]+|[^\0-\x7f]+/gi;
/** Runs of Chinese characters stay together; the vocabulary splits them into words. */
const WORD =
  /\p{Script=Han}+|(?:Git(?:Hub|Lab)|YouTube|(?:Type|Java)Script|OpenAPI|GraphQL|VoIP|(?:Postgre|My|No)SQL|MongoDB|OAuth|[Ii]OS|macOS|iP(?:hone|ad)|WhatsApp|LinkedIn|PayPal|DevOps|CircleCI|AppleScript|PowerPoint|DevTools|OneDrive|SharePoint|BigQuery|DynamoDB|CloudWatch|CloudFront|HubSpot|WordPress|ClickUp|DuckDuckGo|ChatGPT|OpenAI)(?!\p{Ll})|\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}|\d+/gu;
const HAN = /^\p{Script=Han}/u;

/** The words of runs seen before. Descriptions of tools repeat their words. */
const cache = new Map<string, readonly string[]>();
/** Bounds the memory of the cache. */
const MAX_CACHED = 20_000;

/**
 * Splits text and identifiers into stemmed words: `readTextFiles` and "read text file" give the same. A run of Chinese
 * characters is one word.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const run of text.match(RUN) ?? []) {
    let known = cache.get(run);
    if (!known) {
      known = (run.match(WORD) ?? []).map((word) => stem(word.toLowerCase()));
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(run, known);
    }
    for (const word of known) words.push(word);
  }
  return words;
}

/** Whether the word is a run of Chinese characters. */
export function isHan(word: string): boolean {
  return HAN.test(word);
}
