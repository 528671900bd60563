import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cell } from './cells.js';
import { type Defect, defectOf } from './defects.js';

const PAGE = fileURLToPath(new URL('../../../../docs/interoperability.md', import.meta.url));

/** The rows of the page, each combination and the operations that fail in it, and the list of defects. */
export function tableOf(cells: readonly Cell[], defects: readonly Defect[]): string {
  const keyOf = ({ agent, server, computer }: Cell) => `${server} ${agent} ${computer}`;
  const rows = cells
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
    .map((cell) => {
      const names = [...cell.outcomes.keys()];
      const failed = names.filter((name) => cell.outcomes.get(name) !== true);
      const exceptions = failed.map((name) => `${name} (${defectOf(defects, cell, name)?.id ?? 'unknown'})`);
      const works = `${names.length - failed.length} of ${names.length}`;
      return `| ${cell.agent} | ${cell.server} | ${cell.computer} | ${works} | ${exceptions.join(', ')} |`;
    });
  return [
    ...['| Agent | Server | Computer | works | exceptions |', '|---|---|---|---|---|', ...rows, ''],
    ...defects.map(({ id, why }) => `- **${id}**: ${why}`),
  ].join('\n');
}

/** Operations that failed without a known defect, and known defects that did not show. */
export function unexpectedIn(cells: readonly Cell[], defects: readonly Defect[]): readonly string[] {
  return cells.flatMap((cell) =>
    [...cell.outcomes]
      .filter(([name, outcome]) => (outcome === true) === (defectOf(defects, cell, name) !== undefined))
      .map(([name, outcome]) => `${cell.agent} → ${cell.server} → ${cell.computer}: ${name}: ${outcome}`),
  );
}

/** Writes a table between its two marks. Returns whether the page has changed. */
export function writeTable(name: 'SDKs' | 'Rust', table: string): boolean {
  const between = new RegExp(`(?<=<!-- ${name} table: start -->\\n\\n).*(?=\\n\\n<!-- ${name} table: end -->)`, 's');
  const page = readFileSync(PAGE, 'utf8');
  const written = page.replace(between, () => table);
  writeFileSync(PAGE, written);
  return written !== page;
}
