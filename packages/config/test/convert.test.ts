import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  convertConfig,
  formatLoss,
  type MCPConfig,
  type ServerConfig,
  WRITABLE_FORMATS,
  type WritableFormat,
} from '../src/index.js';
import { read } from './reading.js';

const losses = (document: unknown, to: WritableFormat) => convertConfig(read(document), to).losses.map(formatLoss);
const written = (document: unknown, to: WritableFormat) => convertConfig(read(document), to).document;
const plain = ({ servers, inputs, client }: MCPConfig) => ({
  servers: servers.map(({ origin: _, ...server }: ServerConfig) => server),
  inputs,
  client,
});

const v1 = {
  version: 1,
  client: {
    protocol_version: '2025-06-18',
    capabilities: { a: {} },
    roots: [{ uri: 'file:///r' }, { uri: 'u', name: 'n' }],
  },
  servers: {
    log: {
      transport: 'stdio',
      argv: ['x', 'y'],
      env: { A: '${TOKEN}' },
      inherit_env: true,
      stdout_log: { path: 'l', max_parts: 0 },
    },
    split: {
      transport: 'streamable_http',
      sse_url: 'https://e.example/s',
      http_url: 'https://e.example/p',
      http_headers: { A: 'b' },
    },
    token: {
      transport: 'streamable_http',
      url: 'https://e.example',
      bearer_token_env_var: 'T',
      env_http_headers: { K: 'V' },
    },
    unix: { transport: 'unix', unix_path: '/s' },
  },
};
const a2c = {
  servers: [
    {
      name: 'plain',
      type: 'stdio',
      server_parameters: { command: 'x', args: ['${input:k}'], env: { E: '${env:HOME}' } },
    },
    {
      name: 'rich one',
      type: 'sse',
      disabled: true,
      forbidden_tools: ['f'],
      tool_meta: { t: { alias: 'u' } },
      default_tool_meta: { tags: ['x'] },
      vrl: '.',
      server_parameters: {
        url: 'https://e.example/sse',
        timeout: 5,
        sse_read_timeout: 60,
        headers: { A: '${input:k}' },
      },
    },
    {
      name: 'stream',
      type: 'streamable',
      server_parameters: { url: 'https://e.example', timeout: 'PT2M', terminate_on_close: false },
    },
  ],
  inputs: [
    { id: 'k', type: 'promptString', description: 'd', default: null, password: true },
    { id: 'c', type: 'command', description: '', command: 'date', args: { a: '-u' } },
  ],
};
const foreign = {
  mcpServers: { s: { command: 'x', args: ['--key', '${KEY:-none}'], cwd: '/w', envFile: '.env', timeout: 30 } },
};
const vscode = {
  servers: {
    s: { type: 'stdio', command: 'x', env: { K: '${input:k}', H: '${env:HOME}' } },
    t: { type: 'sse', url: 'https://e.example' },
  },
  inputs: [{ type: 'promptString', id: 'k', description: 'd', password: true }],
};

