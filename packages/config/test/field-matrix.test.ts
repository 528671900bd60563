import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { errorsOf, read } from './reading.js';

/** Which field is allowed with which transport: a row is a field, a column a transport. */
const base = {
  stdio: { argv: ['x'] },
  unix: { unix_path: 'x' },
  streamable_http: { url: 'https://e.example' },
} as const;
type Transport = keyof typeof base;
const TRANSPORTS = Object.keys(base) as Transport[];

interface Row {
  readonly field: string;
  readonly value: unknown;
  readonly allowed: readonly Transport[];
}

const shared: readonly Row[] = [
  { field: 'argv', value: ['x'], allowed: ['stdio'] },
  { field: 'argv', value: [], allowed: [] },
  { field: 'inherit_env', value: true, allowed: ['stdio'] },
  { field: 'inherit_env', value: false, allowed: ['stdio'] },
  { field: 'env', value: { A: 'b' }, allowed: ['stdio'] },
  { field: 'env', value: {}, allowed: TRANSPORTS },
  { field: 'stdout_log', value: { path: 'l' }, allowed: ['stdio'] },
  { field: 'unix_path', value: 'x', allowed: ['unix'] },
  { field: 'url', value: 'https://e.example', allowed: ['streamable_http'] },
  { field: 'sse_url', value: 'https://e.example', allowed: [] },
  { field: 'http_url', value: 'https://e.example', allowed: [] },
  { field: 'http_headers', value: { A: 'b' }, allowed: ['streamable_http'] },
  { field: 'http_headers', value: {}, allowed: TRANSPORTS },
  { field: 'env_http_headers', value: { A: 'B' }, allowed: ['streamable_http'] },
  { field: 'env_http_headers', value: {}, allowed: TRANSPORTS },
  { field: 'bearer_token_env_var', value: 'T', allowed: ['streamable_http'] },
];

const compatOnly: readonly Row[] = [
  { field: 'command', value: 'x', allowed: ['stdio'] },
  { field: 'args', value: ['x'], allowed: ['stdio'] },
  { field: 'args', value: [], allowed: ['stdio'] },
  { field: 'environment', value: { A: 'b' }, allowed: ['stdio'] },
  { field: 'environment', value: {}, allowed: TRANSPORTS },
  { field: 'cwd', value: '/tmp', allowed: ['stdio'] },
  { field: 'envFile', value: '.env', allowed: ['stdio'] },
];

const formats = [
  { format: 'v1', rows: shared, wrap: (server: object) => ({ version: 1, servers: { s: server } }), at: '/servers/s' },
  {
    format: 'mcpServers',
    rows: [...shared.filter(({ value }) => !(Array.isArray(value) && value.length === 0)), ...compatOnly],
    wrap: (server: object) => ({ mcpServers: { s: server } }),
    at: '/mcpServers/s',
  },
];

describe.each(formats)('$format', ({ rows, wrap, at }) => {
  for (const { field, value, allowed } of rows) {
    for (const transport of TRANSPORTS) {
      const ok = allowed.includes(transport);
      const title = `${field} ${JSON.stringify(value)} on ${transport} is ${ok ? 'accepted' : 'refused'}`;
      verifies(['CONF-COMPAT-04', 'KIT-FIELD-02', 'KIT-UNIX-02', 'KIT-HTTP-06'], title, () => {
        const document = wrap({ transport, ...base[transport], [field]: value });
        if (ok) expect(read(document).servers).toHaveLength(1);
        else expect(errorsOf(document)[0]).toMatch(new RegExp(`^${at}/(${field}|transport): `));
      });
    }
  }

  verifies('CONF-COMPAT-04', 'the content of a misplaced log is not checked', () => {
    const errors = errorsOf(wrap({ transport: 'unix', unix_path: 'x', stdout_log: { path: 'l' } }));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('stdio');
  });
});
