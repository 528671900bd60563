import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type LedgerEntry,
  type Owner,
  protocolTopics,
  type RequirementId,
  requirements,
  verifies,
} from '@a2c/requirements';
import { expect } from 'vitest';
import { filesBelow, packageNames, ROOT, read, type SourceFile, withoutComments } from './source-tree.js';

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

const codeOf = new Map<SourceFile, string>();

/** True if a test file uses `verifies` and contains the id as a string literal; comments do not count. */
function binds(file: SourceFile, id: string): boolean {
  const code = codeOf.get(file) ?? withoutComments(file.text);
  codeOf.set(file, code);
  return code.includes('verifies(') && code.includes(`'${id}'`);
}

function allTests(): BoundTests[] {
  const ofPackages = packageNames().map((owner) => ({
    owner,
    files: filesBelow(`packages/${owner}/test`, /\.test\.ts$/),
  }));
  return [...ofPackages, { owner: 'house', files: filesBelow('tests', /\.test\.ts$/) }];
}

verifies('HOUSE-LEDGER-01', 'every requirement has a test in every existing package that must meet it', () => {
  expect(unverified(requirements, allTests())).toEqual([]);
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

const RULES = 'docs/contributing/protocol-rules.md';

/** The part of the page below its introduction: a table for each topic. */
function rulesByTopic(): string {
  const files = allTests().flatMap((tests) => tests.files);
  const row = (id: RequirementId) => {
    const behaviour = requirements.find((entry) => entry.id === id)?.behaviour.replaceAll('|', '\\|');
    const tests = files.filter((file) => binds(file, id)).map(({ path }) => `\`${path.replace(/^packages\//, '')}\``);
    return `| ${id} | ${behaviour} | ${tests.join('<br>')} |`;
  };
  const head = ['| requirement | rule | tests |', '|---|---|---|'];
  const tables = Object.entries(protocolTopics).map(([topic, ids]) =>
    [`## ${topic}`, '', ...head, ...ids.map(row), ''].join('\n'),
  );
  return tables.join('\n');
}

verifies(
  'HOUSE-LEDGER-03',
  'the page of protocol rules has every requirement of the generations, and its tests',
  () => {
    const listed = new Set<string>(Object.values(protocolTopics).flat());
    const missing = requirements.filter(({ id }) => /^(GEN|MEM)-/.test(id) && !listed.has(id));
    expect(missing.map(({ id }) => id)).toEqual([]);
    const page = read(RULES);
    const written = `${page.slice(0, page.indexOf('## '))}${rulesByTopic()}`;
    writeFileSync(join(ROOT, RULES), written);
    expect(page === written, `${RULES} was out of date; it is written anew`).toBe(true);
  },
);

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
