import { type StoredLogin, Vault } from '@a2c/login';
import { print, printRow } from '../output.js';
import { a2c } from '../pasteable-command.js';

/** The logins of the user, without secrets, and where new ones are stored. */
export async function listedLogins() {
  const vault = new Vault();
  const stored = await vault.all();
  const logins = await Promise.all(stored.map(async (login) => describe(login, await vault.placeOf(login))));
  return { ...(await vault.place()), folder: vault.folder, logins };
}

/** Prints the logins and where they are stored. */
export async function printLogins({ json }: { readonly json?: true }): Promise<void> {
  const listed = await listedLogins();
  if (json) return print(JSON.stringify(listed));
  const { place, reason, folder, logins } = listed;
  if (logins.length === 0) print(`There are no logins yet. To log in, run "${a2c('login', 'SERVER')}".`);
  else printRow(['SERVER', 'ACCOUNT', 'ISSUER', 'STATE', 'STORED IN']);
  for (const { server_url, account, issuer, state, stored_in } of logins)
    printRow([server_url, account, issuer, state, stored_in]);
  print(place === 'keychain' ? 'New logins are stored in the keychain.' : `New logins are stored in ${folder}.`);
  if (reason !== null) print(`The keychain is not used: ${reason}`);
}

function describe({ server_url, key, tokens, expires_at, requested_scope }: StoredLogin, stored_in: string) {
  const state = !tokens ? 'expired' : tokens.refresh_token || expires_at === null ? 'valid' : untilText(expires_at);
  return { server_url, account: key.account, issuer: key.issuer, scope: requested_scope, state, stored_in };
}

function untilText(expires: number): string {
  return expires < Date.now() ? 'expired' : `valid until ${new Date(expires).toISOString()}`;
}
