import fc from 'fast-check';
import { validSamples } from './samples.js';

const scalar = fc.constantFrom<unknown>('a', 'b', '', 0, 1, -2.5, true, false, null);

const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null') }),
  fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: fc.oneof(scalar, fc.constant({ x: 1 }), fc.constant([1, 'a'])) }),
  fc.constant({}),
  fc.constant({ type: ['string', 'null'] }),
  fc.constant({ type: 'array' }),
  fc.constant({ type: 'object' }),
  fc.constant({ $ref: '#/$defs/shared' }),
  fc.constant({ type: 'string', minLength: 1, format: 'uri' }),
);

const key = fc.constantFrom('a', 'b', 'c-d', '1x', 'with space', 'type');

const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(key, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record(
      {
        type: fc.constant('array'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        minItems: fc.nat(2),
        items: fc.boolean(),
      },
      { requiredKeys: ['type', 'prefixItems'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), type: fc.constant('object') }),
  ),
}));

const shared = fc.constantFrom<object>(
  { type: 'object', properties: { next: { $ref: '#/$defs/shared' }, v: { type: 'number' } } },
  { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/shared' } }] },
  { type: 'object', additionalProperties: { $ref: '#/$defs/shared' } },
);

/**
 * A schema and a candidate value: made for the schema, or any small value. A validator decides whether it is valid.
 * Candidates have no properties without a rule in the schema: the type accepts them, but the compiler rejects them in a
 * literal.
 */
export const schemaAndValue = fc
  .record({
    root: schema,
    shared,
    any: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant({})),
    extent: fc.constantFrom('least' as const, 0, 1, 2),
    guess: fc.boolean(),
  })
  .map(({ root, shared, any, extent, guess }) => {
    const whole = { ...root, $defs: { shared } };
    return { schema: whole, value: guess ? any : (validSamples(whole, [extent])[0] ?? any) };
  });
