import { readFileSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { run, type VrlValue } from '@a2c/vrl';
import { describe, expect } from 'vitest';
import { describeFunctions, type FunctionExample } from '../src/functions.js';

const working = describeFunctions().filter(({ refused }) => refused === null);

describe('the standard library', () => {
  verifies('VRL-STDLIB-01', 'is complete', () => {
    expect(working).toHaveLength(193);
    const undocumented = working.filter(({ examples }) => examples.length === 0).map(({ name }) => name);
    expect(undocumented).toEqual(['strip_ansi_escape_codes']);
    expect(run('strip_ansi_escape_codes("\u001b[1mbold\u001b[0m")', {}).result).toBe('bold');
  });

  for (const { name, examples } of working) {
    verifies('VRL-STDLIB-01', `${name} returns the documented results`, () => {
      for (const example of examples) check(example);
    });
  }

  verifies('VRL-STDLIB-03', 'the README lists the unsupported functions with their reasons', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, section = ''] = /^## Unsupported functions$(.*?)^## /ms.exec(readme) ?? [];
    const rows = [...section.matchAll(/^\| (`.+?`) +\| (.+?) +\|$/gm)];
    const listed = rows.flatMap(([, names = '', reason]) =>
      names.split(', ').map((name) => [name.replaceAll('`', ''), reason]),
    );
    const refused = describeFunctions().flatMap(({ name, refused: reason }) =>
      reason === null ? [] : [[name, reason]],
    );
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(refused));
  });

  verifies('VRL-STDLIB-02', 'time and randomness come from the host', () => {
    const seconds = Number(run('to_unix_timestamp(now())', {}).result);
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60);
    const draw = () =>
      run('[uuid_v4(), uuid_v7(), random_bytes!(16), random_float!(0.0, 1.0), random_bool()]', {}).result;
    const [first, second] = [draw(), draw()] as unknown as [string[], string[]];
    for (const index of [0, 1, 2, 3]) expect(first[index]).not.toEqual(second[index]);
    expect(first[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first[1]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const rolls = Array.from({ length: 200 }, () => Number(run('random_int!(1, 7)', {}).result));
    expect(new Set(rolls)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});

/** The documentation writes a result as JSON, or as one of VRL's literals: r'…', t'…', s'…'. */
function check({ title, source, input, result, error, deterministic }: FunctionExample): void {
  const attempt = () => run(source, JSON.parse(input ?? '{}'), { timezone: 'UTC' }).result;
  if (error !== null) {
    expect(attempt, title).toThrow(error.trim());
    return;
  }
  const got = asDocumented(attempt());
  const wanted = documented(result as string);
  if (deterministic) expect(got, title).toEqual(wanted);
  else expect(typeof got, title).toBe(typeof wanted);
}

function documented(text: string): unknown {
  const literal = /^[rts]'(.*)'$/s.exec(text)?.[1];
  if (literal !== undefined) return literal.replaceAll("\\'", "'");
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))) return BigInt(text);
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: plain text.
    return text;
  }
}

/** The documentation writes timestamps as RFC 3339. */
function asDocumented(value: VrlValue): unknown {
  if (typeof value === 'string') return value.replace(/^([\d-]{10}) ([\d:.]+) UTC$/, '$1T$2Z');
  if (Array.isArray(value)) return value.map(asDocumented);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, asDocumented(field)]));
}
