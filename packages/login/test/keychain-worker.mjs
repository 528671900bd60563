// Stores, reads or deletes a login in the keychain: `keychain-worker.mjs FOLDER write|read|delete`. Prints the result.
import { Vault } from '@a2c/login';

const [, , folder, action] = process.argv;
const vault = new Vault(folder);
const key = { issuer: 'https://a.example', resource: 'https://m.example/mcp', client_id: 'c', account: 'ada' };
if (action === 'write') {
  await vault.write({
    key,
    server_url: 'https://m.example/mcp',
    authorization_server: 'https://a.example',
    metadata: null,
    requested_scope: null,
    registration: 'configured',
    redirect_uri: null,
    expires_at: null,
    lifetime: null,
    updated_at: new Date().toISOString(),
    tokens: { access_token: 'canary-of-the-keychain', token_type: 'Bearer' },
    client: { client_id: 'c' },
  });
}
if (action === 'delete') for (const login of await vault.all()) await vault.remove(login);
const [login] = await vault.all();
console.log(
  JSON.stringify({
    ...(await vault.place()),
    storedIn: login ? await vault.placeOf(login) : null,
    token: login?.tokens?.access_token ?? null,
  }),
);
