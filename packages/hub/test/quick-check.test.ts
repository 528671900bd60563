import type { JsonObject } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { problemFinder } from '../src/calls/find-problems.js';
import { quickCheck } from '../src/calls/quick-check.js';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const VALUES = ['', 'x', 0, -0, 1.5, 1e300, true, false, null, {}, { x: 1 }, [], [1]];
const NAMES = ['a', '__proto__', 'constructor'];

const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject;
const own = (name: string, value: unknown) => json(Object.fromEntries([[name, value]]));

verifies('HUB-CALL-01', 'the quick check of simple schemas finds the same arguments right as the validator', () => {
  for (const name of NAMES) {
    for (const type of [undefined, ...TYPES]) {
      for (const rest of [{}, { required: [name] }, { additionalProperties: false }, { required: ['b'] }]) {
        const schema = json({ type: 'object', properties: own(name, { type, description: 'text' }), ...rest });
        const isRight = quickCheck(schema);
        if (!isRight) throw new Error('the schema is simple');
        const find = problemFinder(schema);
        for (const args of [{}, { b: 1 }, ...VALUES.map((value) => own(name, value))]) {
          expect([schema, args, isRight(args)]).toEqual([schema, args, find(args).length === 0]);
        }
      }
    }
  }
});

verifies('HUB-CALL-01', 'schemas with other rules are left to the validator', () => {
  const one = (property: unknown) => ({ type: 'object', properties: { a: property } });
  const others = [
    { $ref: '#/nowhere' },
    { type: ['object'] },
    { type: 'object', minProperties: 1 },
    { type: 'object', required: 'a' },
    { type: 'object', additionalProperties: { type: 'string' } },
    ...[true, { type: 'any' }, { type: ['string', 'null'] }, { type: 'string', enum: ['x'] }, { minimum: 1 }].map(one),
  ];
  for (const schema of others) expect([schema, quickCheck(schema)]).toEqual([schema, undefined]);
});
