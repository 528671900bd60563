import { JSON_TEXT_LIMITS, jsonTextProblem } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';

/** Values, and the largest number of keys of one object. */
function measure(value: unknown): { values: number; keys: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, keys: 0 };
  const children = Object.values(value).map(measure);
  const own = Array.isArray(value) ? 0 : children.length;
  return {
    values: children.reduce((sum, { values }) => sum + values, 1),
    keys: Math.max(own, ...children.map(({ keys }) => keys)),
  };
}

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join()}}`;

describe('the size of JSON text', () => {
  verifies('COST-MEMBER-03', 'is limited in values and in keys of one object', () => {
    expect(jsonTextProblem(`[${'[],'.repeat(250_000)}[]]`)).toBe('has more than 250000 values');
    expect(jsonTextProblem(`[${'['.repeat(300_000)}`)).toBe('has more than 250000 values');
    expect(jsonTextProblem(`[${'1,'.repeat(200_000)}1]`)).toBeUndefined();
    expect(jsonTextProblem(keys(10_001))).toBe('has an object with more than 10000 keys');
    expect(jsonTextProblem(`[${keys(10_000)},${keys(10_000)}]`)).toBeUndefined();
    expect(jsonTextProblem('[[[]]]', { values: 100, depth: 2 })).toBe('nests deeper than 2 levels');
    expect(jsonTextProblem('[[]]', { values: 100, depth: 2 })).toBeUndefined();
  });

  verifies('COST-MEMBER-03', 'is that of the parsed value, whatever its strings contain', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', ':', '[', '}', '\n') });
    const json = fc.jsonValue({ stringUnit: fc.constantFrom('a', '"', '\\', ',', ':', '[', '}') });
    fc.assert(
      fc.property(fc.oneof(json, fc.dictionary(text, fc.array(text))), (value) => {
        const size = measure(value);
        const written = JSON.stringify(value);
        expect(jsonTextProblem(written, { values: 2 * size.values, keys: size.keys })).toBeUndefined();
        if (size.keys > 1) {
          expect(jsonTextProblem(written, { ...JSON_TEXT_LIMITS, keys: size.keys - 1 })).toContain('keys');
        }
      }),
    );
  });

  verifies('COST-MEMBER-03', 'is not judged for text that is no JSON', () => {
    for (const broken of [']]]]:::', '"', '"\\', ':'.repeat(100), '}{'.repeat(100)]) {
      expect(() => jsonTextProblem(broken, { values: 1_000, keys: 1_000 })).not.toThrow();
    }
  });
});
