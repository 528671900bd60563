import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { parseArguments } from '../src/arguments.js';
import { UsageError } from '../src/exit-codes.js';
import { Workplace } from './a2c.js';

describe('arguments of a tool', () => {
  verifies('CLI-ARGS-01', 'are a JSON object, a file with one, or nothing', () => {
    const place = new Workplace({ 'args.json': { path: 'a', deep: { n: [1] } } });
    expect(parseArguments([])).toEqual({});
    expect(parseArguments(['{"a": 1, "b": "x=y"}'])).toEqual({ a: 1, b: 'x=y' });
    expect(parseArguments([`@${place.path('args.json')}`])).toEqual({ path: 'a', deep: { n: [1] } });
  });

  verifies('CLI-ARGS-01', 'are key=value pairs: JSON if the value parses as JSON, else text', () => {
    const words = [
      'n=3',
      'yes=true',
      'no=null',
      'list=[1,2]',
      'text=hello world',
      'quoted="3"',
      'eq=a=b',
      'empty=',
      'zip=0123',
    ];
    expect(parseArguments(words)).toEqual({
      n: 3,
      yes: true,
      no: null,
      list: [1, 2],
      text: 'hello world',
      quoted: '3',
      eq: 'a=b',
      empty: '',
      zip: '0123',
    });
    expect(parseArguments(['__proto__=1'])).not.toHaveProperty('polluted');
  });

  verifies('CLI-ARGS-01', 'have the types of the tool’s schema', () => {
    const types = { id: 'string', n: 'integer', x: 'number', on: 'boolean', tags: 'array', o: 'object' };
    const properties = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]));
    const schema = { type: 'object', properties: { ...properties, any: {}, either: { type: ['string', 'null'] } } };
    const words = ['id=42', 'n=1', 'x=0.5', 'on=false', 'tags=a', 'tags=b', 'o={"k":1}', 'any=7', 'either=x'];
    expect(parseArguments(words, schema)).toEqual({
      id: '42',
      n: 1,
      x: 0.5,
      on: false,
      tags: ['a', 'b'],
      o: { k: 1 },
      any: 7,
      either: 'x',
    });
    expect(() => parseArguments(['n=many'], schema)).toThrow('"n" must be a number, not "many"');
    expect(() => parseArguments(['on=maybe'], schema)).toThrow('"on" must be of type boolean, not "maybe"');
  });

  verifies('CLI-ARGS-01', 'in any other form are rejected with a list of the forms', () => {
    for (const words of [
      ['{"a":'],
      ['[1]'],
      ['@no-such-file'],
      ['word'],
      ['=x'],
      ['a=1', 'a=2'],
      ['a=1', '@f'],
      ['{}', 'a=1'],
    ]) {
      expect(() => parseArguments(words), words.join(' ')).toThrow(UsageError);
    }
    // Reading a device, or a FIFO without a writer, would not end.
    expect(() => parseArguments(['@/dev/zero'])).toThrow('"/dev/zero" is not a regular file');
    expect(() => parseArguments(['word'])).toThrow('"word" is not an argument; expected a JSON object, @FILE');
  });
});
