import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { deceptiveName, isPermitted, parseRequest, QualifiedNames } from '../src/index.js';

const NAMES: Readonly<Record<string, string>> = {
  'read\u200bfile': 'contain invisible characters (U+200B)',
  'read\u2800file': 'contain invisible characters (U+2800)',
  'read\ufe0ffile': 'contain invisible characters (U+FE0F)',
  'read\u{e0041}file': 'contain invisible characters (U+E0041)',
  'read\ud800file': 'contain invisible characters (U+D800)',
  'read\u202eelif': 'contain bidirectional characters (U+202E)',
  'read\nfile': 'contain control characters (U+000A)',
  'read\u2028file': 'contain control characters (U+2028)',
  'r\u0435ad_file': 'mix Latin and Cyrillic letters in one word ("rеad")',
  'ο\u0440al': 'mix Latin and Cyrillic and Greek letters in one word ("οрal")',
};

const HARMLESS = [
  'read_file',
  '办公室',
  'офис-1',
  'офис office',
  'café',
  'naïve',
  '👩‍💻 desk',
  '❤️',
  'ｆｕｌｌ',
  '日本語テスト',
  'עברית',
];

verifies('SEC-NAME-01', 'a name that looks like another one is described', () => {
  for (const [name, problem] of Object.entries(NAMES)) expect(deceptiveName(name), problem).toBe(problem);
  for (const name of HARMLESS) expect(deceptiveName(name), name).toBeUndefined();
});

verifies('SEC-NAME-01', 'a member cannot join with such a name, or such an office', () => {
  const join = (name: string, office_id: string) =>
    parseRequest('server:join_office', { role: 'agent', name, office_id });
  expect(() => join('bot\u200b', 'demo')).toThrow('name: must not contain invisible characters (U+200B)');
  expect(() => join('bot', 'd\u0435mo')).toThrow('office_id: must not mix Latin and Cyrillic letters');
  expect(join('机器人', 'demo')).toMatchObject({ name: '机器人' });
});

verifies('COST-NAME-04', 'a name with very many combining marks is not allowed, and none takes long', () => {
  const marks = '\u0315\u0300\u0316\u0334'.repeat(50_000);
  const servers = [{ name: 'x'.repeat(1_000), bundleId: 'x'.repeat(1_000) }];
  const owners = new QualifiedNames(servers);
  const before = process.cpuUsage();
  for (const patterns of [['*'], ['!y'], []]) expect(isPermitted(patterns, `a${marks}`)).toBe(false);
  expect(isPermitted(undefined, marks)).toBe(true);
  expect(isPermitted(['!e\u0301'], '\u00e9')).toBe(false);
  for (let n = 0; n < 20_000; n++) owners.ownerOf(`${n}__${'_'.repeat(1_000)}`);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6, 'seconds of CPU time; more than 20 before').toBeLessThan(2);
});
