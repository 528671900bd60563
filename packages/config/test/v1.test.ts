import { type RequirementId, verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { errorsOf, read, readOne } from './reading.js';

const file = (server: unknown, rest: object = {}) => ({ version: 1, ...rest, servers: { s: server } });
const stdio = (more: object = {}) => file({ transport: 'stdio', argv: ['x'], ...more });
const http = (more: object = {}) => file({ transport: 'streamable_http', url: 'https://e.example/mcp', ...more });
const log = (stdout_log: unknown) => stdio({ stdout_log });
const client = (value: unknown) => ({ version: 1, client: value, servers: {} });

/** Everything the v1 schema rejects: the document and the error with its path. */
const refusals: [RequirementId, string, unknown, string][] = [
  ['KIT-TOP-01', 'another version', { version: 2, servers: {} }, '/version: only version 1 is supported'],
  ['KIT-TOP-04', 'no servers', { version: 1 }, '/servers: "servers" is missing'],
  ['KIT-TOP-04', 'null servers', { version: 1, servers: null }, '/servers: expected an object'],
  ['KIT-CLOSED-01', 'an unknown root key', { version: 1, servers: {}, extra: 1 }, '/extra: unknown key "extra"'],
  [
    'KIT-TOP-02',
    'a blank protocol version',
    client({ protocol_version: ' ' }),
    '/client/protocol_version: must not be blank',
  ],
  [
    'KIT-TOP-03',
    'capabilities that are no object',
    client({ capabilities: [] }),
    '/client/capabilities: expected an object',
  ],
  ['KIT-ROOTS-03', 'a root without uri', client({ roots: [{}] }), '/client/roots/0/uri: "uri" is missing'],
  [
    'KIT-ROOTS-03',
    'a root with a blank uri',
    client({ roots: [{ uri: '' }] }),
    '/client/roots/0/uri: must not be blank',
  ],
  [
    'KIT-ROOTS-03',
    'a root with a blank name',
    client({ roots: [{ uri: 'u', name: ' ' }] }),
    '/client/roots/0/name: must not be blank',
  ],
  ['KIT-ROOTS-03', 'a root with more', client({ roots: [{ uri: 'u', x: 1 }] }), '/client/roots/0/x: unknown key "x"'],
  ['KIT-CLOSED-01', 'an unknown client key', client({ name: 'x' }), '/client/name: unknown key "name"'],
  ['KIT-FIELD-01', 'no transport', file({ argv: ['x'] }), '/servers/s/transport: "transport" is missing'],
  [
    'KIT-FIELD-01',
    'an unknown transport',
    file({ transport: 'sse', url: 'x' }),
    '/servers/s/transport: not an allowed value',
  ],
  ['KIT-FIELD-01', 'a server that is no object', file('x'), '/servers/s: expected an object'],
  ['KIT-STDIO-01', 'no argv', file({ transport: 'stdio' }), '/servers/s/argv: "argv" is missing'],
  ['KIT-STDIO-01', 'null argv', file({ transport: 'stdio', argv: null }), '/servers/s/argv: "argv" is missing'],
  ['KIT-STDIO-01', 'empty argv', stdio({ argv: [] }), '/servers/s/argv: must name a program'],
  ['KIT-STDIO-01', 'a blank argv item', stdio({ argv: ['x', ' '] }), '/servers/s/argv/1: must not be blank'],
  [
    'KIT-STDIO-02',
    'inherit_env as text',
    stdio({ inherit_env: 'no' }),
    '/servers/s/inherit_env: expected true or false',
  ],
  ['KIT-STDIO-03', 'null env', stdio({ env: null }), '/servers/s/env: expected an object'],
  ['KIT-STDIO-03', 'a blank env key', stdio({ env: { ' ': 'x' } }), '/servers/s/env/ : must not be blank'],
  ['KIT-STDIO-04', 'a log without path', log({}), '/servers/s/stdout_log/path: "path" is missing'],
  ['KIT-STDIO-04', 'a log with a blank path', log({ path: '' }), '/servers/s/stdout_log/path: must not be blank'],
  ['KIT-STDIO-05', 'a log that climbs', log({ path: 'a/../b' }), '/servers/s/stdout_log/path: must not contain ".."'],
  [
    'KIT-STDIO-05',
    'a log that climbs backwards',
    log({ path: 'a\\..\\b' }),
    '/servers/s/stdout_log/path: must not contain ".."',
  ],
  [
    'KIT-STDIO-06',
    'log parts of 0 bytes',
    log({ path: 'l', max_bytes_per_part: 0 }),
    '/servers/s/stdout_log/max_bytes_per_part: must be at least 1',
  ],
  [
    'KIT-STDIO-07',
    'log parts below 0',
    log({ path: 'l', max_parts: -1 }),
    '/servers/s/stdout_log/max_parts: must be 0 (keep all) or more',
  ],
  [
    'KIT-STDIO-07',
    'half log parts',
    log({ path: 'l', max_parts: 1.5 }),
    '/servers/s/stdout_log/max_parts: expected a whole number',
  ],
  [
    'KIT-CLOSED-01',
    'an unknown log key',
    log({ path: 'l', gzip: true }),
    '/servers/s/stdout_log/gzip: unknown key "gzip"',
  ],
  ['KIT-UNIX-01', 'no unix_path', file({ transport: 'unix' }), '/servers/s/unix_path: "unix_path" is missing'],
  [
    'KIT-UNIX-01',
    'an empty unix_path',
    file({ transport: 'unix', unix_path: '' }),
    '/servers/s/unix_path: must not be blank',
  ],
  ['KIT-HTTP-01', 'no url', http({ url: null }), '/servers/s: "url" is missing'],
  [
    'KIT-HTTP-01',
    'a url that is none',
    http({ url: 'example.com' }),
    '/servers/s/url: expected an http:// or https:// URL, or http+unix:// with the path of a socket',
  ],
  [
    'KIT-HTTP-01',
    'a url of another scheme',
    http({ url: 'ftp://e.example' }),
    '/servers/s/url: expected an http:// or https:// URL, or http+unix:// with the path of a socket',
  ],
  [
    'KIT-HTTP-02',
    'sse_url alone',
    http({ url: null, sse_url: 'https://e.example' }),
    '/servers/s/sse_url: "sse_url" also needs "http_url"',
  ],
  [
    'KIT-HTTP-02',
    'http_url alone',
    http({ url: null, http_url: 'https://e.example' }),
    '/servers/s/http_url: "http_url" also needs "sse_url"',
  ],
  [
    'KIT-HTTP-02',
    'sse_url beside url',
    http({ sse_url: 'https://e.example' }),
    '/servers/s/sse_url: "sse_url" cannot be combined with "url"',
  ],
  [
    'KIT-HTTP-03',
    'an illegal header name',
    http({ http_headers: { 'X A': 'b' } }),
    '/servers/s/http_headers/X A: not a legal HTTP header name',
  ],
  [
    'KIT-HTTP-03',
    'a header with a line break',
    http({ http_headers: { A: 'b\r\nC: d' } }),
    '/servers/s/http_headers/A: not a legal HTTP header value',
  ],
  ['KIT-HTTP-03', 'a blank header', http({ http_headers: { A: ' ' } }), '/servers/s/http_headers/A: must not be blank'],
  ['KIT-HTTP-03', 'null headers', http({ http_headers: null }), '/servers/s/http_headers: expected an object'],
  [
    'KIT-HTTP-03',
    'both spellings of headers',
    http({ headers: {}, http_headers: {} }),
    '/servers/s/headers: "headers" and "http_headers" are the same field; keep one',
  ],
  [
    'KIT-HTTP-04',
    'a blank bearer variable',
    http({ bearer_token_env_var: '' }),
    '/servers/s/bearer_token_env_var: must not be blank',
  ],
  [
    'KIT-HTTP-05',
    'a blank env header',
    http({ env_http_headers: { A: '' } }),
    '/servers/s/env_http_headers/A: must not be blank',
  ],
  ['KIT-CLOSED-01', 'comments', '{"version":1,/* hi */"servers":{}}', ': comments and trailing commas are not JSON'],
  ['KIT-CLOSED-01', 'a trailing comma', '{"version":1,"servers":{},}', ': comments and trailing commas are not JSON'],
  ['KIT-TOP-04', 'a key twice', '{"version":1,"servers":{},"servers":{}}', '/servers: the key "servers" is repeated'],
  [
    'KIT-NAME-01',
    'the reserved name "all"',
    '{"version":1,"servers":{"all":{"transport":"unix","unix_path":"x"}}}',
    '/servers/all: a server cannot be called "all", which means every server in commands',
  ],
];

describe('v1 rejects', () => {
  for (const [id, title, document, error] of refusals) {
    verifies(id, title, () => {
      expect(errorsOf(document)).toEqual([error]);
    });
  }

  for (const name of ['', ' ', 'a b', 'a.b', '@org/x', 'ä', 'a ', ' a', 'a\n']) {
    verifies('KIT-NAME-01', `the name ${JSON.stringify(name)}`, () => {
      const servers = { [name]: { transport: 'unix', unix_path: 'x' } };
      expect(errorsOf({ version: 1, servers })[0]).toContain('a server name may use only letters, digits');
    });
  }
});

describe('v1 accepts', () => {
  verifies('KIT-TOP-04', 'no servers, and null in optional fields', () => {
    expect(read({ version: 1, client: null, servers: {} })).toMatchObject({ servers: [], client: null });
    const nothing = { inherit_env: null, stdout_log: null, url: null, unix_path: null, bearer_token_env_var: null };
    expect(readOne(stdio(nothing)).transport).toMatchObject({ inherit_env: false, stdout_log: null });
    const roots = read(client({ protocol_version: null, capabilities: null, roots: [] })).client;
    expect(roots).toEqual({ protocol_version: null, capabilities: null, roots: [] });
  });

  verifies('KIT-NAME-01', 'every allowed character', () => {
    expect(readOne({ version: 1, servers: { 'aZ0_-': { transport: 'unix', unix_path: 'x' } } }).name).toBe('aZ0_-');
  });

  verifies(['KIT-STDIO-06', 'KIT-STDIO-07'], 'logs with defaults, and without a limit of parts', () => {
    expect(readOne(log({ path: 'l' })).transport).toMatchObject({
      stdout_log: { path: 'l', max_bytes_per_part: 1_048_576, max_parts: 32 },
    });
    expect(readOne(log({ path: 'l', max_parts: 0, max_bytes_per_part: 1 })).transport).toMatchObject({
      stdout_log: { max_bytes_per_part: 1, max_parts: null },
    });
    expect(readOne(log({ path: 'a..b/c' })).transport).toMatchObject({ stdout_log: { path: 'a..b/c' } });
  });

  verifies(['KIT-HTTP-02', 'KIT-HTTP-03'], 'two URLs with placeholders, and headers instead of http_headers', () => {
    const split = { sse_url: 'https://${HOST}/sse', http_url: 'https://e.example/post' };
    expect(readOne(http({ url: null, ...split, headers: { A: 'b' } })).transport).toMatchObject({
      url: 'https://e.example/post',
      sse_url: 'https://${HOST}/sse',
      http_headers: { A: 'b' },
    });
  });
});
