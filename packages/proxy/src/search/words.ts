const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}|\d+/gu;

/** Endings that make no difference when searching: `files` finds `file`, `listing` finds `list`. */
const ENDINGS = /(?:ies|ing|ers?|ed|es|s)$/;

/** `readTextFiles` and "read text file" give the same words. A character of a script without spaces is a word. */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => stem(word.toLowerCase()));
}

function stem(word: string): string {
  const short = word.replace(ENDINGS, '');
  return short.length >= 3 ? short : word;
}
