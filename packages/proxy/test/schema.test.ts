import { SchemaConverter } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect } from 'vitest';
import { corpus } from './corpus.js';

const convert = (schema: unknown) => new SchemaConverter().convert(schema);

const string = { type: 'string' };
const number = { type: 'number' };

/** The type of each kind of schema. */
const TABLE: readonly (readonly [string, unknown, string])[] = [
  [
    'the example of the document',
    { type: 'object', properties: { path: string }, required: ['path'] },
    '{path: string}',
  ],
  ['nothing', {}, 'unknown'],
  ['true and false', { type: 'object', properties: { a: true, b: false } }, '{a?: unknown,b?: never}'],
  ['not a schema', 'text', 'unknown'],
  ['string', { type: 'string', format: 'date-time' }, 'string'],
  ['integer', { type: 'integer' }, 'number'],
  ['boolean and null', { type: ['boolean', 'null'] }, 'boolean|null'],
  ['an unknown type', { type: 'custom' }, 'unknown'],
  ['array', { type: 'array', items: string }, 'string[]'],
  ['array of anything', { type: 'array' }, 'unknown[]'],
  ['array of a union', { type: 'array', items: { enum: ['a', 'b'] } }, '("a"|"b")[]'],
  ['array or null', { type: ['array', 'null'], items: number }, 'number[]|null'],
  ['tuple of 2020-12', { type: 'array', prefixItems: [string, number], minItems: 1, items: false }, '[string,number?]'],
  ['tuple of draft-07', { type: 'array', items: [string], additionalItems: number }, '[string?,...number[]]'],
  [
    'object, in the order of the schema',
    { type: 'object', properties: { b: string, a: number }, required: ['a'] },
    '{b?: string,a: number}',
  ],
  ['required but not described', { type: 'object', properties: {}, required: ['a'] }, '{a: unknown}'],
  ['empty object', { type: 'object', properties: {} }, '{}'],
  ['no properties at all', { type: 'object' }, 'Record<string,unknown>'],
  ['map', { type: 'object', additionalProperties: string }, 'Record<string,string>'],
  [
    'map by pattern',
    { type: 'object', patternProperties: { '^x': number }, additionalProperties: false },
    'Record<string,number>',
  ],
  [
    'open object',
    { type: 'object', properties: { a: string }, additionalProperties: true },
    '{a?: string,[key: string]: unknown}',
  ],
  [
    'names that need quotes',
    { type: 'object', properties: { 'my-key': string, '1a': string, $ok_1: string } },
    '{"my-key"?: string,"1a"?: string,$ok_1?: string}',
  ],
  ['object without type', { properties: { a: string } }, '{a?: string}'],
  ['array without type', { items: string }, 'string[]'],
  ['enum', { enum: ['a"b', 3, null, true, 1.5, -1] }, '"a\\"b"|3|null|true|1.5|-1'],
  ['enum of structures', { enum: [{ x: [1] }, []] }, '{x: [1]}|[]'],
  ['empty enum', { type: 'string', enum: [] }, 'never'],
  ['const', { const: 'v' }, '"v"'],
  ['anyOf without repetition', { anyOf: [string, string, { type: 'null' }] }, 'string|null'],
  ['oneOf with something unknown', { oneOf: [string, {}] }, 'unknown'],
  [
    'allOf',
    { allOf: [{ properties: { a: string } }, { properties: { b: number }, required: ['b'] }] },
    '{a?: string,b: number}',
  ],
  [
    'allOf of unlike kinds',
    { allOf: [{ anyOf: [string, number] }, { anyOf: [number, { type: 'null' }] }] },
    '(string|number)&(number|null)',
  ],
  [
    'oneOf that only lists what is required',
    { type: 'object', properties: { a: string }, oneOf: [{ required: ['a'] }] },
    '{a?: string}',
  ],
  [
    'properties without type beside a string',
    { properties: { a: string }, anyOf: [string, { type: 'object' }] },
    'string|Record<string,unknown>',
  ],
  ['nullable', { type: 'string', nullable: true }, 'string|null'],
  ['not, if, else', { not: string, if: string, else: number }, 'unknown'],
  ['reference', { $ref: '#/$defs/A', $defs: { A: string } }, 'string'],
  ['reference of draft-07', { $ref: '#/definitions/A', definitions: { A: string } }, 'string'],
  [
    'reference by pointer',
    { type: 'object', properties: { a: { type: 'array', items: number }, b: { $ref: '#/properties/a/items' } } },
    '{a?: number[],b?: number}',
  ],
  ['escaped pointer', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': number } }, 'number'],
  ['anchor', { $ref: '#x', $defs: { A: { $anchor: 'x', type: 'string' } } }, 'string'],
  ['a document elsewhere', { $ref: 'https://example.com/schema.json' }, 'unknown'],
  [
    'keywords beside a reference, 2020-12',
    { $ref: '#/$defs/A', properties: { b: string }, $defs: { A: { type: 'object', properties: { a: string } } } },
    '{b?: string,a?: string}',
  ],
  [
    'keywords beside a reference, draft-07',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/A',
      type: 'number',
      definitions: { A: string },
    },
    'string',
  ],
  ['a circle of nothing', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }, 'unknown'],
  [
    'a cycle through an array or object',
    { $ref: '#/$defs/A', $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, string] } } },
    'unknown',
  ],
  [
    'recursive',
    {
      $ref: '#/$defs/list_node',
      $defs: { list_node: { type: 'object', properties: { next: { $ref: '#/$defs/list_node' } } } },
    },
    'ListNode\ntype ListNode = {next?: ListNode}',
  ],
  [
    'a recursive map, which cannot be a Record',
    { $ref: '#/$defs/M', $defs: { M: { type: 'object', additionalProperties: { $ref: '#/$defs/M' } } } },
    'M\ntype M = {[key: string]: M}',
  ],
];

