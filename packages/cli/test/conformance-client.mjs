// The client under test of the conformance suite: logs in and calls a tool with the shipped program.
// Its argument is the program. The suite appends the URL of the server and describes the scenario in the environment.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BROWSER = fileURLToPath(new URL('conformance-browser.mjs', import.meta.url));
const MAX_LOGINS = 3;

const [, , program, url] = process.argv;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

function settings() {
  const { client_id, client_secret } = context;
  switch (scenario) {
    case 'auth/client-credentials-basic':
      return { grant: 'client_credentials', client_id, client_secret };
    case 'auth/client-credentials-jwt':
      return {
        grant: 'client_credentials',
        client_id,
        private_key: context.private_key_pem,
        private_key_algorithm: context.signing_algorithm ?? 'ES256',
      };
    case 'auth/wif-jwt-bearer':
      return { grant: 'jwt_bearer', client_id, assertion: context.valid_jwt };
    case 'auth/enterprise-managed-authorization': {
      const { idp_token_endpoint, idp_client_id, idp_id_token } = context;
      const idp = { idp_token_endpoint, idp_client_id, id_token: idp_id_token };
      return { grant: 'token_exchange', client_id, client_secret, ...idp };
    }
    default:
      if (client_id !== undefined) return { client_id, client_secret };
      return { client_metadata_url: 'https://conformance-test.local/client-metadata.json' };
  }
}

/** Secrets are sent only to an authorization server that the configuration names. */
async function withIssuer(oauth) {
  const { client_secret, private_key, assertion, id_token } = oauth;
  if ((client_secret ?? private_key ?? assertion ?? id_token) === undefined) return oauth;
  const { origin, pathname } = new URL(url);
  for (const path of [pathname, '']) {
    const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
    if (response.ok) return { ...oauth, issuer: (await response.json()).authorization_servers[0] };
  }
  return oauth;
}

const home = mkdtempSync(join(tmpdir(), 'a2c-conformance-'));
const config = join(home, 'servers.json');
const entry = { name: 'test', type: 'streamable', server_parameters: { url, oauth: await withIssuer(settings()) } };
writeFileSync(config, JSON.stringify([entry]));
const env = {
  ...process.env,
  A2C_HOME: home,
  A2C_VAULT: 'file',
  BROWSER: `${process.execPath} ${BROWSER}`,
};
const a2c = (...args) => {
  const { status, stderr } = spawnSync(process.execPath, [program, ...args, '--config', config], {
    env,
    encoding: 'utf8',
  });
  process.stderr.write(stderr);
  return { status, stderr };
};

let status = 1;
for (let logins = 0; ; logins++) {
  const called = a2c('mcp', 'call', 'test', 'test-tool', '--trust');
  status = called.status ?? 1;
  if (!called.stderr.includes('a2c login test') || logins === MAX_LOGINS) break;
  const login = a2c('login', 'test');
  if (login.status !== 0) {
    status = login.status ?? 1;
    break;
  }
}
rmSync(home, { recursive: true });
process.exitCode = status;
