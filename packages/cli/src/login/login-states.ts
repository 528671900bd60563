import type { ServerConfig } from '@a2c/config';
import { a2c } from '../pasteable-command.js';
import { listedLogins } from './list.js';

/** The login of a server: `none` also for servers that want none. */
export interface LoginState {
  readonly login?: { readonly state: string; readonly account: string; readonly command?: string };
}

/** Returns a function that finds the stored login of a server, without a connection to it. */
export async function loginStates(): Promise<(server: ServerConfig) => LoginState> {
  const { logins } = await listedLogins();
  return ({ name, transport }) => {
    if (transport.type !== 'streamable_http' && transport.type !== 'sse') return {};
    const { url, http_headers, oauth } = transport;
    if (Object.keys(http_headers).some((header) => header.toLowerCase() === 'authorization')) return {};
    const account = oauth?.account ?? 'default';
    const stored = logins.find((login) => login.server_url === url && login.account === account);
    const state = stored?.state ?? 'none';
    const isUsable = state.startsWith('valid');
    return { login: { state, account, ...(!isUsable && { command: a2c('login', name) }) } };
  };
}
