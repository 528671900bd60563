import { createHash } from 'node:crypto';
import type {
  AuthorizationServerMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import type { DpopKey } from '../dpop.js';

/** What identifies a login. */
export interface LoginKey {
  readonly issuer: string;
  /** The resource indicator of the MCP server (RFC 8707). */
  readonly resource: string;
  readonly client_id: string;
  /** One of several accounts at the same server. */
  readonly account: string;
}

/** The part of a login that is secret. */
export interface LoginSecrets {
  readonly tokens: OAuthTokens | null;
  readonly client: StoredOAuthClientInformation;
  /** The private key of DPoP-bound tokens, as JWK. */
  readonly dpop_key?: DpopKey;
}

/** A login as the vault stores it. */
export interface StoredLogin extends LoginSecrets {
  readonly key: LoginKey;
  /** The URL of the MCP server. */
  readonly server_url: string;
  /** The URL that discovery started with; the base of default endpoints if there is no metadata. */
  readonly authorization_server: string;
  readonly metadata: AuthorizationServerMetadata | null;
  /** The scopes that were requested. */
  readonly requested_scope: string | null;
  /** How the client became known to the authorization server. */
  readonly registration: 'configured' | 'metadata-url' | 'dynamic';
  /** The redirect URI of a dynamic registration. */
  readonly redirect_uri: string | null;
  /** Milliseconds since 1970; null if the authorization server sets no limit. */
  readonly expires_at: number | null;
  /** How long the access token is valid, in milliseconds. */
  readonly lifetime: number | null;
  readonly updated_at: string;
}

/** The name of a login in the vault. */
export function idOf({ issuer, resource, client_id, account }: LoginKey): string {
  const text = JSON.stringify([issuer, resource, client_id, account]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The time fields of a token response. */
export function timesOf({ expires_in }: OAuthTokens): Pick<StoredLogin, 'expires_at' | 'lifetime' | 'updated_at'> {
  const lifetime = expires_in === undefined ? null : expires_in * 1_000;
  const now = Date.now();
  return {
    expires_at: lifetime === null ? null : now + lifetime,
    lifetime,
    updated_at: new Date(now).toISOString(),
  };
}

const MAX_AHEAD_MS = 60_000;

/** True if the access token should be refreshed: a minute before it expires, or at 80 % of a shorter life. */
export function isDue({ tokens, expires_at, lifetime }: StoredLogin): boolean {
  if (!tokens) return true;
  if (expires_at === null || lifetime === null) return false;
  return Date.now() >= expires_at - Math.min(MAX_AHEAD_MS, lifetime / 5);
}

/** True if the access token is certainly no longer valid. */
export function isExpired({ tokens, expires_at }: StoredLogin): boolean {
  return !tokens || (expires_at !== null && Date.now() >= expires_at);
}
