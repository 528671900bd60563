import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile, replaceFolder } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'a2c-replace-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

verifies('CONF-REPLACE-01', 'a file has the old content or the new one, and nothing else is left', async () => {
  const home = folder();
  const file = join(home, 'new', 'x.json');
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => replaceFile(file, `${i}`.repeat(10_000), { isDurable: i > 15 })),
  );
  expect(readFileSync(file, 'utf8')).toMatch(/^(\d\d?)\1{9999}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  mkdirSync(join(home, 'taken'));
  await expect(replaceFile(join(home, 'taken'), 'x')).rejects.toThrow();
  expect([readdirSync(join(home, 'new')), readdirSync(home).toSorted()]).toEqual([['x.json'], ['new', 'taken']]);
});

verifies('CONF-REPLACE-01', 'a folder is replaced as a whole, or stays', async () => {
  const home = folder();
  const make = (name: string, text: string) => {
    mkdirSync(join(home, name));
    writeFileSync(join(home, name, 'file'), text);
  };
  const content = () => readFileSync(join(home, 'target', 'file'), 'utf8');
  make('first', '1');
  await replaceFolder(join(home, 'first'), join(home, 'target'));
  await expect(replaceFolder(join(home, 'missing'), join(home, 'target'))).rejects.toThrow('ENOENT');
  expect(content()).toBe('1');
  // A crash left the copy of an earlier replacement.
  make('.old-target', '0');
  make('second', '2');
  await replaceFolder(join(home, 'second'), join(home, 'target'));
  expect([content(), readdirSync(home)]).toEqual(['2', ['target']]);
});
