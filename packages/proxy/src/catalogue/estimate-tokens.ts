import { oddPairs } from './letter-pairs.js';

const LONGEST_COMMON_WORD = 9;
const TOKENS_PER_ODD_PAIR = 0.85;
/** A line break and the indentation after it. */
const LINE = 2;

/** Three digits, or the blank before digits, are a token of their own; a blank before anything else is part of what follows. */
const PIECES =
  /(?<word>[A-Z]?[a-z]+|[A-Z]+)|(?<signs>[!-/:-@[-`{-~]+)|(?<line>\n)|\d{1,3}| (?=\d)|(?<foreign>[^\0-\x7f])/gu;

/** Of scripts with many readers a token holds a character or more, of others a byte. */
const COMMON_SCRIPT =
  /[\p{P}\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Greek}\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Deva}\p{scx=Thai}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}]/u;

/**
 * About how many tokens a text costs, rather too many than too few. A tokenizer would need 66 MB and a third of a second to start;
 * this needs nothing. Against o200k it is 13 % above on the catalogues of 40 public servers.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { 0: piece, groups = {} } of text.matchAll(PIECES)) {
    if (groups.word) tokens += wordTokens(piece);
    else if (groups.signs) tokens += Math.ceil(piece.length / 2);
    else if (groups.line) tokens += LINE;
    else if (groups.foreign) tokens += COMMON_SCRIPT.test(piece) ? 1 : Buffer.byteLength(piece);
    else tokens += 1;
  }
  return Math.ceil(tokens);
}

function wordTokens(word: string): number {
  return Math.max(word.length / LONGEST_COMMON_WORD, 1 + TOKENS_PER_ODD_PAIR * oddPairs(word));
}
