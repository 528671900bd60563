import { harmless } from '../../output.js';
import { displayWidth, padded, shortened, wrapped } from './display-width.js';
import type { View } from './view.js';

const GAP = '  ';
/** No column is made narrower than this, however little room there is. */
const NARROWEST = 6;

type Fit = (cell: string, width: number) => readonly string[];

/** What a cell has no room for is left out. */
const cut: Fit = (cell, width) => [shortened(cell, width)];

/** Rows under headings, columns aligned, within the width of the view: cells are cut, or go on in the next line. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  view: View,
  tooLong: 'cut' | 'wrap' = 'cut',
): string {
  const inLines = tooLong === 'cut' ? cut : wrapped;
  const cells = [headings, ...rows].map((row) => row.map((cell) => harmless(cell).replaceAll(/\s+/g, ' ').trim()));
  const natural = headings.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))));
  const widths = shrunk(natural, view.width - GAP.length * (headings.length - 1));
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

/** Takes from the widest column, cell by cell, until all fit. */
function shrunk(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= NARROWEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
