/** Code points that terminals draw two cells wide: East Asian wide and full-width forms, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Combining marks and format characters, which take no cell. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const ASCII = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** The characters as a person sees them. The segmenter takes 30 ms to create, which most output does not need. */
function graphemes(text: string): Iterable<{ readonly segment: string }> {
  if (ASCII.test(text)) return Array.from(text, (segment) => ({ segment }));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** The number of terminal cells of a text without control characters. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes(text)) width += widthOf(segment);
  return width;
}

/** Cuts the text to at most `width` cells. The last cell of a cut text is an ellipsis. */
export function shortened(text: string, width: number): string {
  let kept = '';
  let used = 0;
  let roomForEllipsis = '';
  for (const { segment } of graphemes(text)) {
    used += widthOf(segment);
    if (used > width) return `${roomForEllipsis}…`;
    kept += segment;
    if (used < width) roomForEllipsis = kept;
  }
  return text;
}

/** Text in quotes with what follows it, a word, or the nothing between two blanks. */
const PART = /\(?"[^"\n]*"[^ ]*|[^ ]+|(?<=^| )(?= |$)/g;

const QUOTED = /"[^"\n]*"/g;

/** A quoted command of a2c stays in one piece, so that a terminal copies it as one. */
function isCommand(part: string): boolean {
  return /^\(?"/.test(part) && /\ba2c /.test(part);
}

function wordsOf(text: string): readonly string[] {
  return (text.match(PART) ?? []).flatMap((part) => (isCommand(part) ? part : part.split(' ')));
}

/** The parts of a word between which a line may end: Chinese and Japanese have no blanks, but closing punctuation. */
function unitsOf(word: string): readonly string[] {
  return WIDE.test(word) ? (word.match(UNIT) ?? []) : [word];
}

const UNIT = new RegExp(`(?:(?:(?!${WIDE.source}).)+|.)[，。、；：！？）】》”]*`, 'gsu');

/** Breaks the text into lines of at most `width` cells, between words where possible. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(text)) {
    let gap = line === '' ? '' : ' ';
    for (const unit of isCommand(word) ? [word] : unitsOf(word)) {
      if (displayWidth(line + gap + unit) <= width) {
        line += gap + unit;
        gap = '';
        continue;
      }
      if (line !== '') lines.push(line);
      line = '';
      gap = '';
      for (const { segment } of isCommand(word) ? [{ segment: word }] : graphemes(unit)) {
        if (displayWidth(line + segment) > width && line !== '') {
          lines.push(line);
          line = '';
        }
        line += segment;
      }
    }
  }
  return [...lines, line];
}

/**
 * Wraps the lines of a message between words. Lines with an `a2c` command that is not quoted stay whole, so that a
 * terminal copies the command in one piece, and so do indented lines.
 *
 * @param indent Precedes each further line. The caller writes something of the same width before the first one.
 */
export function wrappedMessage(text: string, width: number, indent = ''): string {
  const room = width - indent.length;
  const wrap = (line: string) =>
    /^\s|\ba2c /.test(line.replaceAll(QUOTED, '')) || displayWidth(line) <= room
      ? line
      : wrapped(line, room).join(`\n${indent}`);
  return text.split('\n').map(wrap).join('\n');
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function widthOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
