import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { formatProblem, readConfig } from '../src/index.js';
import { refused } from './reading.js';

const problemsOf = (text: string) => readConfig(text, { file: 'mcp.json' }).problems;

describe('a problem', () => {
  verifies(['CONF-TELL-01', 'CONF-TELL-02'], 'tells file, line, column, pointer, and what is allowed', () => {
    const text = '{\n  "version": 1,\n  "servers": {\n    "a/b~c": { "transport": "stdoi" }\n  }\n}';
    const named = text.replace('a/b~c', 'abc');
    expect(problemsOf(named)).toEqual([
      {
        severity: 'error',
        file: 'mcp.json',
        line: 4,
        column: 14,
        pointer: '/servers/abc/transport',
        message: 'not an allowed value',
        allowed: ['stdio', 'unix', 'streamable_http'],
        did_you_mean: 'stdio',
      },
    ]);
    expect(problemsOf(named).map(formatProblem)).toEqual([
      'mcp.json:4:14: error at /servers/abc/transport: not an allowed value; did you mean "stdio"?; allowed: stdio, unix, streamable_http',
    ]);
    expect(problemsOf(text)[0]?.pointer).toBe('/servers/a~1b~0c');
  });

  verifies('CONF-TELL-01', 'of the text has its place too, and lines end as editors end them', () => {
    const cases: [string, number, number, string][] = [
      ['', 1, 1, 'the file ends too early'],
      ['{"a":1\n', 2, 1, 'expected "," or "}"'],
      ['{\r\n  a: 1}', 2, 3, 'expected a key in double quotes'],
      ['[1 2]', 1, 4, 'expected "," or "]"'],
      ['{"a" 1}', 1, 6, 'expected ":" after the key'],
      ['{"a": "x\n"}', 1, 9, 'a line break or control character in a string'],
      ['{"a": "\\x"}', 1, 8, 'a bad escape in a string'],
      ['{"a": "x', 1, 7, 'this string is never closed'],
      ['{} x', 1, 4, 'expected the end of the file'],
      ['{"a": tru}', 1, 7, 'expected a JSON value'],
      ['{"a": 01}', 1, 8, 'expected "," or "}"'],
      ['/* x', 1, 1, 'this comment is never closed'],
      ['['.repeat(200), 1, 102, 'nested deeper than 100 levels'],
    ];
    for (const [text, line, column, message] of cases) {
      expect(problemsOf(text), text).toMatchObject([{ line, column, message: `not JSON: ${message}` }]);
    }
  });

  verifies('CONF-TELL-02', 'suggests near keys only', () => {
    const suggestion = (key: string) =>
      refused({ version: 1, servers: { s: { transport: 'stdio', argv: ['x'], [key]: true } } })[0]?.did_you_mean;
    expect(['inheritEnv', 'inherit-env', 'inehrit_env', 'stdoutlog', 'evn', 'zebra'].map(suggestion)).toEqual([
      'inherit_env',
      'inherit_env',
      'inherit_env',
      'stdout_log',
      'env',
      undefined,
    ]);
  });

  verifies('CONF-TELL-03', 'comes with all others, in the order of the file', () => {
    const servers = {
      a: { transport: 'stdio', argv: [''], x: 1, y: 2 },
      b: { transport: 'unix' },
      c: { transport: 'streamable_http', http_headers: { 'a b': 'c', d: '' } },
    };
    const pointers = refused({ version: 1, servers, extra: true }).map(({ pointer }) => pointer);
    expect(pointers).toEqual([
      '/servers/a/argv/0',
      '/servers/a/x',
      '/servers/a/y',
      '/servers/b/unix_path',
      '/servers/c',
      '/servers/c/http_headers/a b',
      '/servers/c/http_headers/d',
      '/extra',
    ]);
  });

  verifies('CONF-TELL-04', 'never repeats a value', () => {
    const secret = 'sk-SECRET-7781';
    // Every value of a file that uses every field, one at a time, becomes the secret or something made of it.
    const whole = {
      version: 1,
      client: { protocol_version: 'x', capabilities: { a: 1 }, roots: [{ uri: 'u', name: 'n' }] },
      servers: {
        a: {
          transport: 'stdio',
          argv: ['x'],
          inherit_env: true,
          env: { A: 'b' },
          stdout_log: { path: 'p', max_parts: 1 },
        },
        b: {
          transport: 'streamable_http',
          url: 'https://e.example',
          http_headers: { A: 'b' },
          env_http_headers: { A: 'B' },
        },
        c: { transport: 'unix', unix_path: 'x' },
      },
    };
    const foreign = {
      mcpServers: { s: { command: 'x', args: ['y'], env: { A: 'b' }, type: 'stdio', timeout: 5, url: 'z' } },
    };
    const native = {
      name: 's',
      type: 'sse',
      server_parameters: { url: 'https://e.example', timeout: 5, headers: { A: 'b' } },
    };
    for (const document of [whole, foreign, native]) {
      for (const bad of [secret, [secret], { secret }, `${secret}\n`, `\${${secret}`]) {
        for (const variant of replacements(document, bad)) {
          const json = JSON.stringify(variant);
          const told = JSON.stringify([problemsOf(json), problemsOf(`${json}x`), problemsOf(json.slice(0, -2))]);
          expect(told).not.toContain(secret);
        }
      }
    }
  });
});

