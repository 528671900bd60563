/** The tables of the current suite, which the runner stores. */
export const printed = [];

/** Prints rows of objects as a Markdown table, ready to be pasted into a document. */
export function table(rows) {
  printed.push(rows);
  console.log(markdown(rows));
}

export function markdown(rows) {
  const columns = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const cells = rows.map((row) => line(columns.map((column) => row[column])));
  return [line(columns), line(columns.map(() => '---')), ...cells].join('\n');
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The smallest and the largest value. */
export function spread(values, digits = 2) {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

export const isQuick = process.argv.includes('--quick');

/** What a suite measures with --quick, in a few seconds, and without it. */
export const quick = (small, full) => (isQuick ? small : full);
