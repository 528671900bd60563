import { harmless } from '../../output.js';
import { displayWidth, padded, shortened } from './display-width.js';
import type { View } from './view.js';

const GAP = '  ';
/** No column is made narrower than this, however little room there is. */
const NARROWEST = 6;

/** Rows under headings, columns aligned, cut to the width of the view. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], view: View): string {
  const cells = [headings, ...rows].map((row) => row.map((cell) => harmless(cell).replaceAll(/\s+/g, ' ').trim()));
  const natural = headings.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))));
  const widths = shrunk(natural, view.width - GAP.length * (headings.length - 1));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => padded(shortened(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
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
