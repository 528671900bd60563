const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Emoji contain invisible joiners and selectors. */
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*/gu;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Characters that change the order of the text around them. */
const BIDIRECTIONAL = /\p{Bidi_Control}/u;
/** Formats, fillers, selectors, lone surrogates, private use and unassigned characters. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Co}\p{Cn}\u2800]/u;
/** Letters of these scripts look alike. Words of one script, side by side, are usual. */
const SCRIPTS = { Latin: /\p{Script=Latin}/u, Cyrillic: /\p{Script=Cyrillic}/u, Greek: /\p{Script=Greek}/u };
const WORD = /[\p{L}\p{M}]+/gu;

/**
 * What makes a name look like another name, or undefined: control, bidirectional and invisible characters, and letters
 * of scripts that look alike within one word. The text completes "must not …".
 *
 * @example
 * ```ts
 * import { deceptiveName } from '@a2c/protocol';
 *
 * console.log(deceptiveName('read\u200bfile')); // contain invisible characters (U+200B)
 * ```
 */
export function deceptiveName(name: string): string | undefined {
  if (PRINTABLE_ASCII.test(name)) return undefined;
  const text = name.replaceAll(EMOJI, '');
  const found = (what: string, pattern: RegExp) => {
    const [character] = pattern.exec(text) ?? [];
    return character === undefined ? undefined : `${what} (${codePoint(character)})`;
  };
  return (
    found('contain control characters', CONTROL) ??
    found('contain bidirectional characters', BIDIRECTIONAL) ??
    found('contain invisible characters', INVISIBLE) ??
    (text.match(WORD) ?? []).map(mixedScripts).find(Boolean)
  );
}

function mixedScripts(word: string): string | undefined {
  const scripts = Object.entries(SCRIPTS).flatMap(([script, letter]) => (letter.test(word) ? [script] : []));
  return scripts.length < 2 ? undefined : `mix ${scripts.join(' and ')} letters in one word ("${word}")`;
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
