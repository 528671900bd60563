import { type LedgerEntry, type Owner, requirements, verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { filesBelow, packageNames, type SourceFile, withoutComments } from './source-tree.js';

interface BoundTests {
  readonly owner: string;
  readonly files: readonly SourceFile[];
}

/** Owner and id of every requirement that an existing package owes a test for and has none. */
function unverified(entries: readonly Pick<LedgerEntry, 'id' | 'owedBy'>[], houses: readonly BoundTests[]): string[] {
  return entries.flatMap(({ id, owedBy }) =>
    houses
      .filter(({ owner, files }) => owedBy.includes(owner as Owner) && !files.some((file) => binds(file, id)))
      .map(({ owner }) => `${owner} has no test for ${id}`),
  );
}

/** A binding is the id as a string literal in a test file that uses `verifies`; a mention in a comment is none. */
function binds({ text }: SourceFile, id: string): boolean {
  const code = withoutComments(text);
  return code.includes('verifies(') && code.includes(`'${id}'`);
}

verifies('HOUSE-LEDGER-01', 'every requirement has a test in every package that owes one and exists', () => {
  const houses: BoundTests[] = packageNames().map((owner) => ({
    owner,
    files: filesBelow(`packages/${owner}/test`, /\.test\.ts$/),
  }));
  houses.push({ owner: 'house', files: filesBelow('tests', /\.test\.ts$/) });
  expect(unverified(requirements, houses)).toEqual([]);
});

verifies('HOUSE-LEDGER-01', 'a missing test is noticed as soon as its package exists', () => {
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

verifies('HOUSE-LEDGER-02', 'ids are unique and speak one language', () => {
  const ids = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, behaviour, section } of requirements) {
    expect(id).toMatch(/^[A-Z]+-[A-Z]+-\d{2}$/);
    expect(behaviour, id).toMatch(/\.$/);
    expect(section, id).not.toBe('');
  }
});
