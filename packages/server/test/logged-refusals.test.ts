import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished } from 'vitest';
import { jwt } from '../src/index.js';
import { serve } from './harness.js';

verifies('SRV-AUTH-02', 'the log says why a token is refused; the client does not learn it', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const folder = mkdtempSync(join(tmpdir(), 'a2c-jwks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'jwks.json');
  writeFileSync(path, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] }));
  const server = await serve({ authenticate: jwt({ jwks: path, audience: 'a2c', issuer: 'https://id' }) });
  const mint = (audience: string, issuer: string) =>
    new SignJWT({ sub: 'ann' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setAudience(audience)
      .setIssuer(issuer)
      .setExpirationTime('1h')
      .sign(privateKey);
  for (const [token, claim] of [
    [await mint('other', 'https://id'), 'aud'],
    [await mint('a2c', 'https://other'), 'iss'],
  ] as const) {
    const error = (await server.connect({ auth: { token } }).catch((caught: unknown) => caught)) as { data: unknown };
    expect(JSON.stringify(error.data)).not.toContain(claim);
    expect(JSON.stringify(server.logs)).toContain(
      `unknown credentials; the token is refused: unexpected \\"${claim}\\"`,
    );
  }
});

verifies('SRV-AUTH-02', 'the log names a refused origin', async () => {
  const server = await serve();
  await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`, { headers: { Origin: 'https://evil.example' } });
  expect(JSON.stringify(server.logs)).toContain('"origin":"https://evil.example"');
});
