import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { filesBelow } from './source-tree.js';
import { discouraged } from './wording.js';

/** Parts of the tree that are not checked yet. Empty this list when their texts have been rewritten. */
const NOT_YET: readonly string[] = [
  'packages/agent/test/',
  'packages/cli/test/',
  'packages/computer/test/',
  'packages/hub/',
  'packages/proxy/src/',
  'packages/vrl/tools/',
];

verifies('HOUSE-STYLE-02', 'comments, messages and documents use plain technical English', () => {
  const files = filesBelow('.', /\.([cm]?[jt]s|md|ya?ml)$|^Dockerfile$/).filter(
    ({ path }) => !NOT_YET.some((part) => path.startsWith(part)),
  );
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
