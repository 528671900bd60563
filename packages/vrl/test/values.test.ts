import { verifies } from '@a2c/requirements';
import { run, toJson } from '@a2c/vrl';
import fc from 'fast-check';
import { describe, expect } from 'vitest';

const I64_MAX = 2n ** 63n - 1n;
const I64_MIN = -(2n ** 63n);

/** The expected value after a script that does not change it. */
const through = (value: unknown) => (run('.', { value }).processedEvent as { value: unknown }).value;

describe('integers', () => {
  verifies('VRL-VALUE-01', 'are numbers while exact, bigints up to 64 bits', () => {
    expect(run('.max = 9223372036854775807\n.min = -9223372036854775807 - 1', {}).processedEvent).toEqual({
      max: I64_MAX,
      min: I64_MIN,
    });
    expect(through(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(through(-Number.MAX_SAFE_INTEGER)).toBe(-Number.MAX_SAFE_INTEGER);
    expect(through(2 ** 53)).toBe(2n ** 53n);
    expect(through(7n)).toBe(7);
    expect(through([{ deep: [I64_MIN, 1, I64_MAX] }])).toEqual([{ deep: [I64_MIN, 1, I64_MAX] }]);
  });

  verifies('VRL-VALUE-01', 'VRL computes with all 64 bits', () => {
    expect(run('int!(.a) + 1', { a: 2n ** 53n }).result).toBe(2n ** 53n + 1n);
    expect(run('to_string(int!(.a))', { a: I64_MAX }).result).toBe(String(I64_MAX));
    expect(run('int!(.a) - int!(.b)', { a: I64_MAX, b: I64_MAX - 5n }).result).toBe(5);
  });

  verifies('VRL-VALUE-01', 'an integer beyond 64 bits is a float', () => {
    expect(through(2n ** 64n)).toBe(2 ** 64);
    expect(through(1e300)).toBe(1e300);
    expect(run('is_float(.a)', { a: I64_MAX + 1n }).result).toBe(true);
  });

  verifies('VRL-VALUE-01', 'a wide integer is restored under any key', () => {
    const event = JSON.parse(`{"__proto__": {"a.b": [${I64_MAX}]}}`.replace(String(I64_MAX), '"x"'));
    const { processedEvent } = run(`.wide = ${I64_MAX}\n."__proto__"."a.b"[0] = ${I64_MAX}`, event);
    const entries = Object.entries(processedEvent as object);
    expect(entries).toEqual([
      ['__proto__', { 'a.b': [I64_MAX] }],
      ['wide', I64_MAX],
    ]);
  });
});

verifies('VRL-VALUE-04', 'a result with wide integers can be written as JSON', () => {
  const { processedEvent } = run(`.list = [${I64_MAX}, 1.5, "${I64_MAX}"]`, { min: I64_MIN });
  expect(toJson(processedEvent)).toBe(`{"list":[${I64_MAX},1.5,"${I64_MAX}"],"min":${I64_MIN}}`);
  expect(toJson(run('.', { a: 'é', b: null }).result)).toBe('{"a":"é","b":null}');
});

describe('other values', () => {
  verifies('VRL-VALUE-02', 'timestamps, bytes and expressions become text', () => {
    expect(run(`t'2024-01-31T12:00:00Z'`, {}).result).toBe('2024-01-31 12:00:00 UTC');
    expect(run(`[t'2024-01-31T12:00:00.25Z']`, {}).result).toEqual(['2024-01-31 12:00:00.250 UTC']);
    expect(run(`t'2024-01-31T14:00:00+02:00'`, {}).result).toBe('2024-01-31 12:00:00 UTC');
    expect(run('decode_base16!("c3a9ff21")', {}).result).toBe('é\uFFFD!');
    expect(run(`r'^a+$'`, {}).result).toBe('^a+$');
  });

  verifies('VRL-VALUE-02', 'NaN and infinity become null', () => {
    expect(through(Number.NaN)).toBeNull();
    expect(through(Number.POSITIVE_INFINITY)).toBeNull();
    expect(through([undefined, null])).toEqual([null, null]);
  });

  verifies('VRL-VALUE-02', 'object keys are sorted', () => {
    expect(Object.keys(run('.m = 1', { z: 1, a: 2, é: 3 }).processedEvent as object)).toEqual(['a', 'm', 'z', 'é']);
  });

  verifies('VRL-VALUE-03', 'text in any language is kept, and its length is in characters', () => {
    const text = 'Grüße, 世界 👩‍👩‍👧 \u0000\u001f "quoted" \\ud800 \u2028';
    expect(through(text)).toBe(text);
    expect(run('strlen!(.text)', { text: '世界👍' }).result).toBe(3);
    expect(run('upcase!(.text)', { text: 'straße' }).result).toBe('STRASSE');
    expect(run(`."ключ" = "значение"`, {}).processedEvent).toEqual({ ключ: 'значение' });
  });

  verifies('VRL-VALUE-03', 'a lone surrogate, which UTF-8 cannot represent, becomes U+FFFD', () => {
    expect(through('a\ud83d-\udc4d b\\ud83d \ud83d\udc4d')).toBe('a\uFFFD-\uFFFD b\\ud83d 👍');
  });

  verifies('VRL-VALUE-03', 'nulls stay, missing fields stay missing', () => {
    expect(run('.b = .a\n.c = .missing', { a: null }).processedEvent).toEqual({ a: null, b: null, c: null });
    expect(run('[is_null(.a), exists(.a), exists(.b)]', { a: null }).result).toEqual([true, true, false]);
  });

  verifies('VRL-VALUE-03', 'a thousand levels of nesting work', () => {
    let nested: unknown = 'bottom';
    for (let level = 0; level < 500; level++) nested = { list: [nested] };
    expect(through(nested)).toEqual(nested);
    expect(run(`.${'a.'.repeat(999)}a = 1\n.`, {}).result).toEqual(
      run('.', JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)).result,
    );
  });

  verifies('VRL-VALUE-03', 'any JSON value is returned unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(through(value)).toEqual(normalised(value));
      }),
      { numRuns: 100 },
    );
  });
});

/** JSON has no negative zero, and VRL reads whole numbers beyond 2^53 within 64 bits as integers. */
function normalised(value: unknown): unknown {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value + 0;
    return Math.abs(value) < 2 ** 63 && !String(value).includes('e') ? BigInt(String(value)) : value;
  }
  if (Array.isArray(value)) return value.map(normalised);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, normalised(field)]));
}