describe('conversion', () => {
  const own: Readonly<Record<WritableFormat, unknown>> = { v1, a2c, mcpServers: foreign, vscode };
  for (const format of WRITABLE_FORMATS) {
    verifies('CONF-WRITE-01', `${format} to itself loses nothing and reads back the same`, () => {
      const config = read(own[format]);
      expect(losses(own[format], format)).toEqual([]);
      expect(plain(read(written(own[format], format)))).toEqual(plain(config));
    });
  }

  for (const to of WRITABLE_FORMATS) {
    for (const [from, document] of Object.entries(own)) {
      verifies('CONF-WRITE-01', `${from} to ${to} gives a valid document`, () => {
        expect(read(written(document, to)).format).toBe(to);
      });
    }
  }

  verifies('CONF-WRITE-01', 'a2c keeps everything of a v1 server', () => {
    expect(losses(v1, 'a2c')).toEqual(['client: a2c has no client section']);
    const back = read(written(v1, 'a2c'));
    const before = read({ ...v1, client: null });
    const withTranslated = JSON.parse(JSON.stringify(plain(before)).replace('${TOKEN}', '${env:TOKEN}'));
    expect(plain(back)).toEqual(withTranslated);
  });

  verifies('CONF-WRITE-01', 'lists what v1 cannot express and leaves out servers it would change', () => {
    expect(losses(a2c, 'v1')).toEqual([
      'plain: placeholder: ${input:k} needs inputs, which v1 does not have',
      'rich one: placeholder: ${input:k} needs inputs, which v1 does not have',
      'inputs: v1 has no inputs',
      'rich one: disabled: v1 cannot disable a server; it is left out',
      'stream: terminate_on_close: v1 has no such field',
      'stream: timeout: v1 has no such field',
    ]);
    expect(Object.keys((written(a2c, 'v1') as { servers: object }).servers)).toEqual(['plain', 'stream']);
    expect(losses({ mcpServers: { 'a b': { type: 'sse', url: 'https://e.example' } } }, 'v1')).toEqual([
      'a b: transport: v1 does not support the older SSE transport; the server is left out',
    ]);
  });

  verifies('CONF-WRITE-01', 'names that v1 does not permit are changed and listed', () => {
    const servers = Object.fromEntries(['a.b', 'a b', 'a_b'].map((name) => [name, { command: 'x' }]));
    expect(Object.keys((written({ mcpServers: servers }, 'v1') as { servers: object }).servers)).toEqual([
      'a_b',
      'a_b_2',
      'a_b_3',
    ]);
    expect(losses({ mcpServers: servers }, 'v1')).toHaveLength(3);
  });

  verifies('CONF-WRITE-01', 'vscode and mcpServers list their losses', () => {
    expect(losses(a2c, 'mcpServers')).toEqual(
      expect.arrayContaining([
        'rich one: forbidden_tools: mcpServers has no such field',
        'rich one: tool_meta: mcpServers has no such field',
        'rich one: vrl: mcpServers has no such field',
        'rich one: sse_read_timeout: mcpServers has no such field',
      ]),
    );
    expect(losses(v1, 'vscode')).toEqual([
      'log: inherit_env: vscode has no such field',
      'log: stdout_log: vscode has no such field',
      'split: sse_url: vscode has one URL per server',
      'unix: transport: vscode has no such transport; the server is left out',
      'client: vscode has no client section',
    ]);
    expect(losses(a2c, 'vscode')).toContain('input c: vscode cannot run a program for an input; it is left out');
    expect(losses({ mcpServers: {}, health_check_enabled: true }, 'a2c')).toEqual([
      'proxy: a2c has no settings for the proxy',
    ]);
    expect(losses({ mcpServers: { s: { command: 'x', timeout: 5 } } }, 'a2c')).toEqual([
      's: timeout: a2c has no timeout for stdio servers',
    ]);
  });

  verifies('CONF-WRITE-02', 'placeholders are written in the syntax of the target', () => {
    const text = (document: unknown, to: WritableFormat) => JSON.stringify(written(document, to));
    expect(text(v1, 'vscode')).toContain('${env:TOKEN}');
    expect(text(v1, 'vscode')).toContain('"Authorization":"Bearer ${env:T}"');
    expect(text(vscode, 'mcpServers')).toContain('"H":"${HOME}"');
    expect(text({ s: { command: '${MCP_ROOT}/x' } }, 'vscode')).toContain('${workspaceFolder}/x');
    expect(losses(foreign, 'vscode')).toContain('s: placeholder: a placeholder with a default becomes plain text');
    const literal = [{ name: 's', type: 'stdio', command: 'sh', args: ['echo ${x}'] }];
    expect(losses(literal, 'v1')).toContain('s: placeholder: a "${…}" that was plain text becomes a placeholder');
    expect(losses(literal, 'vscode')).not.toContainEqual(expect.stringContaining('placeholder'));
  });

  verifies('CONF-WRITE-01', 'any a2c configuration is read back unchanged', () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/);
    const map = fc.dictionary(name, fc.string({ unit: 'grapheme-ascii', maxLength: 5 }), { maxKeys: 2 });
    const parameters = fc.oneof(
      fc.record({
        type: fc.constant('stdio'),
        server_parameters: fc.record({
          command: name,
          args: fc.array(fc.string(), { maxLength: 3 }),
          env: map,
          inherit_env: fc.boolean(),
        }),
      }),
      fc.record({
        type: fc.constantFrom('streamable', 'sse'),
        server_parameters: fc.record({
          url: fc.constant('https://e.example'),
          headers: map,
          timeout: fc.integer({ min: 1, max: 999 }),
          sse_read_timeout: fc.integer({ min: 1 }),
        }),
      }),
      fc.record({ type: fc.constant('unix'), server_parameters: fc.record({ unix_path: name }) }),
    );
    const common = fc.record({
      name,
      disabled: fc.boolean(),
      forbidden_tools: fc.array(name),
      vrl: fc.option(fc.string()),
    });
    const server = fc.tuple(common, parameters).map(([a, b]) => ({ ...a, ...b }));
    fc.assert(
      fc.property(fc.uniqueArray(server, { selector: (one) => one.name, maxLength: 4 }), (servers) => {
        const { document, losses: lost } = convertConfig(read(servers), 'a2c');
        expect(lost).toEqual([]);
        expect(plain(read(document))).toEqual(plain(read(servers)));
      }),
    );
  });
});

verifies('BRIDGE-CLIENT-03', 'connections is read and written, and reported where it is lost', () => {
  const stdio = { type: 'stdio', server_parameters: { command: 'x' } };
  const document = [{ name: 's', ...stdio, connections: 'per-client' }];
  for (const to of ['a2c', 'mcpServers'] as const) {
    expect(read(written(document, to)).servers).toMatchObject([{ connections: 'per-client' }]);
  }
  for (const to of ['v1', 'vscode'] as const) {
    expect(losses(document, to)).toContain(`s: connections: ${to} has no such field`);
  }
});

verifies('CHOICE-PINS-06', 'pins is read and written, and reported where it is lost', () => {
  const stdio = { type: 'stdio', server_parameters: { command: 'x' } };
  const document = [{ name: 's', ...stdio, pins: 'warn' }];
  for (const to of ['a2c', 'mcpServers'] as const) {
    expect(read(written(document, to)).servers).toMatchObject([{ pins: 'warn' }]);
  }
  for (const to of ['v1', 'vscode'] as const) {
    expect(losses(document, to)).toContain(`s: pins: ${to} has no such field`);
  }
  expect(() => read([{ name: 's', ...stdio, pins: 'maybe' }])).toThrow();
});

verifies('CONF-MODEL-03', 'start_timeout is read and written in seconds, and reported where it is lost', () => {
  const stdio = { type: 'stdio', server_parameters: { command: 'x' } };
  const document = [{ name: 's', ...stdio, start_timeout: 'PT2M' }];
  expect(read(document).servers).toMatchObject([{ start_timeout: 120 }]);
  for (const to of ['a2c', 'mcpServers'] as const) {
    expect(read(written(document, to)).servers).toMatchObject([{ start_timeout: 120 }]);
  }
  for (const to of ['v1', 'vscode'] as const) {
    expect(losses(document, to)).toContain(`s: start_timeout: ${to} has no such field`);
  }
});
