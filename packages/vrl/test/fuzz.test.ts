import { verifies } from '@a2c/requirements';
import { compile, run, VrlError } from '@a2c/vrl';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { describeFunctions } from '../src/functions.js';

/** Half a second of the whole suite for each generator; more runs find more, and the seed is printed on a failure. */
const RUNS = 1_500;

/** A script may be refused, fail, or break the engine; whatever it does is a VrlError and the next script runs. */
function survives(source: string, event: unknown): void {
  try {
    run(source, event, { timeoutMs: 100 });
  } catch (error) {
    expect(error).toBeInstanceOf(VrlError);
  }
}

const examples = describeFunctions().flatMap((entry) => entry.examples.map(({ source }) => source));
const names = describeFunctions().map(({ name }) => name);

const token = fc.oneof(
  fc.constantFrom(
    ...'.abc ( ) [ ] { } , : ; = == != + - * / % ! ? ?? | || && -> |x| if else null true abort return'.split(' '),
  ),
  fc.constantFrom(
    '\n',
    '"text"',
    "r'a+'",
    "t'2024-01-01T00:00:00Z'",
    "s'raw'",
    '1',
    '1.5',
    '9223372036854775807',
    '.a[0]',
    '%meta',
  ),
  fc.constantFrom(...names).map((name) => `${name}!`),
  fc.constantFrom(...names),
);

describe('random sources', () => {
  verifies('VRL-FUZZ-01', 'rubbish', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (source) => survives(source, {})),
      { numRuns: RUNS },
    );
  });

  verifies('VRL-FUZZ-01', 'words of the language in any order', () => {
    const source = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(' '));
    fc.assert(fc.property(source, fc.jsonValue(), survives), { numRuns: RUNS });
  });

  verifies('VRL-FUZZ-01', 'documented examples, damaged', () => {
    const damaged = fc
      .tuple(fc.constantFrom(...examples), fc.nat(), fc.nat(6), token)
      .map(([source, at, length, insert]) => {
        const start = at % (source.length + 1);
        return source.slice(0, start) + insert + source.slice(start + length);
      });
    fc.assert(fc.property(damaged, fc.jsonValue(), survives), { numRuns: RUNS });
  });

  verifies('VRL-FUZZ-01', 'every function, called with any values', () => {
    const literal = fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value));
    const call = fc
      .tuple(fc.constantFrom(...names), fc.array(literal, { maxLength: 4 }))
      .map(([name, values]) => `${name}!(${values.join(', ')})`);
    fc.assert(
      fc.property(call, (source) => survives(source, {})),
      { numRuns: RUNS },
    );
  });

  verifies('VRL-FUZZ-01', 'a program compiled before all that still runs', () => {
    const program = compile('.ok = true');
    fc.assert(
      fc.property(fc.constantFrom(...examples), (source) => survives(source, {})),
      { numRuns: 200 },
    );
    expect(program.run({}).processedEvent).toEqual({ ok: true });
  });
});
