import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { errorsOf, read, readOne, warningsOf } from './reading.js';

const wrapped = (entry: unknown, name = 's') => ({ mcpServers: { [name]: entry } });
const url = 'https://h.example/mcp';

interface Row {
  readonly entry: object;
  /** What the model must contain, or the expected error. */
  readonly gives: object | string;
}

/** How an entry is read. Comments mark the differences from mcp-kit. */
const rows: readonly Row[] = [
  {
    entry: { command: 'node', args: ['s.js'], env: { LOG: '1' }, autoApprove: ['x'] },
    gives: { transport: { argv: ['node', 's.js'], env: { LOG: '1' } } },
  },
  {
    entry: { command: ['uv', 'run'], args: ['tool'], environment: { A: '2' }, env: { A: '1' } },
    gives: { transport: { argv: ['uv', 'run', 'tool'], env: { A: '2' } } },
  },
  { entry: { argv: ['a', 'b'], command: 'c', args: ['d'] }, gives: { transport: { argv: ['a', 'b'] } } },
  // mcp-kit: Streamable HTTP. Here `sse` means the SSE transport.
  {
    entry: { url, type: 'SSE', headers: { 'X-A': 'b' } },
    gives: { transport: { type: 'sse', http_headers: { 'X-A': 'b' } } },
  },
  // mcp-kit rejects this type, which Claude Code writes.
  { entry: { type: 'stdio', command: 'npx' }, gives: { transport: { type: 'stdio', argv: ['npx'] } } },
  // mcp-kit ignores it and starts the server.
  { entry: { command: 'npx', disabled: true }, gives: { disabled: true } },
  { entry: { command: 'npx', disabled: false }, gives: { disabled: false } },
  // mcp-kit leaves the entry out.
  { entry: { command: 'npx', enabled: false }, gives: { disabled: true } },
  { entry: { command: 'npx', enabled: true }, gives: { disabled: false } },
  {
    entry: { url, env: { A: '1' } },
    gives: '/mcpServers/s/env: "env" belongs to stdio servers; this one is streamable_http',
  },
  // mcp-kit does not support this transport.
  { entry: { transport: 'sse', url }, gives: { transport: { type: 'sse' } } },
  { entry: { url }, gives: { transport: { type: 'streamable_http' } } },
  { entry: { url, type: '' }, gives: { transport: { type: 'streamable_http' } } },
  { entry: { unix_path: '/s' }, gives: { transport: { type: 'unix', unix_path: '/s' } } },
  { entry: { sse_url: url, http_url: `${url}/post` }, gives: { transport: { sse_url: url, url: `${url}/post` } } },
  { entry: { sse_url: url }, gives: '/mcpServers/s/sse_url: "sse_url" also needs "http_url"' },
  { entry: { type: 'http' }, gives: '/mcpServers/s: "url" is missing' },
  { entry: { type: 'sse' }, gives: '/mcpServers/s: "url" is missing' },
  { entry: { type: 'stdio' }, gives: '/mcpServers/s: "command" is missing' },
  { entry: { args: ['x'] }, gives: '/mcpServers/s: "command" is missing' },
  { entry: {}, gives: '/mcpServers/s: no transport is defined for this server' },
  {
    entry: { type: 'http', command: 'x' },
    gives: '/mcpServers/s/type: "type" is streamable_http, but the other fields belong to stdio servers',
  },
  {
    entry: { type: 'stdio', url },
    gives: '/mcpServers/s/type: "type" is stdio, but the other fields belong to streamable_http servers',
  },
  { entry: { type: 'ws', url }, gives: '/mcpServers/s/type: this type is not supported' },
  {
    entry: { transport: 'unix', type: 'http', unix_path: 'x' },
    gives: '/mcpServers/s/type: "transport" and "type" contradict each other',
  },
  { entry: { command: 'x', args: 'y' }, gives: '/mcpServers/s/args: expected a list' },
  { entry: { command: 'x', enabled: 'no' }, gives: '/mcpServers/s/enabled: expected true or false' },
  {
    entry: { command: 'x', stdout_log: { path: 'l', gzip: 1 } },
    gives: '/mcpServers/s/stdout_log/gzip: unknown key "gzip"',
  },
  // A wrong entry makes the file invalid even if it is disabled.
  {
    entry: { enabled: false, command: 7 },
    gives: '/mcpServers/s/command: expected a program, or a list of program and arguments',
  },
];

