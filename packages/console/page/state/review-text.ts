/** As many equal blanks as the indentation of a text may have. More are counted. */
const LONGEST_RUN = 16;
/** Arguments that nest deeper are not indented further, so that every line has room for its text. */
const DEEPEST_INDENT = 20;

/** One blank, or several equal ones: all separators of Unicode. */
const BLANKS = /(\p{Zs})\1*/gu;

/**
 * A text as a person approves it: unusual blanks are codes, such as `\u00a0`, and long runs of blanks are counted, as
 * in `⟨1,900 × \u00a0⟩`. Blanks could move the rest of a text out of sight.
 */
export function reviewText(text: string): string {
  return text.replaceAll(BLANKS, (run: string) => {
    const [blank = ''] = run;
    const isUsual = blank === ' ';
    if (isUsual && run.length <= LONGEST_RUN) return run;
    const code = `\\u${blank.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return run.length > LONGEST_RUN ? `⟨${run.length.toLocaleString('en')} × ${code}⟩` : code.repeat(run.length);
  });
}

/** All arguments of a call as JSON. Line breaks and tabs in its texts are escapes of JSON. */
export function reviewArguments(args: unknown): string {
  return JSON.stringify(args, null, 1)
    .split('\n')
    .map((line) => {
      const text = line.trimStart();
      return `${'  '.repeat(Math.min(line.length - text.length, DEEPEST_INDENT))}${reviewText(text)}`;
    })
    .join('\n');
}
