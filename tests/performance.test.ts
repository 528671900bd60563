import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { filesBelow, ROOT, read } from './source-tree.js';

const PAGE = 'docs/performance.md';
const SCALING_PAGE = 'docs/scaling.md';

const check = (file: string) =>
  spawnSync(process.execPath, ['bench/page.js', '--check', file], { cwd: ROOT, encoding: 'utf8' });

verifies('HOUSE-PERF-01', 'the tables of the performance page are those of the stored results', () => {
  expect(check(PAGE)).toMatchObject({ status: 0, stderr: '' });
  const folder = mkdtempSync(join(tmpdir(), 'a2c-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const changed = join(folder, 'performance.md');
  const text = read(PAGE);
  const row = /^\| a2c proxy .*$/m.exec(text)?.[0] ?? '';
  expect(row).not.toBe('');
  writeFileSync(
    changed,
    text.replace(
      row,
      row.replace(/\d+/, (figure) => `${Number(figure) + 1}`),
    ),
  );
  expect(check(changed)).toMatchObject({ status: 1, stderr: expect.stringContaining('differs from bench/results') });
});

verifies('HOUSE-PERF-01', 'so are those of the scaling page', () => {
  expect(check(SCALING_PAGE)).toMatchObject({ status: 0, stderr: '' });
  expect(read(SCALING_PAGE)).toContain('| 1,000,000 |');
});

verifies('HOUSE-PERF-01', 'the stored results describe the machine and contain no paths', () => {
  const results = filesBelow('bench/results', /\.(json|md)$/);
  expect(results.length).toBeGreaterThan(2);
  for (const { path, text } of results) {
    expect(text, path).toMatch(/cores of .+, \d+ GB, \w+ \w+, Node \d+/);
    expect(text, path).not.toMatch(/\/(home|root|tmp|work|Users)\//);
  }
});
