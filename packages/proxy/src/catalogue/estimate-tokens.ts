const LONGEST_COMMON_WORD = 9;
const TOKENS_PER_RARE_PAIR = 0.85;
/** A line break and the indentation after it. */
const TOKENS_PER_LINE = 2;

/** Three digits, or the blank before digits, are one token; a blank before anything else is part of what follows. */
const PIECES =
  /(?<word>[A-Z]?[a-z]+|[A-Z]+)|(?<signs>[!-/:-@[-`{-~]+)|(?<line>\n)|\d{1,3}| (?=\d)|(?<foreign>[^\0-\x7f])/gu;

/** In widely used scripts a character is at most one token, in others each byte is one. */
const COMMON_SCRIPT =
  /[\p{P}\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Greek}\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Deva}\p{scx=Thai}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}]/u;

/** The letters that follow each letter in 97 % of all cases, in names and descriptions of public tools. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: 'bcdfgiklmnprstuvyz',
  b: 'aeilorsuy',
  c: 'acehiklortu',
  d: 'adeiors',
  e: 'abcdeflmnpqrstvwx',
  f: 'aeilory',
  g: 'einrsu',
  h: 'aeio',
  i: 'acdefglmnoprstv',
  j: 'es',
  k: 'es',
  l: 'adeilostuy',
  m: 'abeimop',
  n: 'acdefginostu',
  o: 'abcdfgjlmnoprstuvw',
  p: 'adehiloprstu',
  q: 'u',
  r: 'acdegikmnorstuvy',
  s: 'acehikopstuy',
  t: 'acehiorstuwy',
  u: 'bcdeilmnprst',
  v: 'aei',
  w: 'eios',
  x: 'it',
  y: 'n',
  z: 'u',
};

/** Of longer texts the beginning is counted, and the rest is assumed to be like it. */
const MAX_COUNTED = 200_000;

/**
 * Estimates the number of tokens of a text, rather too many than too few. A real tokenizer needs 66 MB and a third of a
 * second to start. On the catalogues of 40 public servers the estimate is 13 % above o200k. Stops where the
 * estimate exceeds `limit`.
 */
export function estimateTokens(text: string, limit = Number.POSITIVE_INFINITY): number {
  if (text.length > MAX_COUNTED) {
    return Math.ceil((estimateTokens(text.slice(0, MAX_COUNTED), limit) * text.length) / MAX_COUNTED);
  }
  let tokens = 0;
  for (const { 0: piece, groups = {} } of text.matchAll(PIECES)) {
    if (groups.word) tokens += wordTokens(piece);
    else if (groups.signs) tokens += Math.ceil(piece.length / 2);
    else if (groups.line) tokens += TOKENS_PER_LINE;
    else if (groups.foreign) tokens += COMMON_SCRIPT.test(piece) ? 1 : Buffer.byteLength(piece);
    else tokens += 1;
    if (tokens > limit) break;
  }
  return Math.ceil(tokens);
}

function wordTokens(word: string): number {
  return Math.max(word.length / LONGEST_COMMON_WORD, 1 + TOKENS_PER_RARE_PAIR * rarePairs(word));
}

/** Counts pairs of letters that are rare in words. A tokenizer splits a word at most of them. */
function rarePairs(word: string): number {
  const letters = word.toLowerCase();
  let rare = 0;
  for (let at = 1; at < letters.length; at++) {
    if (!FOLLOWERS[letters.charAt(at - 1)]?.includes(letters.charAt(at))) rare += 1;
  }
  return rare;
}
