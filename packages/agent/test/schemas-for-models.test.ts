import { isRecord } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { Validator } from '@cfworker/json-schema';
import { describe, expect } from 'vitest';
import { type JsonSchema, modelSchema } from '../src/tools/model-schema.js';
import { agentAt, serve } from './harness.js';
import { corpusTools } from './model-corpus.js';
import { TestComputer, tool } from './test-computer.js';

const text = { type: 'string' };

/** Schemas of every kind that providers refuse, with arguments that the tool accepts. */
const SCHEMAS: Record<string, { readonly schema: JsonSchema; readonly args: Record<string, unknown> }> = {
  oneOf: {
    schema: {
      type: 'object',
      oneOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
    },
    args: { b: 'x' },
  },
  'anyOf with definitions': {
    schema: {
      anyOf: [{ $ref: '#/$defs/byName' }, { type: 'object', properties: { id: { type: 'integer' } } }],
      $defs: { byName: { type: 'object', properties: { name: text }, required: ['name'] } },
    },
    args: { name: 'x' },
  },
  'allOf with a parameter called arguments': {
    schema: { allOf: [{ type: 'object', properties: { arguments: { type: 'object' } } }] },
    args: { arguments: { arguments: 1 } },
  },
  'a reference at the top': {
    schema: {
      $ref: '#/definitions/tree',
      definitions: {
        tree: {
          type: 'object',
          properties: { name: text, children: { type: 'array', items: { $ref: '#/definitions/tree' } } },
        },
      },
    },
    args: { name: 'a', children: [{ name: 'b', children: [] }] },
  },
  'recursion to the top of a wrapped schema': {
    schema: { type: 'object', anyOf: [{}], properties: { next: { $ref: '#' }, same: { $ref: '#/properties/next' } } },
    args: { next: { next: {} } },
  },
  'references to nowhere, elsewhere and themselves': {
    schema: {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/missing' },
        b: { $ref: 'https://example.org/schema.json' },
        c: { $ref: '#/properties/c' },
      },
    },
    args: { a: 1, b: 'x', c: null },
  },
  'older drafts and vendors': {
    schema: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'x',
      type: 'object',
      properties: {
        pair: { type: 'array', items: [text, { type: 'integer' }], additionalItems: false },
        list: { type: 'array' },
        above: { type: 'number', minimum: 3, exclusiveMinimum: true },
        any: { type: 'any', 'x-order': 1, required: true, enum: [] },
        word: { type: 'string', pattern: '\\p{Nonsense}' },
        yes: true,
      },
      required: ['list', 'list'],
    },
    args: { pair: ['a', 1], list: [{}], above: 4, any: 1, word: 'w', yes: 0 },
  },
  'names that are not valid': {
    schema: {
      type: 'object',
      properties: {
        'StartTime<': text,
        'StartTime>': text,
        StartTime_: text,
        filter: {
          type: 'object',
          properties: { $and: { type: 'array', items: { $ref: '#/properties/filter/properties/$eq' } }, $eq: text },
        },
      },
      required: ['StartTime<'],
    },
    args: { 'StartTime<': 'a', 'StartTime>': 'b', StartTime_: 'c', filter: { $and: ['d'] } },
  },
};

