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
