import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { writeFiles } from '../src/result-files.js';

verifies('CLI-AGENT-03', 'thousands of files of one name take linear time, and leave turns to signals', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'pic-1.png'), 'mine');
  const image = { type: 'image', data: '', mimeType: 'image/png' };
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  const before = process.cpuUsage();
  const { content } = await writeFiles({ content: Array.from({ length: 3_000 }, () => image) }, folder, 'pic');
  const { user, system } = process.cpuUsage(before);
  expect(content.slice(0, 3).map(({ file }) => file)).toEqual(
    ['pic.png', 'pic-2.png', 'pic-3.png'].map((name) => join(folder, name)),
  );
  expect(readdirSync(folder)).toHaveLength(3_001);
  // A few seconds, also on a machine whose disk is busy. If each file tries all numbers, 31.
  expect((user + system) / 1_000).toBeLessThan(20_000);
  expect(turns).toBeGreaterThan(1_000);
});
