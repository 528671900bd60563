import { createHash } from 'node:crypto';
import { verifies } from '@a2c/requirements';
import { describe, expect, it } from 'vitest';
import {
  bundleIdOfName,
  deriveBundleId,
  exposedName,
  isBundleId,
  parseSkillName,
  type ServerConnection,
} from '../src/index.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const stdio = (command: string, args: string[] = [], env: Record<string, string> = {}): ServerConnection => ({
  type: 'stdio',
  command,
  args,
  env,
});
const http = (type: 'streamable' | 'sse', url: string, headers: Record<string, string> = {}): ServerConnection => ({
  type,
  url,
  headers,
});
const MCP_URL = 'https://api.example.com/mcp';

/** `bundle_id_conformance_vectors.json` of the protocol; the vector with a configured id is in the tests of the hub. */
const VECTORS: readonly (readonly [name: string, connection: ServerConnection, id: string])[] = [
  ['everything', stdio('npx', ['-y', 'everything']), 'everything'],
  ['My Server!', stdio('npx'), 'My_Server'],
  ['a__b', stdio('x'), 'a_b'],
  ['a.b.c', stdio('x'), 'a_b_c'],
  ['a-b--c', stdio('x'), 'a-b--c'],
  ['__lead_trail__', stdio('x'), 'lead_trail'],
  ['MyServer', stdio('x'), 'MyServer'],
  ['你好世界', stdio('npx', ['-y', 'everything']), 'bundle_8d2a9232fa76e8a5'],
  ['!!!@@@', stdio('uvx', ['mcp-server-git']), 'bundle_62515edd7632e701'],
  ['服务器', stdio('node', ['a.js'], { TOKEN: 'x', DEBUG: '1' }), 'bundle_05020ad7c2cc048d'],
  ['', http('streamable', MCP_URL), 'bundle_b413b61fe2e77b15'],
  ['', http('streamable', MCP_URL, { Authorization: 'Bearer z' }), 'bundle_0706e7b45613df7a'],
  ['', http('sse', 'https://api.example.com/sse'), 'bundle_e1d7b1216a270815'],
  ['', stdio('node', ['server.js'], { API_KEY: `\${input:api_key}` }), 'bundle_68ae00fea9122c01'],
  ['', http('streamable', MCP_URL, { Authorization: `Bearer \${input:token}` }), 'bundle_6366b4fd89f56f6a'],
];

describe('bundle ids', () => {
  verifies('MEM-BUNDLE-01', 'every published vector gives its id', () => {
    for (const [name, connection, id] of VECTORS) expect(deriveBundleId(name, connection, sha256), name).toBe(id);
  });

  it('sorts the environment by code points, not by UTF-16 units', () => {
    const keys = ['\u{1F600}', '\uFF5E'];
    const [a, b] = [keys, keys.toReversed()].map((order) =>
      deriveBundleId('', stdio('x', [], Object.fromEntries(order.map((key) => [key, '']))), sha256),
    );
    expect(a).toBe(b);
    const frame = '0000000573746469 6f000000 01780000 00000000 0002000000 03efbd9e 00000000 00000004 f09f9880 00000000';
    expect(a).toBe(`bundle_${sha256(Buffer.from(frame.replaceAll(' ', ''), 'hex')).slice(0, 16)}`);
  });

  it('knows which texts are ids', () => {
    for (const id of ['a', 'custom_id', 'a-b--c', '_a', 'My_Server']) expect(isBundleId(id), id).toBe(true);
    for (const id of ['', 'a__b', 'a.b', 'a b', '服务器']) expect(isBundleId(id), id).toBe(false);
    expect(bundleIdOfName('😀')).toBe('');
    expect(exposedName('demo_srv', 'plus')).toBe('demo_srv__plus');
  });
});

describe('skill names', () => {
  verifies('MEM-SKILL-01', 'the published samples are accepted and refused', () => {
    for (const name of ['my-skill', 'a:b', 'mcp:x', 'mcp:Srv_1:x', 'a'.repeat(64)])
      expect(parseSkillName(name), name).toBeDefined();
    for (const name of ['My', 'a--b', '-a', 'mcp:a__b:x', 'mcp:a.b:x', 'x:y:z', 'a:b:c:d', '', 'a'.repeat(65)])
      expect(parseSkillName(name), name).toBeUndefined();
    expect(parseSkillName('mcp:x')).toEqual({ source: 'marketplace', plugin: 'mcp', skill: 'x' });
    expect(parseSkillName('mcp:Srv_1:x')).toEqual({ source: 'mcp', bundleId: 'Srv_1', skill: 'x' });
  });
});

verifies('COST-NAME-01', 'a long row of hyphens within a name costs no more than letters', () => {
  const time = (filler: string) => {
    const started = performance.now();
    expect(bundleIdOfName(`a${filler.repeat(100_000)}a`)).toHaveLength(100_002);
    return performance.now() - started;
  };
  const best = (filler: string) => Math.min(...Array.from({ length: 3 }, () => time(filler)));
  // 1,000 times as long if each hyphen begins a search for the end of the name.
  expect(best('-')).toBeLessThan(50 * Math.max(best('a'), 1));
});
