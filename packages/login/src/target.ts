import type { OAuthSettings } from '@a2c/config';
import type { FetchLike } from '@modelcontextprotocol/client';
import type { Vault } from './vault/vault.js';

/** How login requests are sent. The caller checks every address against its trust policy. */
export interface LoginHttp {
  /** Rejects an address that the trust policy forbids. For pages that a person opens; requests are checked anyway. */
  readonly approve: (url: string | URL) => Promise<void>;
  /** Sends one request. Redirects are not followed. */
  readonly fetch: FetchLike;
  /**
   * Sends one request from a process that outlives this one, and stores a successful answer in `file` before it
   * resolves. `onProcess` is awaited before the request is sent.
   */
  readonly fetchDurably: (
    url: string | URL,
    init: RequestInit | undefined,
    durable: { readonly file: string; readonly tag: string; readonly onProcess: (pid: number) => Promise<void> },
  ) => Promise<Response>;
}

/** One MCP server to log in to, with one account. */
export interface LoginTarget {
  /** The name of the MCP server, for messages. */
  readonly server: string;
  readonly url: string;
  /** The settings, with placeholders filled in. */
  readonly settings: OAuthSettings;
  readonly account: string;
  readonly vault: Vault;
  readonly http: LoginHttp;
}

/** The account that is used if none is named. */
export const DEFAULT_ACCOUNT = 'default';

/** True if tokens are requested without a person. */
export function isUnattended({ grant = 'authorization_code' }: OAuthSettings): boolean {
  return grant !== 'authorization_code';
}
