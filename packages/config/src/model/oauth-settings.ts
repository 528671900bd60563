/** How tokens are requested: by a person in a browser, or without one. */
export const OAUTH_GRANTS = ['authorization_code', 'client_credentials', 'jwt_bearer', 'token_exchange'] as const;
/** One of `OAUTH_GRANTS`. */
export type OAuthGrant = (typeof OAUTH_GRANTS)[number];

/** The OAuth settings of an HTTP server. All are optional: discovery and registration find the rest. */
export interface OAuthSettings {
  /** Default: `authorization_code`. */
  readonly grant?: OAuthGrant;
  /** A client that is registered at the authorization server. */
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The https URL of a client ID metadata document, used as client id where the authorization server supports it. */
  readonly client_metadata_url?: string;
  readonly scopes?: readonly string[];
  /** The only authorization server that may receive credentials. */
  readonly issuer?: string;
  /** An audience that access tokens may have instead of the address of the server. */
  readonly audience?: string;
  /** The port of the redirect URI `http://127.0.0.1:PORT/callback`; by default any free port. */
  readonly redirect_port?: number;
  /** The account that is used if none is named. */
  readonly account?: string;
  /** A PKCS #8 key in PEM: the client authenticates with `private_key_jwt`. */
  readonly private_key?: string;
  /** The algorithm of `private_key`; default ES256. */
  readonly private_key_algorithm?: string;
  /** The JWT of a workload, for `jwt_bearer`. */
  readonly assertion?: string;
  /** The ID token of the identity provider, for `token_exchange`. */
  readonly id_token?: string;
  readonly idp_token_endpoint?: string;
  readonly idp_client_id?: string;
  readonly idp_client_secret?: string;
}

/** The settings that are secrets. */
export const OAUTH_SECRETS = ['client_secret', 'private_key', 'assertion', 'id_token', 'idp_client_secret'] as const;

/** Applies `change` to every text, with its field. */
export function mapOAuthTexts(
  settings: OAuthSettings,
  change: (field: keyof OAuthSettings, text: string) => string,
): OAuthSettings {
  const entries = Object.entries(settings) as [keyof OAuthSettings, OAuthSettings[keyof OAuthSettings]][];
  return Object.fromEntries(
    entries.map(([field, value]) => {
      if (typeof value === 'string') return [field, change(field, value)];
      return [field, Array.isArray(value) ? value.map((text: string) => change(field, text)) : value];
    }),
  );
}
