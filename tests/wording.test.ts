import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { filesBelow } from './source-tree.js';
import { discouraged } from './wording.js';

verifies('HOUSE-STYLE-02', 'comments, messages and documents use plain technical English', () => {
  const files = filesBelow('.', /\.([cm]?[jt]s|md|ya?ml)$|^Dockerfile$/);
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(({ path, text }) => discouraged(path, text)).join('\n')).toBe('');
});

verifies('HOUSE-STYLE-02', 'a discouraged phrase is reported with its line and a better word', () => {
  expect(discouraged('docs/x.md', 'one\nNobody is told.')).toEqual([
    'docs/x.md:2: "Nobody"; better: no one, or name the role: "no caller", "no client"',
    'docs/x.md:2: "told"; better: notified, reported, shown, configured',
  ]);
  expect(discouraged('docs/x.md', '`*` stands for any characters')).toEqual([]);
});
