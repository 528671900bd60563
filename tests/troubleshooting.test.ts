import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { filesBelow, read, withoutComments } from './source-tree.js';

const sources = filesBelow('packages', /\.ts$/)
  .filter(({ path }) => /^packages\/[a-z]+\/src\//.test(path))
  .map(({ path, text }) => ({ path, text: withoutComments(text) }));

/** The quoted message in the first cell of each row. */
function quoted(page: string): string[] {
  return [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message);
}

/** True when one source file contains all parts between the `…`. */
function occurs(message: string): boolean {
  const parts = message.split(/\s*…\s*/).filter((part) => part.length > 1);
  return sources.some(({ text }) => parts.every((part) => text.includes(part)));
}

verifies('HOUSE-DOCS-04', 'every quoted message occurs in the sources', () => {
  const messages = quoted(read('docs/troubleshooting.md'));
  expect(messages.length).toBeGreaterThan(30);
  expect(messages.filter((message) => !occurs(message))).toEqual([]);
  expect(occurs('no Computer "…" in office "…"; buy another')).toBe(false);
});
