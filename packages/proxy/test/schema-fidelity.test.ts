import { SchemaConverter } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { corpus } from './corpus.js';
import { schemaAndValue } from './random-schemas.js';
import { validSamples } from './samples.js';
import { HANDWRITTEN } from './schemas.js';
import { refused, type TypedValue } from './type-check.js';

const converter = new SchemaConverter();

interface Case extends TypedValue {
  readonly tool: string;
}

const handwritten = { name: 'handwritten', tools: HANDWRITTEN };

/** Converted server by server, with shared declarations, as `inspect` shows them. */
function casesOf(valuesFor: (schema: Record<string, unknown>) => readonly unknown[]): Case[] {
  return [handwritten, ...corpus()].flatMap(({ name, tools }) => {
    const { types, declarations } = converter.convertAll(tools.map(({ inputSchema }) => inputSchema));
    return tools.flatMap((tool, index) => {
      const type = types[index] as string;
      const used = reachable(type, declarations);
      return valuesFor(tool.inputSchema).map((value) => ({
        tool: `${name}/${tool.name}`,
        type,
        declarations: used,
        value,
      }));
    });
  });
}

/** Only the declarations that a type needs; all of them before each value would dominate the compile time. */
function reachable(type: string, declarations: readonly string[]): string[] {
  const wanted = new Set<string>();
  const visit = (text: string): void => {
    for (const declaration of declarations) {
      const name = /^type (\w+)/.exec(declaration)?.[1] as string;
      if (wanted.has(declaration) || !new RegExp(`\\b${name}\\b`).test(text)) continue;
      wanted.add(declaration);
      visit(declaration);
    }
  };
  visit(type);
  return [...wanted];
}

/** Samples of every tool of every catalogue. */
const samples = casesOf((schema) => validSamples(schema));

/** Samples without a required property. */
const incomplete = casesOf((schema) => {
  const properties = (schema.properties ?? {}) as Record<string, { default?: unknown }>;
  const names = (schema.required as string[] | undefined) ?? [];
  const required = names.find((name) => properties[name]?.default === undefined);
  const [sample] = validSamples(schema, ['least']);
  if (required === undefined || sample === undefined) return [];
  const { [required]: _left, ...rest } = sample as Record<string, unknown>;
  return [rest];
});

/** Random schemas, each with a value that it accepts. */
const random = fc
  .sample(schemaAndValue, { numRuns: 1500, seed: 20_260_728 })
  .filter(({ schema, value }) => new Validator(schema, '2020-12', false).validate(value).valid)
  .map(({ schema, value }) => {
    const { types, declarations } = converter.convertAll([schema]);
    return { tool: JSON.stringify(schema), type: types[0] as string, declarations, value };
  });

describe('the type accepts every value the schema accepts', () => {
  let wrong: ReadonlySet<Case>;
  beforeAll(() => {
    // One run of the compiler for all: its start takes most of the time.
    wrong = new Set(refused([...samples, ...incomplete, ...random]));
  });
  const wrongOf = (cases: readonly Case[]) =>
    cases.filter((one) => wrong.has(one)).map(({ tool, type, value }) => ({ tool, type, value }));

  verifies('MCPX-SCHEMA-03', 'for samples of every tool of every catalogue', () => {
    expect(wrongOf(samples)).toEqual([]);
    const tools = [handwritten, ...corpus()].flatMap(({ tools }) => tools).length;
    expect(new Set(samples.map(({ tool }) => tool)).size / tools).toBeGreaterThan(0.97);
  });

  verifies('MCPX-SCHEMA-03', 'and the compiler rejects a sample without a required property', () => {
    expect(incomplete.length).toBeGreaterThan(0);
    expect(incomplete.length - wrongOf(incomplete).length).toBe(0);
  });

  verifies('MCPX-SCHEMA-03', 'for random schemas and values', () => {
    expect(random.length).toBeGreaterThan(250);
    expect(wrongOf(random)).toEqual([]);
  });
});
