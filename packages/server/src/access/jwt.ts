import { type AgentScope, type Role, SMCPError } from '@a2c/protocol';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { type Authenticator, credentialOf } from './identity.js';
import { readKeyFile } from './key-files.js';

/** Options of {@link jwt}. */
export interface JwtOptions {
  /** The JSON Web Key Set: a file, or an http(s) URL that is fetched and cached. */
  readonly jwks: string;
  /** The audience that tokens must be issued for. */
  readonly audience: string;
  /** The issuer that tokens must come from; any by default. */
  readonly issuer?: string | undefined;
  /** The accepted algorithms, so that a token cannot choose a weaker one; RS256, ES256 and EdDSA by default. */
  readonly algorithms?: readonly string[] | undefined;
}

/** Errors of the token itself. */
const TOKEN_ERRORS = [
  errors.JWTClaimValidationFailed,
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
 * Authenticates JSON Web Tokens, sent as bearer token or in `auth.token`. The claims `roles`, `offices`, `names`,
 * `tools` and `servers` restrict what the holder may do; `operator: true` allows the operator endpoints. `sub` and
 * `exp` are required; the connection is closed at `exp`. Give each of several key sets its own `issuer`: otherwise
 * equal subjects of them are the same identity.
 *
 * @throws Error if the file of keys cannot be read
 * @example
 * ```ts
 * const authenticate = jwt({ jwks: 'https://id.example.com/.well-known/jwks.json', audience: 'a2c' });
 * ```
 */
export function jwt({ jwks, audience, issuer, algorithms = DEFAULT_ALGORITHMS }: JwtOptions): Authenticator {
  const keys = /^https?:/.test(jwks)
    ? createRemoteJWKSet(new URL(jwks), { [customFetch]: fetchKeys })
    : createLocalJWKSet(JSON.parse(readKeyFile(jwks).toString()) as JSONWebKeySet);
  const method = issuer === undefined ? 'jwt' : `jwt ${issuer}`;
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
      const { sub } = payload;
      if (typeof sub !== 'string' || sub === '') return undefined;
      return {
        subject: sub,
        method,
        roles: strings(payload.roles) as readonly Role[] | undefined,
        offices: strings(payload.offices),
        names: strings(payload.names),
        ...scope('tools', payload.tools),
        ...scope('servers', payload.servers),
        operator: payload.operator === true,
        expires: dateOf(payload.exp as number),
      };
    } catch (error) {
      // The signature, the issuer and the audience are verified before the times.
      if (error instanceof errors.JWTExpired) {
        const when = error.payload.exp === undefined ? '' : ` at ${dateOf(error.payload.exp).toISOString()}`;
        throw new SMCPError('Unauthorized', `the token expired${when}; get a new one`);
      }
      // An invalid token is an unknown credential. Other errors, such as an unreachable key server, are logged.
      if (!TOKEN_ERRORS.some((type) => error instanceof type)) throw error;
      handshake.explain?.(`the token is refused: ${(error as Error).message}`);
      return undefined;
    }
  };
}

/** A key server that sends without end must not fill the memory. */
const fetchKeys: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_KEY_SET_BYTES) throw new Error(`the key set at ${url} has more than ${MAX_KEY_SET_BYTES} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: response.status });
};

/** A real one has some kilobytes. */
const MAX_KEY_SET_BYTES = 2 ** 20;

/** @throws SMCPError `Unauthorized` if the number of seconds is outside the range of dates. */
function dateOf(exp: number): Date {
  const date = new Date(exp * 1_000);
  if (Number.isNaN(date.getTime())) throw new SMCPError('Unauthorized', 'the claim "exp" of the token is no date');
  return date;
}

function scope(field: keyof AgentScope, claim: unknown): AgentScope {
  const patterns = strings(claim);
  return patterns === undefined ? {} : { [field]: patterns };
}

/**
 * A list, or one text with blanks between the values, as OAuth writes scopes. A malformed claim allows nothing; only a
 * missing one allows everything.
 */
function strings(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return undefined;
  if (typeof claim === 'string') return claim.split(/\s+/);
  return Array.isArray(claim) ? claim.filter((text): text is string => typeof text === 'string') : [];
}
