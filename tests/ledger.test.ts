import { type LedgerEntry, type Owner, requirements, verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { filesBelow, packageNames, read, type SourceFile, withoutComments } from './source-tree.js';

interface BoundTests {
  readonly owner: string;
  readonly files: readonly SourceFile[];
}

/** One line for each requirement without a test in an existing package that must meet it. */
function unverified(entries: readonly Pick<LedgerEntry, 'id' | 'owedBy'>[], owners: readonly BoundTests[]): string[] {
  return entries.flatMap(({ id, owedBy }) =>
    owners
      .filter(({ owner, files }) => owedBy.includes(owner as Owner) && !files.some((file) => binds(file, id)))
      .map(({ owner }) => `${owner} has no test for ${id}`),
  );
}

/** True if a test file uses `verifies` and contains the id as a string literal; comments do not count. */
function binds({ text }: SourceFile, id: string): boolean {
  const code = withoutComments(text);
  return code.includes('verifies(') && code.includes(`'${id}'`);
}

verifies('HOUSE-LEDGER-01', 'every requirement has a test in every existing package that must meet it', () => {
  const owners: BoundTests[] = packageNames().map((owner) => ({
    owner,
    files: filesBelow(`packages/${owner}/test`, /\.test\.ts$/),
  }));
  owners.push({ owner: 'house', files: filesBelow('tests', /\.test\.ts$/) });
  expect(unverified(requirements, owners)).toEqual([]);
});

verifies('HOUSE-LEDGER-01', 'a missing test is reported as soon as its package exists', () => {
  const owed = [{ id: 'SMCP-ROOM-03', owedBy: ['server', 'agent'] }] as const;
  const bound = { path: 'a.test.ts', text: `verifies('SMCP-ROOM-03', 'x', () => {});` };
  const mention = { path: 'b.test.ts', text: `verifies('SMCP-ROOM-04', 'x', f); // not 'SMCP-ROOM-03'` };
  expect(unverified(owed, [])).toEqual([]);
  expect(unverified(owed, [{ owner: 'server', files: [mention] }])).toEqual(['server has no test for SMCP-ROOM-03']);
  expect(unverified(owed, [{ owner: 'server', files: [bound] }])).toEqual([]);
  expect(
    unverified(owed, [
      { owner: 'server', files: [bound] },
      { owner: 'agent', files: [] },
    ]),
  ).toEqual(['agent has no test for SMCP-ROOM-03']);
});

verifies('HOUSE-LEDGER-02', 'ids are unique and follow one pattern', () => {
  const ids = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, behaviour, section } of requirements) {
    expect(id).toMatch(/^[A-Z]+-[A-Z]+-\d{2}$/);
    expect(behaviour, id).toMatch(/\.$/);
    expect(section, id).not.toBe('');
  }
});

verifies('HOUSE-THREAT-01', 'the threat model names requirements with tests', () => {
  const [, table = ''] = /## Threat model\n([\s\S]*?)\nNot defended:/.exec(read('docs/security.md')) ?? [];
  const rows = table.split('\n').filter((line) => /^\| (?!attacker)/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  const known: readonly string[] = requirements.map(({ id }) => id);
  for (const row of rows) {
    const ids =
      row
        .split('|')
        .at(-2)
        ?.match(/[A-Z]+-[A-Z]+-\d{2}/g) ?? [];
    expect(ids.length, row).toBeGreaterThan(0);
    expect(ids.filter((id) => !known.includes(id))).toEqual([]);
  }
});
