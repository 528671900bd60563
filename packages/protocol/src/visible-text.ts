/**
 * Control, bidirectional and invisible characters. Line ends, tabs, one variant selector after an emoji and joiners
 * between two emoji are harmless.
 */
const HIDDEN =
  /(?!\r\n|[\n\t]|(?=[\ufe0e\ufe0f])(?<=[\p{Emoji}\p{Extended_Pictographic}])|(?=\u200d\p{Extended_Pictographic})(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?))[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Writes characters that a person does not see as `\u202e`. Texts of tools, servers, Agents and files must not look
 * like other texts, or control a terminal. The escapes are those of JSON, so that JSON keeps its meaning.
 */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, escapeUnits);
}

/** As `visibleText`, and escapes line breaks and tabs too. */
export function oneLine(text: string): string {
  return visibleText(text).replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Removes the characters that `visibleText` escapes. */
export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, '');
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** As many equal blanks as the indentation of a text may have. More are counted. */
const LONGEST_RUN = 16;
/** Four or more line breaks. */
const EMPTY_LINES = /\n{4,}/g;
/** One blank, or several equal ones: all separators of Unicode. */
const BLANKS = /(\p{Zs})\1*/gu;

/**
 * A text as a person approves it: unusual blanks are codes, such as `\u00a0`, and long runs of blanks are counted, as
 * in `⟨1,900 × \u00a0⟩`. Blanks could move the rest of a text out of sight.
 */
export function reviewText(text: string): string {
  const lines = text.replaceAll(EMPTY_LINES, (run: string) => `\n⟨${run.length - 1} empty lines⟩\n`);
  return lines.replaceAll(BLANKS, (run: string) => {
    const [blank = ''] = run;
    const isUsual = blank === ' ';
    if (isUsual && run.length <= LONGEST_RUN) return run;
    const code = `\\u${blank.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return run.length > LONGEST_RUN ? `⟨${run.length.toLocaleString('en')} × ${code}⟩` : code.repeat(run.length);
  });
}
