import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));

export interface TypedValue {
  readonly type: string;
  readonly declarations: readonly string[];
  readonly value: unknown;
}

/**
 * The cases that the compiler rejects. All cases are one file, one per line, so that a line number identifies a case.
 */
export function refused<T extends TypedValue>(cases: readonly T[]): T[] {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-types-'));
  try {
    const lines = cases.map(({ type, declarations, value }) => {
      const aliases = declarations.map((declaration) => `${declaration};`).join(' ');
      return `{ ${aliases} const value: ${type} = ${JSON.stringify(value)}; void value; }`;
    });
    writeFileSync(join(folder, 'cases.ts'), `${lines.join('\n')}\nexport {};\n`);
    const { stdout, status } = spawnSync(
      process.execPath,
      [TSC, '--noEmit', '--strict', '--pretty', 'false', '--target', 'es2023', '--types', '', 'cases.ts'],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    const wrong = new Set([...stdout.matchAll(/^cases\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 1));
    if (status !== 0 && wrong.size === 0) throw new Error(`the compiler failed: ${stdout}`);
    return cases.filter((_case, index) => wrong.has(index));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
