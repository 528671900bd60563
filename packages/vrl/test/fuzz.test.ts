import { verifies } from '@a2c/requirements';
import { compile, run, VrlError } from '@a2c/vrl';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { describeFunctions } from '../src/functions.js';

/** Bounded in time, because some sources fill the engine's memory before they fail. A failure prints its seed. */
const BOUNDS = { numRuns: 1_000, interruptAfterTimeLimit: 1_000 };

const functions = describeFunctions();
const functionName = fc.constantFrom(...functions.map(({ name }) => name));
const example = fc.constantFrom(...functions.flatMap(({ examples }) => examples.map(({ source }) => source)));

/** Any code point. Cheaper than the unit `binary`, which first builds a table of all of them. */
const codePoint = fc.integer({ min: 0, max: 0x10_ff_ff }).map((point) => String.fromCodePoint(point));

const WORDS = '.abc .a[0] %meta ( ) [ ] { } , : ; = |= == != + - * / ! ?? || && -> |x| if else null true abort return';
const LITERALS = ['\n', '"text"', "r'a+'", "t'2024-01-01T00:00:00Z'", "s'raw'", '1', '1.5', '9223372036854775807'];
const word = fc.oneof(
  fc.constantFrom(...WORDS.split(' ')),
  fc.constantFrom(...LITERALS),
  functionName,
  functionName.map((name) => `${name}!(`),
);

const sources: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'random text': fc.string({ unit: codePoint, maxLength: 60 }),
  'words of the language in any order': fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  'documented examples, damaged': fc.tuple(example, fc.nat(), fc.nat(6), word).map(([source, at, cut, insert]) => {
    const start = at % (source.length + 1);
    return source.slice(0, start) + insert + source.slice(start + cut);
  }),
  'every function, called with any values': fc
    .tuple(functionName, fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }))
    .map(([name, values]) => `${name}!(${values.map((value) => JSON.stringify(value)).join(', ')})`),
};

/** A script may be invalid, fail, or crash the engine: each is a VrlError, and the next script runs. */
function survives(source: string, event: unknown): void {
  try {
    run(source, event, { timeoutMs: 100 });
  } catch (error) {
    expect(error).toBeInstanceOf(VrlError);
  }
}

describe('random sources do not crash the process', () => {
  for (const [title, source] of Object.entries(sources)) {
    verifies('VRL-FUZZ-01', title, () => {
      const program = compile('.ok = true');
      fc.assert(fc.property(source, fc.dictionary(fc.string(), fc.jsonValue()), survives), BOUNDS);
      expect(program.run({}).processedEvent).toEqual({ ok: true });
    });
  }
});
