import { readFileSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { Validator } from '@cfworker/json-schema';
import { describe, expect } from 'vitest';
import { jsonSchema, readConfig, SCHEMA_NAMES, type SchemaName } from '../src/index.js';

const stored = (name: SchemaName) =>
  JSON.parse(readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), 'utf8'));

describe.each(SCHEMA_NAMES)('%s', (name) => {
  verifies('CONF-SCHEMA-01', 'is up to date (run npm run schemas)', () => {
    expect(stored(name)).toEqual(jsonSchema(name));
  });
});

const url = 'https://e.example';
const stdio = { name: 's', type: 'stdio', server_parameters: { command: 'x' } };

/** Documents with the verdict of an editor that has only the JSON Schema, and of the reader. */
const documents: [SchemaName, unknown, boolean][] = [
  ['v1', { $schema: './v1.schema.json', version: 1, servers: {} }, true],
  ['v1', { version: 1, client: { roots: [{ uri: 'u' }] }, servers: { s: { transport: 'stdio', argv: ['x'] } } }, true],
  ['v1', { version: 1, servers: { s: { transport: 'streamable_http', url } } }, true],
  ['v1', { version: 1, servers: { s: { transport: 'streamable_http', sse_url: url, http_url: url } } }, true],
  ['v1', { version: 1, servers: { s: { transport: 'streamable_http', url, sse_url: url, http_url: url } } }, false],
  ['v1', { version: 1, servers: { s: { transport: 'streamable_http', sse_url: url } } }, false],
  ['v1', { version: 2, servers: {} }, false],
  ['v1', { version: 1, servers: {}, x: 1 }, false],
  ['v1', { version: 1, servers: { s: { transport: 'stdio', argv: [] } } }, false],
  ['v1', { version: 1, servers: { s: { transport: 'unix', unix_path: 'x', argv: ['x'] } } }, false],
  ['v1', { version: 1, servers: { 'a b': { transport: 'unix', unix_path: 'x' } } }, false],
  ['a2c-servers', stdio, true],
  ['a2c-servers', [stdio, { name: 't', type: 'http', url }], true],
  ['a2c-servers', { servers: [stdio], inputs: [{ id: 'i', type: 'promptString' }] }, true],
  ['a2c-servers', { ...stdio, extra: 1 }, false],
  ['a2c-servers', [{ name: 't', type: 'streamable', server_parameters: { url, timeout: 'soon' } }], false],
  ['a2c-inputs', [{ id: 'i', type: 'PickString', options: ['a'] }], true],
  ['a2c-inputs', { id: 'i', type: 'command', command: 'date', args: null }, true],
  ['a2c-inputs', [{ id: 'i', type: 'promptString', options: [] }], false],
];

describe('an editor agrees with the reader', () => {
  for (const [name, document, right] of documents) {
    verifies('CONF-SCHEMA-01', `${name}: ${JSON.stringify(document)}`, () => {
      expect(new Validator(stored(name), '2020-12').validate(document).valid).toBe(right);
      expect(readConfig(JSON.stringify(document), { file: 'x' }).config !== null).toBe(right);
    });
  }
});
