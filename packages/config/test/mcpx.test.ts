import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { errorsOf, read, warningsOf } from './reading.js';

const settings = {
  health_check_enabled: true,
  health_check_interval: 30,
  health_check_timeout: 5,
  health_check_failure_threshold: 2,
  toon_compression_enabled: true,
  toon_compression_min_size: 1,
  schema_compression_enabled: false,
  max_description_len: 50,
  include_structured_content: false,
  allowed_tools: ['files', 'web/get*'],
  denied_tools: ['*/delete'],
  pinned_tools: ['files/read'],
  toolsets: { dev: { allow: ['files'], pinned: ['files/read'] } },
};

describe('mcpx', () => {
  const entries = {
    files: { type: 'stdio', command: 'npx', args: ['-y', 'files'], env: { A: '' }, enabled: true },
    web: { type: 'http', url: 'https://e.example/mcp' },
    old: { type: 'http', url: 'https://e.example/sse?x=1', enabled: false },
    short: { url: 'https://e.example/assets' },
  };
  const forms = {
    map: { mcpServers: entries },
    list: { mcpServers: Object.entries(entries).map(([name, entry]) => ({ name, ...entry })) },
  };

  for (const [form, document] of Object.entries(forms)) {
    verifies('CONF-MCPX-01', `servers as a ${form}`, () => {
      const config = read({ ...settings, ...document, disabled_tools: ['files.write_file', 'web.a.b'] });
      expect(config.format).toBe('mcpx');
      expect(config.servers).toMatchObject([
        {
          name: 'files',
          disabled: false,
          transport: { argv: ['npx', '-y', 'files'] },
          forbidden_tools: ['write_file'],
        },
        { name: 'web', transport: { type: 'streamable_http' }, forbidden_tools: ['a.b'] },
        { name: 'old', disabled: true, transport: { type: 'sse' } },
        { name: 'short', transport: { type: 'streamable_http' } },
      ]);
      expect(config.proxy).toEqual(settings);
    });
  }

  verifies('CONF-MCPX-01', 'missing settings are null', () => {
    const { proxy } = read({ mcpServers: {}, schema_compression_enabled: true });
    expect(proxy).toMatchObject({ schema_compression_enabled: true, toon_compression_enabled: null });
  });

  verifies('CONF-MCPX-01', 'errors have a path', () => {
    expect(errorsOf({ mcpServers: {}, health_check_interval: 0 })).toEqual([
      '/health_check_interval: must be 1 or more',
    ]);
    expect(errorsOf({ mcpServers: {}, toon_compression_min_size: -1 })).toEqual([
      '/toon_compression_min_size: must be 0 or more',
    ]);
    expect(errorsOf({ mcpServers: [{ command: 'x' }] })).toEqual([
      '/mcpServers/0/name: a server in a list needs a "name"',
    ]);
    expect(errorsOf({ mcpServers: {}, disabled_tools: ['x'] })).toEqual(['/disabled_tools/0: expected "server.tool"']);
    expect(errorsOf({ mcpServers: { s: { type: 'carrier-pigeon' } }, health_check_interval: 1 })).toEqual([
      '/mcpServers/s/type: this type is not supported',
    ]);
    expect(warningsOf({ mcpServers: {}, disabled_tools: ['a.b'], toon_compresion_enabled: true })).toHaveLength(2);
  });
});
