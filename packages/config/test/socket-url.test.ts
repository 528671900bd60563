import { readFileSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { parseSocketUrl, TrustGuard, UNTRUSTED } from '../src/index.js';
import { readOne } from './reading.js';

const URL_TEXT = 'http+unix://%2Frun%2Fuser%2Fmy%20mcp.sock/mcp?x=1';

describe('a socket URL', () => {
  verifies('HUB-UNIX-04', 'is parsed to the path of the socket and the URL to request', () => {
    expect(parseSocketUrl(URL_TEXT)).toEqual({ socketPath: '/run/user/my mcp.sock', url: 'http://localhost/mcp?x=1' });
    expect(parseSocketUrl('http+unix://%2Frun%2fa')).toEqual({ socketPath: '/run/a', url: 'http://localhost/' });
  });

  for (const text of [
    'http://localhost/',
    'http+unix://run/mcp',
    'http+unix:///run/mcp.sock',
    'http+unix://%2Frun:80/',
    'http+unix://user@%2Frun/',
    'http+unix://%2F%00/',
    'http+unix://%2F%zz/',
    'no url',
  ]) {
    verifies('HUB-UNIX-04', `is not ${text}`, () => {
      expect(parseSocketUrl(text)).toBeUndefined();
    });
  }

  verifies('HUB-UNIX-04', 'is allowed in every URL field', () => {
    expect(
      readOne({ version: 1, servers: { s: { transport: 'streamable_http', url: URL_TEXT } } }).transport,
    ).toMatchObject({ type: 'streamable_http', url: URL_TEXT });
    expect(readOne({ mcpServers: { s: { type: 'sse', url: URL_TEXT } } }).transport).toMatchObject({ url: URL_TEXT });
    const schema = readFileSync(new URL('../schemas/v1.schema.json', import.meta.url), 'utf8');
    expect(schema).toContain('http\\\\+unix://');
  });

  verifies('HUB-UNIX-04', 'is always refused for an untrusted configuration', async () => {
    const guard = new TrustGuard({ ...UNTRUSTED, allow_localhost: true, allow_private_ip: true, dns_check: false });
    const server = readOne({ version: 1, servers: { s: { transport: 'streamable_http', url: URL_TEXT } } });
    expect(guard.check(server).map(({ rule }) => rule)).toEqual(['unix-socket']);
    await expect(guard.approveUrl('HTTP+UNIX://%2Frun%2Fx/', 's')).rejects.toThrow('rule unix-socket');
  });
});
