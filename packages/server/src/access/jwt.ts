import { readFileSync } from 'node:fs';
import type { Role } from '@a2c/protocol';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { type Authenticator, credentialOf } from './identity.js';

export interface JwtOptions {
  /** Where the public keys are: a file, or an http(s) URL that is fetched and cached. */
  readonly jwks: string;
  readonly audience: string;
  readonly issuer?: string | undefined;
  /** Pinned, so that a token cannot choose a weaker one. */
  readonly algorithms?: readonly string[] | undefined;
}

const TOKEN_FAULTS = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
];

const DEFAULT_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

/**
 * JSON Web Tokens, as bearer token or in `auth.token`. The claims `roles`, `offices` and `names` limit what the holder may
 * do; `exp` ends the connection. A token must have `sub` and `exp`.
 */
export function jwt({ jwks, audience, issuer, algorithms = DEFAULT_ALGORITHMS }: JwtOptions): Authenticator {
  const keys = /^https?:/.test(jwks)
    ? createRemoteJWKSet(new URL(jwks))
    : createLocalJWKSet(JSON.parse(readFileSync(jwks, 'utf8')) as JSONWebKeySet);
  return async (handshake) => {
    const token = credentialOf(handshake);
    if (token === undefined || token.split('.').length !== 3) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, {
        audience,
        algorithms: [...algorithms],
        requiredClaims: ['sub', 'exp'],
        ...(issuer !== undefined && { issuer }),
      });
      return {
        subject: payload.sub as string,
        roles: texts(payload.roles) as readonly Role[] | undefined,
        offices: texts(payload.offices),
        names: texts(payload.names),
        expires: new Date((payload.exp as number) * 1_000),
      };
    } catch (error) {
      // A token that does not verify is an unknown credential; a key server that is away is our fault and must be seen.
      if (TOKEN_FAULTS.some((fault) => error instanceof fault)) return undefined;
      throw error;
    }
  };
}

/** A right that is present but malformed grants nothing, rather than everything. */
function texts(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return undefined;
  if (typeof claim === 'string') return claim.split(/\s+/);
  return Array.isArray(claim) ? claim.filter((text): text is string => typeof text === 'string') : [];
}
