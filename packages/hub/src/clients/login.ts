import { parseSocketUrl, type ServerConfig, type TrustGuard } from '@a2c/config';
import { DEFAULT_ACCOUNT, ServerLogin, type Vault } from '@a2c/login';
import { loginHttp } from '../transports/http/login-http.js';

/** What the logins of all servers share. */
export interface LoginContext {
  readonly guard: TrustGuard;
  readonly vault: Vault;
}

/**
 * The login of a server with its placeholders filled in; undefined if it cannot have one, because it is not reached
 * over the network or its configuration has credentials.
 */
export function loginOf(
  { name, transport }: ServerConfig,
  { guard, vault }: LoginContext,
  account?: string,
): ServerLogin | undefined {
  if (transport.type !== 'streamable_http' && transport.type !== 'sse') return undefined;
  const { url, http_headers, oauth: settings = {} } = transport;
  const hasCredentials = Object.keys(http_headers).some((header) => header.toLowerCase() === 'authorization');
  if (hasCredentials || parseSocketUrl(url)) return undefined;
  return new ServerLogin({
    server: name,
    url,
    settings,
    account: account ?? settings.account ?? DEFAULT_ACCOUNT,
    vault,
    http: loginHttp({ guard, server: name, url }),
  });
}
