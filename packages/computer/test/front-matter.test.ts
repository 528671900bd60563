import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { parseSkillDocument } from '../src/skills/front-matter.js';

const parse = (yaml: string) => parseSkillDocument(`---\n${yaml}\n---\nbody\n`);
const keys = (count: number) => Array.from({ length: count }, (_, index) => String.fromCharCode(0x3400 + index));

verifies('COST-SKILL-02', 'a large frontmatter, or one of very many marks, is refused before it is parsed', () => {
  expect(() => parse(`description: ${'a'.repeat(9_000)}`)).toThrow('larger than 8192 bytes');
  expect(() => parse(`description: ${'字'.repeat(3_000)}`)).toThrow('larger than 8192 bytes');
  expect(() => parse(`{name: x, description: d,${keys(2_000).join(',')}}`)).toThrow('more than 300');
  for (const text of ['[],', '! ', '&a ', '}\n', '? ', '- ', 'a: 1\n', "''", '[', ': '])
    expect(() => parse(text.repeat(1_000)), text).toThrow('more than 300');
});

verifies(
  'COST-SKILL-02',
  'keys that are objects, deep values and aliases are refused before they are converted',
  () => {
    expect(() => parse('? '.repeat(290))).toThrow('keys that are no texts');
    expect(() => parse('{[]: a}')).toThrow('keys that are no texts');
    expect(() => parse(`a: ${'['.repeat(20)}${']'.repeat(20)}`)).toThrow('more than 16 levels');
    expect(() => parse('a: &a [1]\nb: *a')).toThrow('aliases');
  },
);

verifies('COST-SKILL-02', 'usual ones are read, also long ones', () => {
  const tools = Array.from({ length: 60 }, (_, index) => `Bash(git-${index}:*)`).join(', ');
  const text = `name: x\ndescription: >-\n  ${'Reads letters, and more. '.repeat(80)}\nallowed-tools: ${tools}\nmetadata: {a: {b: [1]}}`;
  const { fields, body } = parse(text);
  expect(fields).toMatchObject({ name: 'x', metadata: { a: { b: [1] } } });
  expect(String(fields['allowed-tools'])).toContain('Bash(git-59:*)');
  expect(body).toBe('body\n');
  expect(() => parse('a: 1\na: 2')).toThrow('equal keys');
});
