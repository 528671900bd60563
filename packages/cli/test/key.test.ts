import { readFileSync, statSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { hashApiKey } from '@a2c/server';
import { describe, expect, vi } from 'vitest';
import { type Reply, Workplace } from './a2c.js';

// Generous, because other processes may load the machine.
vi.setConfig({ testTimeout: 60_000 });

describe('a2c key new', () => {
  verifies('CLI-KEY-01', 'prints the key and its hashed entry', async () => {
    const place = new Workplace();
    const { code, stdout, stderr } = await place.a2c('key', 'new', 'pc', '--role', 'computer', '--office', 'demo');
    const [key = '', entry = ''] = stdout.split('\n');
    expect(code).toBe(0);
    expect(key).toMatch(/^a2c_[\w-]{43}$/);
    expect(JSON.parse(entry)).toEqual({
      subject: 'pc',
      sha256: hashApiKey(key),
      roles: ['computer'],
      offices: ['demo'],
    });
    expect(stderr).toMatch(/shown only now/);
    const json = await place.json<Reply>('key', 'new', 'ops', '--operator', '--name', 'o-*', '--expires', '2030-01-31');
    expect(json.entry).toEqual({
      subject: 'ops',
      sha256: hashApiKey(json.key),
      names: ['o-*'],
      operator: true,
      expires: '2030-01-31',
    });
  });

  verifies('CLI-KEY-01', 'adds the entry to a file that only its owner can read', async () => {
    const place = new Workplace();
    const keys = [];
    for (const subject of ['one', 'two']) {
      const { stdout } = await place.a2c('key', 'new', subject, '--file', 'keys.json');
      keys.push({ subject, sha256: hashApiKey(stdout.trim()) });
    }
    expect(JSON.parse(readFileSync(place.path('keys.json'), 'utf8'))).toEqual({ keys });
    expect(statSync(place.path('keys.json')).mode & 0o777).toBe(0o600);
  });

  verifies('CLI-KEY-01', 'refuses wrong values and invalid files without changing anything', async () => {
    const place = new Workplace({ 'broken.json': '{ "keys": 7 }' });
    for (const [args, message] of [
      [['x', '--role', 'root'], /choices: agent, computer/],
      [['x', '--expires', 'soon'], /^expires: expected a date/],
      [['x', '--expires', '2020-01-01'], /"2020-01-01" is in the past/],
      [['', '--operator'], /subject: expected a name/],
      [['x', '--file', 'broken.json'], /broken\.json: \/keys: expected an array/],
      [['x', '--file', 'missing/keys.json'], /ENOENT.*missing/],
    ] as const) {
      const { code, stdout, stderr } = await place.a2c('key', 'new', ...args);
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      expect(stderr).toMatch(message);
    }
    expect(readFileSync(place.path('broken.json'), 'utf8')).toBe('{ "keys": 7 }');
  });
});
