/** Code points that terminals draw two cells wide: East Asian wide and full-width forms, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Marks that are drawn onto what stands before them. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many cells of a terminal a text without control characters takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

/** The text cut to at most `width` cells, an ellipsis in the last one where something is missing. */
export function shortened(text: string, width: number): string {
  let kept = '';
  let used = 0;
  let roomForEllipsis = '';
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > width) return `${roomForEllipsis}…`;
    kept += segment;
    if (used < width) roomForEllipsis = kept;
  }
  return text;
}

/** The text in lines of at most `width` cells, broken between words where that is possible. Nothing is left out. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const { segment } of segmenter.segment(word)) {
      if (displayWidth(line + segment) > width && line !== '') {
        lines.push(line);
        line = '';
      }
      line += segment;
    }
  }
  return [...lines, line];
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function widthOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
