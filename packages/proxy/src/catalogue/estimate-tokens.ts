/** A line break and the indentation after it. */
const LINE = 2;

const PIECES = /[A-Z]?[a-z]+|[A-Z]+|\d+|\n|[^\sA-Za-z\d]+/g;

/**
 * About how many tokens a text costs. A tokenizer would need 66 MB and a third of a second to start; this needs nothing. Against
 * o200k, on the catalogues of 40 public servers, it is 8 % above in total; for one server it is between 8 % below and 59 % above,
 * the latter for the shortest texts.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

function tokensOf(piece: string): number {
  if (piece === '\n') return LINE;
  const first = piece.charCodeAt(0);
  if (first >= 0x80) return piece.length; // scripts without spaces: at most a token per character
  if (isDigit(first)) return Math.ceil(piece.length / 3);
  return Math.ceil(piece.length / (isLetter(first) ? 9 : 4));
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