describe('JSON Schema as TypeScript', () => {
  for (const [what, schema, type] of TABLE) {
    verifies('MCPX-SCHEMA-02', what, () => expect(convert(schema)).toBe(type));
  }

  verifies('MCPX-SCHEMA-02', 'repeated types get a name where that is shorter', () => {
    const address = {
      type: 'object',
      properties: { street: string, city: string, country: string },
      required: ['street'],
    };
    expect(
      convert({
        type: 'object',
        properties: { home: address, work: address, other: { type: 'array', items: address } },
      }),
    ).toBe('{home?: Home,work?: Home,other?: Home[]}\ntype Home = {street: string,city?: string,country?: string}');
    expect(convert({ type: 'object', properties: { a: { enum: ['x', 'y'] }, b: { enum: ['x', 'y'] } } })).toBe(
      '{a?: "x"|"y",b?: "x"|"y"}',
    );
  });

  verifies('MCPX-SCHEMA-02', 'tools of one server share common options', () => {
    const common = {
      tenant: string,
      'retry-delay': number,
      'retry-max-delay': number,
      'auth-method': { enum: ['Key', 'Credential'] },
    };
    const schemas = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      type: 'object',
      properties: { ...common, [name]: string },
      required: [name],
    }));
    const { types, declarations } = new SchemaConverter().convertAll([
      ...schemas,
      { type: 'object', properties: { z: string } },
    ]);
    expect(types.slice(0, 2)).toEqual(['Common&{a: string}', 'Common&{b: string}']);
    expect(types.at(-1)).toBe('{z?: string}');
    expect(declarations).toEqual([
      'type Common = {tenant?: string,"retry-delay"?: number,"retry-max-delay"?: number,"auth-method"?: "Key"|"Credential"}',
    ]);
  });

  verifies('MCPX-SCHEMA-02', 'a converter has no state between schemas and accepts any depth', () => {
    const converter = new SchemaConverter();
    converter.convert({ $ref: '#/$defs/A', $defs: { A: string } });
    expect(converter.convert({ $ref: '#/$defs/A' })).toBe('unknown');
    let deep: object = string;
    for (let level = 0; level < 5_000; level++) deep = { type: 'array', items: deep };
    expect(converter.convert(deep)).toMatch(/^unknown(\[\])+$/);
  });

  verifies('MCPX-SCHEMA-06', 'nested definitions that are each used twice take linear time', () => {
    const levels = 28;
    const started = performance.now();
    for (const join of [
      (next: object) => ({ type: 'object', properties: { a: next, b: next } }),
      (next: object) => ({
        anyOf: [{ type: 'array', items: next }, next, { type: 'object', properties: { a: next } }],
      }),
    ]) {
      const text = convert(definitions(levels, (next) => join(reference(next)), string));
      expect(text.length).toBeLessThan(100 * levels);
    }
    expect(performance.now() - started).toBeLessThan(30_000); // typically 10 ms; inlining every copy would take hours
  });

  verifies('MCPX-SCHEMA-06', 'chains and cycles of references and deep values are converted', () => {
    const long = 2_000;
    expect(convert(definitions(long, reference, string))).toBe('string');
    expect(convert(definitions(long, (next) => ({ type: 'array', items: reference(next) }), string))).toMatch(/\[\]/);
    expect(convert(definitions(long, (next) => reference(next % long), string))).toBe('unknown');
    const ring = definitions(long, (next) => ({ type: 'object', properties: { a: reference(next % long) } }), string);
    expect(convert(ring).split('\n')).toHaveLength(long + 1);
    let value: unknown = 1;
    for (let level = 0; level < 50_000; level++) value = [value];
    expect(convert({ enum: [value] })).toMatch(/^\[+unknown\]+$/);
    const commented = new SchemaConverter({ maxDescriptionLength: 80 });
    expect(commented.convert({ type: 'object', properties: { a: { default: value } } })).toMatch(/^\{a\?: unknown/);
  });

  verifies('MCPX-SCHEMA-02', 'a type that equals a definition gets its name', () => {
    const node = { type: 'object', properties: { name: string, next: { $ref: '#/$defs/Node' } } };
    expect(convert({ type: 'object', properties: { first: node }, $defs: { Node: node } })).toBe(
      '{first?: Node}\ntype Node = {name?: string,next?: Node}',
    );
  });

  verifies('CHOICE-INSPECT-02', 'comments contain bounds inside unions and items, and what branches are for', () => {
    const commented = new SchemaConverter({ maxDescriptionLength: 80 });
    const cases: readonly [unknown, string][] = [
      [{ anyOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { type: 'null' }] }, 'number|null /* integer, 1..9 */'],
      [{ type: ['string', 'null'], pattern: '^a' }, 'string|null /* /^a/ */'],
      [
        { type: 'array', uniqueItems: true, items: { type: 'string', format: 'uuid' } },
        'string[] /* unique, each uuid */',
      ],
      [{ type: 'number', multipleOf: 0.5 }, 'number /* multiple of 0.5 */'],
      [{ $ref: '#/$defs/Port' }, 'number /* A TCP port; integer, 1..65535 */'],
      [
        { type: 'array', items: { $ref: '#/$defs/Port' } },
        'number[] /* each: A TCP port; each integer, each 1..65535 */',
      ],
      [
        {
          oneOf: [
            { type: 'string', description: 'A name' },
            { type: 'number', description: 'An id', minimum: 1 },
          ],
        },
        'string|number /* one of: A name | An id; >= 1 */',
      ],
      [
        { type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } },
        '{a?: unknown,b?: unknown} /* a needs b */',
      ],
      [
        { type: 'string', description: `${'First sentence. '.repeat(6)}` },
        `string /* ${'First sentence. '.repeat(4)}... */`,
      ],
    ];
    for (const [schema, type] of cases) {
      const root = {
        type: 'object',
        properties: { x: schema },
        $defs: { Port: { type: 'integer', minimum: 1, maximum: 65_535, description: 'A TCP port' } },
      };
      expect(commented.convert(root)).toBe(`{x?: ${type}}`);
    }
  });

  verifies('CHOICE-INSPECT-03', 'a required parameter with a default may be left out', () => {
    const schema = {
      type: 'object',
      properties: { a: string, b: { type: 'number', default: 3 } },
      required: ['a', 'b'],
    };
    expect(convert(schema)).toBe('{a: string,b?: number}');
  });

  verifies('MCPX-SCHEMA-04', 'comments contain what types cannot express', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where to look,\n in /* the */ tree', default: '.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10, description: 'How many. Default: 10' },
        since: { type: 'string', format: 'date-time' },
        tags: { type: 'array', items: string, maxItems: 5 },
        any: { type: 'number', minimum: -9007199254740991 },
        old: { type: 'boolean', deprecated: true },
      },
    };
    expect(new SchemaConverter({ maxDescriptionLength: 20 }).convert(schema)).toBe(
      '{path?: string /* Where to look, in...; default "." */,limit?: number /* How many. Default...; integer, 1..100 */,' +
        'since?: string /* date-time */,tags?: string[] /* items <= 5 */,any?: number,old?: boolean /* deprecated */}',
    );
    expect(new SchemaConverter({ maxDescriptionLength: 80 }).convert(schema)).toContain(
      '/* Where to look, in /* the * / tree;',
    );
    expect(convert(schema)).not.toContain('/*');
  });

  verifies('MCPX-SCHEMA-05', 'types cost a fraction of the schemas, for a server and for single tools', () => {
    const json = (value: unknown) => countTokens(JSON.stringify(value));
    let [schemas, types, alone, lists, listings] = [0, 0, 0, 0, 0];
    for (const { tools } of [...corpus(), WORDY]) {
      const { types: each, declarations } = new SchemaConverter().convertAll(
        tools.map(({ inputSchema }) => inputSchema),
      );
      const lines = tools.map(({ name, description }, index) => `- ${name} ${each[index]}: ${description ?? ''}`);
      schemas += tools.reduce((sum, { inputSchema }) => sum + json(inputSchema), 0);
      alone += tools.reduce((sum, { inputSchema }) => sum + countTokens(convert(inputSchema)), 0);
      types += countTokens([...each, ...declarations].join('\n'));
      lists += json(tools);
      listings += countTokens([...declarations, ...lines].join('\n'));
    }
    expect(types / schemas).toBeLessThanOrEqual(0.18);
    expect(alone / schemas).toBeLessThanOrEqual(0.18);
    expect(listings / lists).toBeLessThanOrEqual(0.27);
  });
});

const reference = (index: number) => ({ $ref: `#/$defs/A${index}` });

/** Definitions A0, A1, …, each made from the index of the next. */
function definitions(count: number, make: (next: number) => object, last: object): object {
  const made = Array.from({ length: count }, (_, index) => [`A${index}`, make(index + 1)]);
  return { ...reference(0), $defs: { ...Object.fromEntries(made), [`A${count}`]: last } };
}

/** A catalogue with long descriptions, for machines without the corpus. */
const WORDY = {
  tools: Array.from({ length: 8 }, (_, index) => ({
    name: `list_things_${index}`,
    description: 'List the things of a project',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      additionalProperties: false,
      required: ['project'],
      properties: {
        project: {
          type: 'string',
          minLength: 1,
          description: 'The identifier of the project whose things are to be listed, as shown in its address',
        },
        page: {
          type: 'integer',
          minimum: 1,
          default: 1,
          description: 'The number of the page, beginning with one, when there are more things than fit on one',
        },
        order: {
          type: 'string',
          enum: ['asc', 'desc'],
          description: 'Whether the oldest or the newest of the things come first in the list',
        },
      },
    },
  })),
};