describe('an entry', () => {
  for (const { entry, gives } of rows) {
    verifies(['CONF-COMPAT-02', 'CONF-COMPAT-03', 'KIT-WRAP-03', 'KIT-MAP-02'], JSON.stringify(entry), () => {
      if (typeof gives === 'string') expect(errorsOf(wrapped(entry))).toEqual([gives]);
      else expect(readOne(wrapped(entry))).toMatchObject(gives);
    });
  }

  const spellings = {
    streamable_http: ['http', 'HTTP', ' http ', 'streamable-http', 'streamableHttp', 'streamable_http', 'streamable'],
    sse: ['sse', 'SSE'],
  };
  for (const [type, written] of Object.entries(spellings)) {
    for (const spelling of written) {
      verifies(['CONF-COMPAT-02', 'KIT-WRAP-03'], `type ${JSON.stringify(spelling)} is ${type}`, () => {
        expect(readOne(wrapped({ type: spelling, url })).transport.type).toBe(type);
      });
    }
  }

  for (const [timeout, seconds] of [
    [30, 30],
    [60_000, 60],
    ['PT1M30S', 90],
    [0.5, 0.5],
  ] as const) {
    verifies('CONF-COMPAT-03', `timeout ${timeout} is ${seconds} s`, () => {
      expect(readOne(wrapped({ command: 'x', timeout })).timeouts.timeout).toBe(seconds);
    });
  }

  verifies('CONF-COMPAT-03', 'cwd and envFile', () => {
    const entry = { command: 'x', cwd: '/srv', envFile: '${workspaceFolder}/.env' };
    expect(readOne(wrapped(entry)).transport).toMatchObject({ cwd: '/srv', env_file: '${workspaceFolder}/.env' });
  });

  verifies('CONF-COMPAT-01', 'unknown keys are warnings with a suggestion, and have no effect', () => {
    const document = wrapped({ command: 'x', argz: ['y'], autoApprove: [], auto_aply: true });
    expect(warningsOf(document)).toEqual([
      '/mcpServers/s/argz: "argz" is unknown and has no effect',
      '/mcpServers/s/autoApprove: "autoApprove" is unknown and has no effect',
      expect.stringMatching(/auto_aply: .* has no effect; "auto_apply" belongs to .* "default_tool_meta"/),
    ]);
    expect(read(document).warnings[0]?.did_you_mean).toBe('args');
  });

  verifies('CONF-COMPAT-01', 'names that v1 does not permit are kept, with a warning', () => {
    for (const name of ['my.server', '@org/x', 'My Server']) {
      expect(readOne(wrapped({ command: 'x' }, name)).name).toBe(name);
      expect(warningsOf(wrapped({ command: 'x' }, name))).toHaveLength(1);
    }
    expect(errorsOf(wrapped({ command: 'x' }, ' '))).toEqual([
      '/mcpServers/ : a server name must not be empty, and must not begin or end with a blank or a line break',
    ]);
  });

  verifies('KIT-WRAP-04', 'other keys of the file are ignored', () => {
    expect(readOne({ name: 'plugin', version: '1.0.0', author: {}, ...wrapped({ command: 'x' }) }).name).toBe('s');
  });

  verifies('KIT-MAP-01', 'in a bare map every key is a server', () => {
    expect(errorsOf({ version: '1.0.0', a: { command: 'x' } })).toEqual(['/version: expected an object']);
  });

  verifies('CONF-COMPAT-01', 'comments are accepted with a warning', () => {
    expect(warningsOf('{"a":{"command":"x"},}// end')).toEqual([
      ': comments and trailing commas are not JSON; other tools may reject this file',
    ]);
  });

  verifies('KIT-WRAP-01', 'mcpServers that are neither servers nor a path', () => {
    expect(errorsOf({ mcpServers: './x.json' })).toEqual(['/mcpServers: a path can be followed only from a file']);
    for (const mcpServers of [null, 7, true]) {
      expect(errorsOf({ mcpServers })).toEqual([
        '/mcpServers: expected an object of servers, or the path of a file that holds them',
      ]);
    }
  });
});
