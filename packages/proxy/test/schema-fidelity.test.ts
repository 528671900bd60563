import { SchemaConverter } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
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

describe('the type accepts every value the schema accepts', () => {
  verifies('MCPX-SCHEMA-03', 'for samples of every tool of every catalogue', () => {
    const cases = casesOf((schema) => validSamples(schema));
    expect(refused(cases).map(({ tool, type, value }) => ({ tool, type, value }))).toEqual([]);
    const tools = [handwritten, ...corpus()].flatMap(({ tools }) => tools).length;
    expect(new Set(cases.map(({ tool }) => tool)).size / tools).toBeGreaterThan(0.97);
  });

  verifies('MCPX-SCHEMA-03', 'and the compiler rejects a sample without a required property', () => {
    const cases = casesOf((schema) => {
      const properties = (schema.properties ?? {}) as Record<string, { default?: unknown }>;
      const names = (schema.required as string[] | undefined) ?? [];
      const required = names.find((name) => properties[name]?.default === undefined);
      const [sample] = validSamples(schema, ['least']);
      if (required === undefined || sample === undefined) return [];
      const { [required]: _left, ...rest } = sample as Record<string, unknown>;
      return [rest];
    });
    expect(cases.length).toBeGreaterThan(0);
    expect(cases.length - refused(cases).length).toBe(0);
  });

  verifies('MCPX-SCHEMA-03', 'for random schemas and values', () => {
    const pairs = fc.sample(schemaAndValue, { numRuns: 1500, seed: 20_260_728 });
    const valid = pairs.filter(({ schema, value }) => new Validator(schema, '2020-12', false).validate(value).valid);
    const cases = valid.map(({ schema, value }) => {
      const { types, declarations } = converter.convertAll([schema]);
      return { type: types[0] as string, declarations, value, schema: JSON.stringify(schema) };
    });
    expect(cases.length).toBeGreaterThan(250);
    expect(refused(cases)).toEqual([]);
  });
});
