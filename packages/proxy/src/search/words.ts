const WORD = /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}|\d+/gu;

/**
 * Splits text and identifiers into stemmed words: `readTextFiles` and "read text file" give the same. In scripts
 * without spaces each character is a word.
 */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => stem(word.toLowerCase()));
}

/**
 * A common stem for the forms of an English word: `files` and `file`, `queries` and `query`, `creating` and `create`,
 * `addresses` and `address`, `running` and `run`.
 */
function stem(word: string): string {
  return word
    .replace(/(?<=..)(?<!u|ia)s$/, '') // not status, not alias
    .replace(/(?<=[aeiouy].*)(?:ing|(?<!e)ed)$/, '') // not string, not speed
    .replace(/(?<=..)e$/, '')
    .replace(/(?<=..)y$/, 'i')
    .replace(/([^aeiou\d])\1$/, '$1');
}
