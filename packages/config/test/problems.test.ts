import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { formatProblem, nearest, readConfig } from '../src/index.js';
import { refused } from './reading.js';

const problemsOf = (text: string) => readConfig(text, { file: 'mcp.json' }).problems;

describe('a problem', () => {
  verifies(['CONF-TELL-01', 'CONF-TELL-02'], 'has file, line, column, pointer and the allowed values', () => {
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

  verifies('CONF-TELL-01', 'has a position for syntax errors too, with every kind of line ending', () => {
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

  verifies('CONF-TELL-02', 'suggests only similar keys', () => {
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

  verifies('CONF-TELL-02', 'distinguishes a misspelt wrapper from a server', () => {
    for (const key of ['mcpServer', 'mcp_servers', 'McpServers', 'mcpServesr']) {
      expect(refused({ [key]: { files: { command: 'x' } } })).toMatchObject([
        { pointer: `/${key}`, did_you_mean: 'mcpServers' },
      ]);
    }
    expect(problemsOf('{"mcpServer":{"command":"x"}}')).toEqual([]);
  });

  verifies('CONF-TELL-01', 'lists each allowed value in one spelling', () => {
    expect(refused({ name: 's', type: 'ws' })[0]?.allowed).toEqual([
      'stdio',
      'streamable',
      'http',
      'streamable_http',
      'sse',
      'unix',
    ]);
    expect(refused({ inputs: [{ id: 'i', type: 'x' }] })[0]?.allowed).toEqual([
      'promptString',
      'pickString',
      'command',
    ]);
  });

  verifies('CONF-TELL-03', 'is reported together with all others, in the order of the file', () => {
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

  verifies('CONF-TELL-04', 'does not contain values', () => {
    const secret = 'sk-SECRET-7781';
    // Each value of a file with every field is replaced in turn by the secret or a value that contains it.
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
          const shown = JSON.stringify([problemsOf(json), problemsOf(`${json}x`), problemsOf(json.slice(0, -2))]);
          expect(shown).not.toContain(secret);
        }
      }
    }
  });
});

verifies('COST-NAME-05', 'a hint costs little, however many names there are', () => {
  const names = Array.from({ length: 5_000 }, (_, n) => `${'create_issue_branch_'.repeat(6)}${n}`);
  const before = process.cpuUsage();
  for (let n = 0; n < 40; n++) nearest(`${'create_isue_branch_'.repeat(6)}x${n}`, names);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6, 'seconds of CPU time; 27 before').toBeLessThan(3);
  const short = Array.from({ length: 2_000 }, (_, n) => `list_item_${n}`);
  expect(nearest('get_isue', [...short, 'get_issue'])).toBe('get_issue');
});

/** The document with one of its inner values replaced, for each value. */
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
