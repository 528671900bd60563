import { type RequirementId, verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import type { ConfigFormat, ServerConfig } from '../src/index.js';
import { errorsOf, read } from './reading.js';

/** One suite for all readers: the same two servers in each format. */
const argv = ['node', 'server.js', '--verbose'];
const [command, ...args] = argv;
const url = 'https://mcp.example.com/api';
const foreign = {
  local: { command, args, env: { LOG: 'info' } },
  remote: { type: 'http', url, headers: { 'X-Team': 'blue' } },
};

interface Sample {
  readonly format: ConfigFormat;
  readonly document: unknown;
  readonly broken: unknown;
  readonly brokenAt: string;
}

const samples: readonly Sample[] = [
  {
    format: 'v1',
    document: {
      version: 1,
      servers: {
        local: { transport: 'stdio', argv, env: { LOG: 'info' } },
        remote: { transport: 'streamable_http', url, http_headers: { 'X-Team': 'blue' } },
      },
    },
    broken: { version: 1, servers: { local: { transport: 'stdio', argv: 'node' } } },
    brokenAt: '/servers/local/argv',
  },
  {
    format: 'mcpServers',
    document: { mcpServers: foreign },
    broken: { mcpServers: { local: { command: 7 } } },
    brokenAt: '/mcpServers/local/command',
  },
  { format: 'server-map', document: foreign, broken: { local: { command: 7 } }, brokenAt: '/local/command' },
  {
    format: 'vscode',
    document: { servers: foreign, inputs: [] },
    broken: { servers: { local: { command: 7 } } },
    brokenAt: '/servers/local/command',
  },
  {
    format: 'a2c',
    document: [
      { name: 'local', type: 'stdio', server_parameters: { command, args, env: { LOG: 'info' } } },
      { name: 'remote', type: 'streamable', server_parameters: { url, headers: { 'X-Team': 'blue' } } },
    ],
    broken: [{ name: 'local', type: 'stdio', server_parameters: { command: 7 } }],
    brokenAt: '/0/server_parameters/command',
  },
  {
    format: 'mcpx',
    document: { mcpServers: foreign, toon_compression_enabled: true },
    broken: { mcpServers: { local: { command: 7 } }, toon_compression_enabled: true },
    brokenAt: '/mcpServers/local/command',
  },
];

const ids: readonly RequirementId[] = ['CONF-MODEL-01', 'CONF-MODEL-02'];

describe.each(samples)('$format', ({ format, document, broken, brokenAt }) => {
  const servers = () => read(document).servers;
  const withoutOrigin = ({ origin: _, ...server }: ServerConfig) => server;

  verifies(ids, 'is detected by its shape', () => {
    expect(read(document).format).toBe(format);
  });

  verifies(ids, 'returns the same model as every other format', () => {
    const [first] = samples;
    expect(servers().map(withoutOrigin)).toEqual(read(first?.document).servers.map(withoutOrigin));
  });

  verifies(ids, 'records the origin of each server', () => {
    expect(servers().map(({ origin }) => origin)).toEqual(Array(2).fill({ file: 'test.json', format }));
  });

  verifies(ids, 'is deeply frozen', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(servers().every(frozen)).toBe(true);
  });

  verifies(ids, 'reports a wrong type with its path', () => {
    expect(errorsOf(broken)[0]).toContain(`${brokenAt}: expected`);
  });
});

describe('format detection', () => {
  const cases: [string, unknown, ConfigFormat][] = [
    ['a textual version beside mcpServers', { name: 'plugin', version: '1.0.0', mcpServers: {} }, 'mcpServers'],
    ['a numeric version beside mcpServers', { version: 1, mcpServers: {} }, 'mcpServers'],
    ['mcpServers as a list', { mcpServers: [{ name: 'a', command: 'x' }] }, 'mcpx'],
    ['MCPX with servers', { servers: [{ name: 'a', command: 'x' }], schema_compression_enabled: false }, 'mcpx'],
    ['an empty object', {}, 'server-map'],
    ['an empty list', [], 'a2c'],
    ['empty servers', { servers: {} }, 'vscode'],
    ['servers as a list', { servers: [] }, 'a2c'],
    ['inputs alone', { inputs: [] }, 'a2c'],
    ['one A2C server', { name: 'a', type: 'stdio', command: 'x' }, 'a2c'],
    ['one A2C input', { id: 'a', type: 'promptString' }, 'a2c'],
    ['A2C servers under their names', { a: { type: 'stdio', server_parameters: { command: 'x' } } }, 'a2c'],
    [
      'A2C servers under their names in servers',
      { servers: { a: { type: 'stdio', command: 'x', tool_meta: {} } } },
      'a2c',
    ],
    ['a server map with $schema', { $schema: 'x', a: { command: 'x' } }, 'server-map'],
  ];
  for (const [title, document, format] of cases) {
    verifies(['CONF-MODEL-02', 'KIT-WRAP-04'], title, () => {
      expect(read(document).format).toBe(format);
    });
  }

  verifies('KIT-TOP-01', 'v1 without a version is reported instead of read as another format', () => {
    const servers = { a: { transport: 'stdio', argv: ['x'] } };
    for (const document of [{ servers }, { version: '1', servers }, { client: {}, servers: {} }]) {
      expect(errorsOf(document)).toEqual(['/version: mcp.json v1 needs "version": 1']);
    }
  });

  verifies('CONF-MODEL-02', 'a document that is not a configuration is rejected', () => {
    for (const document of ['7', '"x"', 'null', 'true']) {
      expect(errorsOf(document)).toEqual([': expected an object or a list']);
    }
  });
});
