import type { ToolboxTool } from '@a2c/proxy';

const tool = (name: string, inputSchema: Record<string, unknown>): ToolboxTool => ({ name, inputSchema });

/** Unusual JSON Schemas, also for machines without the corpus. */
export const HANDWRITTEN: readonly ToolboxTool[] = [
  tool('nothing', { type: 'object' }),
  tool('read', { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }),
  tool('tree', {
    type: 'object',
    properties: { root: { $ref: '#/$defs/Node' } },
    required: ['root'],
    $defs: {
      Node: {
        type: 'object',
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
        required: ['name'],
      },
    },
  }),
  tool('draft7', {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      point: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false, minItems: 2 },
      by: { $ref: '#/definitions/Order', type: 'number' },
    },
    definitions: { Order: { enum: ['asc', 'desc'] } },
    required: ['point'],
  }),
  tool('odd-names', {
    type: 'object',
    properties: { 'content-type': { type: 'string' }, '2fa': { type: 'boolean' }, class: { const: 'x' } },
    required: ['content-type'],
  }),
  tool('one-of-two', {
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' }, kind: { type: ['string', 'null'] } },
    required: ['kind'],
    oneOf: [{ required: ['id'] }, { required: ['name'] }],
  }),
  tool('both', {
    type: 'object',
    allOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] },
    ],
    required: ['a'],
  }),
  tool('maps', {
    type: 'object',
    properties: {
      env: { type: 'object', additionalProperties: { type: 'string' } },
      open: { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: true },
      patterned: { type: 'object', patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
      nullable: { type: 'string', nullable: true },
    },
    required: ['env'],
  }),
];
