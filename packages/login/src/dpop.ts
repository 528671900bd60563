import type { webcrypto } from 'node:crypto';
import { type DpopKeyPair, DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client';

/** A private key as JWK. */
export type DpopKey = webcrypto.JsonWebKey;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/** Creates a key for DPoP-bound tokens, as JWK. All processes that use the login need it, so it is in the vault. */
export async function newDpopKey(): Promise<DpopKey> {
  const { privateKey } = await generateDpopKeyPair({ extractable: true });
  return crypto.subtle.exportKey('jwk', privateKey);
}

const sessions = new Map<string, Promise<DpopSession>>();

/** The session of a key. One per process, because it remembers the nonces of the servers. */
export function dpopSession(key: DpopKey): Promise<DpopSession> {
  const id = `${key.x}.${key.y}`;
  const session = sessions.get(id) ?? createSession(key);
  sessions.set(id, session);
  return session;
}

async function createSession(key: DpopKey): Promise<DpopSession> {
  const { kty = '', crv = '', x = '', y = '' } = key;
  const publicJwk = { kty, crv, x, y };
  const keyPair: DpopKeyPair = {
    privateKey: await crypto.subtle.importKey('jwk', key, ALGORITHM, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', publicJwk, ALGORITHM, true, ['verify']),
    publicJwk,
    thumbprint: await thumbprintOf(publicJwk),
    alg: 'ES256',
  };
  return DpopSession.create({ keyPair });
}

/** RFC 7638. */
async function thumbprintOf({ crv, kty, x, y }: Record<'crv' | 'kty' | 'x' | 'y', string>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify({ crv, kty, x, y })));
  return Buffer.from(digest).toString('base64url');
}