describe('schemas for models', () => {
  for (const [what, { schema, args }] of Object.entries(SCHEMAS)) {
    verifies('AGT-ADAPT-04', `are accepted: ${what}`, () => {
      const { schema: made, restore } = modelSchema(schema);
      expect(problemsOf(made)).toEqual([]);
      const given = formOf(schema, made, args);
      expect(new Validator(made, '2020-12').validate(given).errors).toEqual([]);
      expect(restore(given)).toEqual(args);
      expect(restore(args)).toEqual(args);
    });
  }

  verifies('AGT-ADAPT-04', 'are accepted for every tool of the corpus', () => {
    for (const { name, inputSchema = {} } of corpusTools()) {
      expect([name, problemsOf(modelSchema(inputSchema).schema)]).toEqual([name, []]);
    }
  });

  verifies('AGT-ADAPT-04', 'keep what providers accept', () => {
    const schema = { type: 'object', properties: { a: { type: ['string', 'null'], default: { $ref: 'data' } } } };
    expect(modelSchema(schema).schema).toEqual(schema);
  });

  verifies('AGT-ADAPT-04', 'are those of a call: its arguments reach the tool in its own form', async () => {
    const { url } = await serve();
    const schema = { oneOf: [{ type: 'object', properties: { text }, required: ['text'] }] };
    await TestComputer.join(url, { tools: [tool('echo', { params_schema: schema })] });
    const agent = await agentAt(url);
    const [openAI] = agent.toOpenAITools();
    expect(openAI?.function.parameters).toMatchObject({ type: 'object', required: ['arguments'] });
    expect(agent.toAnthropicTools()[0]?.input_schema).toEqual(openAI?.function.parameters);
    const said = { content: [{ type: 'text', text: 'hi' }] };
    expect(await agent.callNamed('pc__echo', { arguments: { text: 'hi' } })).toMatchObject(said);
    expect(await agent.toAISDKTools().pc__echo?.execute({ arguments: { text: 'hi' } })).toMatchObject(said);
    expect(await agent.callNamed('pc__echo', { text: 'hi' })).toMatchObject(said);
  });
});

/** The arguments as a model gives them: wrapped, and under the names of the new schema. */
function formOf(schema: JsonSchema, made: JsonSchema, args: Record<string, unknown>): Record<string, unknown> {
  const [wrapper] = Array.isArray(made.required) ? made.required : [];
  if (!('properties' in schema) || 'anyOf' in schema || 'oneOf' in schema) return { [String(wrapper)]: args };
  const own = Object.keys(schema.properties as object);
  const names = Object.keys(made.properties as object);
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      names[own.indexOf(key)],
      key === 'filter' ? { _and: (value as Record<string, unknown>).$and } : value,
    ]),
  );
}

const AT_TOP = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref'];

/** What the APIs of OpenAI or Anthropic refuse. */
function problemsOf(root: JsonSchema): string[] {
  const problems = AT_TOP.filter((keyword) => keyword in root).map((keyword) => `${keyword} at the top`);
  if (root.type !== 'object' || !isRecord(root.properties)) problems.push('not an object');
  const visit = (schema: unknown, path: string): void => {
    if (!isRecord(schema)) {
      if (typeof schema !== 'boolean') problems.push(`${path}: no schema`);
      return;
    }
    if ('$schema' in schema || Object.keys(schema).some((keyword) => keyword.startsWith('x-')))
      problems.push(`${path}: keyword`);
    if (schema.type === 'array' && !isRecord(schema.items)) problems.push(`${path}: no items`);
    if ('required' in schema && !Array.isArray(schema.required)) problems.push(`${path}: required`);
    if (typeof schema.exclusiveMinimum === 'boolean') problems.push(`${path}: draft 4`);
    if (typeof schema.$ref === 'string' && !leads(root, schema.$ref)) problems.push(`${path}: ${schema.$ref}`);
    for (const keyword of ['properties', '$defs', 'definitions'])
      for (const [key, value] of Object.entries((schema[keyword] as object | undefined) ?? {})) {
        if (keyword === 'properties' && !/^[A-Za-z0-9_.-]{1,64}$/.test(key)) problems.push(`${path}: name ${key}`);
        visit(value, `${path}/${keyword}/${key}`);
      }
    for (const keyword of ['oneOf', 'anyOf', 'allOf', 'prefixItems'])
      for (const item of (schema[keyword] as unknown[] | undefined) ?? []) visit(item, `${path}/${keyword}`);
    for (const keyword of ['items', 'not', 'additionalProperties'])
      if (keyword in schema) visit(schema[keyword], `${path}/${keyword}`);
  };
  visit(root, '#');
  return problems;
}

function leads(root: JsonSchema, reference: string): boolean {
  const segments = reference.split('/').slice(1);
  let at: unknown = root;
  for (const segment of segments) at = (at as JsonSchema | undefined)?.[decodeURIComponent(segment)];
  return isRecord(at);
}