/** The document with each of its inner values, in turn, replaced. */
function* replacements(document: unknown, value: unknown): Generator<unknown> {
  if (typeof document !== 'object' || document === null) return;
  for (const [key, inner] of Object.entries(document)) {
    const copy = structuredClone(document) as Record<string, unknown>;
    copy[key] = value;
    yield copy;
    for (const changed of replacements(inner, value)) {
      const outer = structuredClone(document) as Record<string, unknown>;
      outer[key] = changed;
      yield outer;
    }
  }
}

describe('properties', () => {
  const text = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
  const map = fc.dictionary(text, text, { maxKeys: 3 });
  const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const url = fc.constantFrom('https://e.example/mcp', 'http://127.0.0.1:1/x', 'https://${HOST}/');
  const server = fc.oneof(
    fc.record({
      transport: fc.constant('stdio'),
      argv: fc.array(text, { minLength: 1, maxLength: 3 }),
      inherit_env: some(fc.boolean()),
      env: some(map),
      stdout_log: some(
        fc.record({ path: text, max_parts: some(fc.nat(9)), max_bytes_per_part: some(fc.integer({ min: 1, max: 9 })) }),
      ),
    }),
    fc.record({ transport: fc.constant('unix'), unix_path: text }),
    fc.record({ transport: fc.constant('streamable_http'), url, http_headers: some(map), env_http_headers: some(map) }),
    fc.record({
      transport: fc.constant('streamable_http'),
      sse_url: url,
      http_url: url,
      bearer_token_env_var: some(text),
    }),
  );
  const v1 = fc.record({
    version: fc.constant(1),
    client: some(
      fc.record({
        protocol_version: some(text),
        capabilities: some(map),
        roots: some(fc.array(fc.record({ uri: text, name: some(text) }), { maxLength: 2 })),
      }),
    ),
    servers: fc.dictionary(text, server, { maxKeys: 4 }),
  });
  /** Objects whose keys the format defines; maps are free to hold any key. */
  const FREE = /^\/client\/capabilities$|^\/servers$|\/(env|http_headers|env_http_headers)$/;

  verifies('CONF-PROP-01', 'one unknown key anywhere in a valid file refuses it with its pointer', () => {
    fc.assert(
      fc.property(
        v1,
        fc.constantFrom('zzz', 'Argv', 'version ', '__proto__', 'constructor', ''),
        fc.nat(),
        (file, key, pick) => {
          expect(problemsOf(JSON.stringify(file))).toEqual([]);
          const places = closedObjects(JSON.parse(JSON.stringify(file)), '');
          const place = places[pick % places.length] ?? '';
          const changed = JSON.stringify(file, (_, value) => value);
          const withKey = insertKey(changed, place, key);
          expect(problemsOf(withKey).map(({ pointer }) => pointer)).toContain(`${place}/${key}`);
        },
      ),
      { numRuns: 300 },
    );
  });

  function closedObjects(value: unknown, pointer: string): string[] {
    if (typeof value !== 'object' || value === null) return [];
    const own = Array.isArray(value) || FREE.test(pointer) ? [] : [pointer];
    if (pointer === '/client/capabilities') return own;
    return [...own, ...Object.entries(value).flatMap(([key, inner]) => closedObjects(inner, `${pointer}/${key}`))];
  }

  /** Into the text, because no JavaScript object can hold a `__proto__` key by assignment. */
  function insertKey(json: string, pointer: string, key: string): string {
    const marker = '\u0001';
    const document = JSON.parse(json) as Record<string, unknown>;
    let target = document;
    for (const step of pointer.split('/').slice(1)) target = target[step] as Record<string, unknown>;
    target[marker] = 0;
    return JSON.stringify(document).replace(JSON.stringify(marker), JSON.stringify(key));
  }

  verifies('CONF-PROP-02', 'no JSON value and no mutated text crashes a reader', () => {
    const settle = (source: string) => {
      const { config, problems } = readConfig(source, { file: 'x' });
      expect(config === null).toBe(problems.some(({ severity }) => severity === 'error'));
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => settle(JSON.stringify(value))),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), settle), { numRuns: 500 });
    const shapes = fc.constantFrom('mcpServers', 'servers', 'inputs', 'version', 'name', 'type', 'server_parameters');
    fc.assert(
      fc.property(fc.dictionary(shapes, fc.jsonValue({ maxDepth: 4 })), (value) => settle(JSON.stringify(value))),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(v1, fc.nat(), fc.string({ maxLength: 3 }), fc.nat(5), (file, at, inserted, removed) => {
        const source = JSON.stringify(file);
        const position = at % source.length;
        settle(source.slice(0, position) + inserted + source.slice(position + removed));
      }),
      { numRuns: 1000 },
    );
  });

  verifies('CONF-PROP-02', 'large and odd files cost no more than their size', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `"k${index}":{"transport":"stdio","argv":[],"x":1}`).join(
      ',',
    );
    expect(problemsOf(`{"version":1,"servers":{${many}}}`)).toHaveLength(40_000);
    const long = 'x'.repeat(3_000_000);
    expect(problemsOf(`{"mcpServers":{"s":{"command":"x","args":["${long}"]}}}`)).toEqual([]);
    expect(problemsOf(`{"${long}":1}`)).toHaveLength(1);
    expect(problemsOf(`"${'\\\\'.repeat(1_000_000)}`)).toHaveLength(1);
    expect(problemsOf(`${'//\n'.repeat(1_000_000)}{}`)).toHaveLength(1);
  });
});
