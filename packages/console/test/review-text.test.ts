import { fileURLToPath } from 'node:url';
import { reviewText } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

interface ReviewText {
  reviewArguments(args: unknown): string;
}

// By its path: for the compiler, the page is a project of its own, with the types of a browser.
const path = fileURLToPath(new URL('../page/state/review-text.ts', import.meta.url));
const { reviewArguments } = (await import(path)) as ReviewText;

verifies('CON-REVIEW-01', 'all arguments are in the text of a question, however deep or many', () => {
  const deep = { options: { query: { filter: { command: 'rm -rf /' } } } };
  expect(reviewArguments(deep)).toContain('"command": "rm -rf /"');
  const many = Array.from({ length: 5_000 }, (_, index) => `item-${index}`);
  expect(reviewArguments({ many })).toContain('"item-4999"');
  const nested = JSON.parse(`${'{"a":'.repeat(90)}"end"${'}'.repeat(90)}`);
  const lines = reviewArguments(nested).split('\n');
  expect(lines.find((line) => line.includes('"end"'))).toMatch(/^ {40}"a": "end"$/);
});

verifies('CON-REVIEW-02', 'unusual blanks are codes, and long runs of blanks are counted', () => {
  const blanks = '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000';
  expect(reviewText(`a${blanks}b`)).toMatch(/^a(\\u[0-9a-f]{4}){16}b$/);
  expect(reviewText(`ls${'\u00a0'.repeat(1_900)}; rm -rf /`)).toBe('ls⟨1,900 × \\u00a0⟩; rm -rf /');
  expect(reviewText(`ls${' '.repeat(1_900)}; rm -rf /`)).toBe('ls⟨1,900 × \\u0020⟩; rm -rf /');
  expect(reviewText(`a${'\n'.repeat(301)}b`)).toBe('a\n⟨300 empty lines⟩\nb');
  expect(reviewText('two  blanks, one blank')).toBe('two  blanks, one blank');
  const text = reviewArguments({ cmd: 'ls\n\t\r\u00a0x', 'key\u2003\nforged': 1 });
  expect(text.split('\n')).toEqual(['{', '  "cmd": "ls\\n\\t\\r\\u00a0x",', '  "key\\u2003\\nforged": 1', '}']);
});
