const WORD = /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}|\d+/gu;

/** `readTextFiles` and "read text file" give the same words. A character of a script without spaces is a word. */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => stem(word.toLowerCase()));
}

/**
 * One form for all forms of an English word, not for reading: `files` and `file`, `queries` and `query`, `creating` and `create`,
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
