import { visibleText } from '@a2c/protocol';
import { displayWidth, padded, shortened, wrapped } from './display-width.js';
import type { View } from './view.js';

const GAP = '  ';
/** The minimum width of a column, even if the table gets wider than the view. */
const MIN_WIDTH = 6;
/** The first column is wrapped only if the others would become narrower than this. */
const MIN_TEXT_WIDTH = 20;

type Fit = (cell: string, width: number) => readonly string[];

const cut: Fit = (cell, width) => [shortened(cell, width)];

/** Formats rows under headings with aligned columns, within the width of the view. Long cells are cut or wrapped. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  view: View,
  tooLong: 'cut' | 'wrap' = 'cut',
): string {
  const inLines = tooLong === 'cut' ? cut : wrapped;
  const cells = [headings, ...rows].map((row) => row.map((cell) => visibleText(cell).replaceAll(/\s+/g, ' ').trim()));
  const natural = headings.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))));
  const widths = shrunk(
    natural,
    view.width - GAP.length * (headings.length - 1),
    tooLong === 'cut' ? MIN_WIDTH : MIN_TEXT_WIDTH,
  );
  const lines = cells.map((row) => {
    const parts = row.map((cell, column) => inLines(cell, widths[column] ?? 0));
    const height = Math.max(...parts.map(({ length }) => length));
    const lineOf = (_: unknown, index: number) =>
      parts.map((part, column) => padded(part[index] ?? '', widths[column] ?? 0)).join(GAP);
    return Array.from({ length: height }, lineOf)
      .map((line) => line.trimEnd())
      .join('\n');
  });
  const [head = '', ...body] = lines;
  return [view.paint('bold', head), ...body].join('\n');
}

/** Shrinks the widest column, cell by cell, until all columns fit. Names are in the first column. */
function shrunk(natural: readonly number[], room: number, keepNamesTo: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const canShrink = widths.slice(1).some((width) => width > keepNamesTo);
    const shrinkable = canShrink ? widths.map((width, column) => (column === 0 ? 0 : width)) : widths;
    const widest = shrinkable.indexOf(Math.max(...shrinkable));
    if ((widths[widest] ?? 0) <= MIN_WIDTH) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
