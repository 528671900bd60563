import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { commentsOf, filesBelow, readJson, type SourceFile } from './source-tree.js';

const WIDTH = readJson<{ formatter: { lineWidth: number } }>('biome.json').formatter.lineWidth;

/**
 * Lines that a comment makes longer than the formatter's width. Strings may be longer: the formatter cannot break them.
 */
function tooWide({ path, text }: SourceFile): string[] {
  const lines = text.split('\n');
  return commentsOf(text).flatMap(({ start, end }) => {
    const first = text.slice(0, start).split('\n').length;
    const last = text.slice(0, end).split('\n').length;
    return lines
      .slice(first - 1, last)
      .flatMap((line, index) => (line.length > WIDTH ? [`${path}:${first + index}: ${line.length} characters`] : []));
  });
}

verifies('HOUSE-STYLE-01', 'no comment is wider than the formatter allows', () => {
  expect(
    filesBelow('.', /\.[cm]?[jt]s$/)
      .flatMap(tooWide)
      .join('\n'),
  ).toBe('');
});

verifies('HOUSE-STYLE-01', 'long comments are found, long strings are not', () => {
  const long = 'x'.repeat(WIDTH);
  const text = `const a = '// ${long}';\n// ${long}\nconst b = 1; /* ${long} */\n`;
  expect(tooWide({ path: 'a.ts', text })).toEqual([
    `a.ts:2: ${WIDTH + 3} characters`,
    `a.ts:3: ${WIDTH + 19} characters`,
  ]);
});
