/** What a text has besides our words: names in quotes, code, options, paths, addresses, variables. */
const OTHERS = [
  /"(?:[^"\\\n]|\\.)*"/g,
  /'[^'\s]*'/g,
  /`[^`\n]*`/g,
  /<[^<>\n]*>/g,
  /⟪⟫/g,
  /(?<![A-Za-z])-{1,2}[\w-]+/g,
  /[\w@.*-]*[\d_./\\@=$][^\s，；：（）]*/g,
];

const WORD = "[A-Za-z][a-z'’]+";
/** Three words in a row: fewer may be a name. Terms stay English in Chinese texts, but never three in a row. */
const SENTENCE = new RegExp(`(?<![\\p{L}\\p{N}])${WORD}(?:[,;:]? ${WORD}){2,}`, 'u');

/** The first English sentence of a line; undefined if it has none. */
export function englishIn(line: string): string | undefined {
  const words = OTHERS.reduce((rest, pattern) => rest.replaceAll(pattern, ' · '), line);
  return SENTENCE.exec(words)?.[0];
}
