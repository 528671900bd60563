import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { approve, startAuthorizationServer, startNotesServer } from '@a2c/test-authorization-server';
import { expect, inject, onTestFinished } from 'vitest';
import { COMMAND, type Finished, Workplace } from './a2c.js';
import { loginProcess } from './login-process.js';

const FILE_VAULT = { A2C_VAULT: 'file' };
const EVERYTHING = join(inject('commands'), 'everything.js');

async function workplace() {
  const authorization = await startAuthorizationServer();
  const notes = await startNotesServer(authorization);
  onTestFinished(async () => {
    await notes.close();
    await authorization.close();
  });
  const place = new Workplace({ 'mcp.json': { mcpServers: { notes: { type: 'http', url: notes.url } } } });
  return { authorization, notes, place };
}

verifies('LOGIN-CMD-01', 'log in, use the server, list the login, log out', async () => {
  const { notes, place } = await workplace();
  const config = ['--config', 'mcp.json'];
  const tools = () => place.a2cWith(FILE_VAULT, 'mcp', 'tools', 'notes', ...config, '--trust');
  const refused = await tools();
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('needs a login: run "npx a2c login notes"'),
  });
  const doctor = await place.a2cWith(FILE_VAULT, 'doctor', ...config);
  expect(doctor.stdout + doctor.stderr).toMatch(/a2c login notes/);
  const typed = await place.a2cWith(FILE_VAULT, 'mcp', 'tools', '--url', notes.url);
  expect(typed.stderr).toContain(`login --url ${notes.url}`);

  const login = await loginProcess(place, ['notes', ...config]);
  expect(login).toMatchObject({ code: 0, stdout: 'logged in to notes\n' });
  expect(login.stderr).toContain('Open this address on this machine. Elsewhere, use --paste or --device:');
  expect((await tools()).code).toBe(0);

  const list = JSON.parse((await place.a2cWith(FILE_VAULT, 'login', '--list', '--json')).stdout);
  expect(list).toMatchObject({
    place: 'file',
    logins: [{ server_url: notes.url, account: 'default', state: 'valid', stored_in: 'file' }],
  });
  const logout = await place.a2cWith(FILE_VAULT, 'logout', 'notes', ...config);
  expect(logout.stdout).toBe('logged out of notes\n');
  expect((await tools()).code).toBe(1);
});

verifies('LOGIN-CMD-01', 'paste works without a name, and wrong options are refused', async () => {
  const { place } = await workplace();
  const paste = await loginProcess(place, ['--paste', '--config', 'mcp.json'], async (url) => (await approve(url)).url);
  expect(paste).toMatchObject({ code: 0, stdout: 'logged in to notes\n' });
  const both = await place.a2c('login', 'notes', '--paste', '--device', '--config', 'mcp.json');
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('exclude each other') });
});

verifies('LOGIN-CMD-01', 'a wrong name is refused with the right ones, before a file is trusted', async () => {
  const local = { command: 'no-such-program' };
  const mcpServers = { local, notes: { type: 'http', url: 'https://notes.example/mcp' } };
  const place = new Workplace({ '.mcp.json': { mcpServers } });
  const cases = [
    ['nosuch', 'there is no server "nosuch"; these servers support login: notes\n'],
    ['local', 'server "local" is a local program and has no login; these servers support login: notes\n'],
  ] as const;
  for (const [name, stderr] of cases) {
    for (const command of ['login', 'logout'])
      expect(await place.a2cWith(FILE_VAULT, command, name)).toEqual({ code: 2, stdout: '', stderr });
  }
  const untrusted = await place.a2cWith(FILE_VAULT, 'login', 'notes');
  expect(untrusted).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/would use a login .* config trust \S*mcp\.json\)\n$/),
  });
});

verifies('LOGIN-CMD-01', 'the list says that there are no logins, and why the keychain is not used', async () => {
  const place = new Workplace();
  const noBus = { A2C_VAULT: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', XDG_RUNTIME_DIR: '/nowhere' };
  const { stdout } = await place.a2cWith(noBus, 'login', '--list');
  const [none, where, reason] = stdout.split('\n');
  expect(none).toBe('There are no logins yet. To log in, run "npx a2c login SERVER".');
  if (process.platform !== 'linux') return;
  expect(where).toMatch(/^New logins are stored in .*logins\.$/);
  expect(reason).toMatch(
    /^The keychain is not used: (no keyring service .* is reachable from this session|@napi-rs.*)$/,
  );
});

verifies('LOGIN-CMD-01', 'the shell shows the state, the logins, and logs out', async () => {
  const { place, notes } = await workplace();
  const args = ['--config', '@servers.json'];
  place.write('servers.json', [{ name: 'notes', type: 'streamable', server_parameters: { url: notes.url } }]);
  const { replies } = await place.replies(['status', 'logins', 'logout notes'], args, FILE_VAULT);
  expect(replies[0].servers).toMatchObject([{ name: 'notes', state: 'needs-login' }]);
  expect(replies[1]).toMatchObject({ place: 'file', logins: [] });
  expect(replies[2]).toMatchObject({ ok: true, existed: false });
});

verifies('LOGIN-CMD-01', 'the shell logs in, and the server connects by itself', async () => {
  const { place, notes } = await workplace();
  place.write('servers.json', [{ name: 'notes', type: 'streamable', server_parameters: { url: notes.url } }]);
  const args = ['--config', '@servers.json', '--json', '--confirm', 'allow'];
  const input = 'login notes\ntc notes.read {}\n';
  const { stdout } = await loginProcess(place, args, approve, { command: 'computer', input });
  const [login, call] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(login).toMatchObject({ ok: true, name: 'notes' });
  expect(JSON.stringify(call)).toContain('a note');
});

verifies('LOGIN-CMD-01', 'mcp servers shows the stored login of each server, and the command without one', async () => {
  const { place } = await workplace();
  const shown = async () => {
    const { stdout } = await place.a2cWith(FILE_VAULT, 'mcp', 'servers', '--config', 'mcp.json', '--json');
    return JSON.parse(stdout).servers[0].login;
  };
  expect(await shown()).toEqual({
    state: 'none',
    account: 'default',
    command: expect.stringMatching(/a2c login notes$/),
  });
  await loginProcess(place, ['notes', '--config', 'mcp.json']);
  expect(await shown()).toEqual({ state: 'valid', account: 'default' });
});

verifies('LOGIN-CMD-02', 'client secrets, keys and tokens reach no output, file, Agent or child process', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const machine = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
  const authorization = await startAuthorizationServer({
    clients: [
      { ...machine, client_id: 'robot', client_secret: 'canary-of-the-client-secret' },
      {
        ...machine,
        client_id: 'signer',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
      },
    ],
  });
  const notes = await startNotesServer(authorization);
  const office = await listen({ port: 0, authenticate: allowAnonymous });
  onTestFinished(async () => {
    await office.close();
    await notes.close();
    await authorization.close();
  });
  const grant = 'client_credentials';
  const remote = (name: string, oauth: object) => ({
    name,
    type: 'streamable',
    server_parameters: { url: notes.url, oauth: { grant, ...oauth } },
    default_tool_meta: { auto_apply: true },
  });
  const place = new Workplace();
  const config = join(place.folder, 'servers.json');
  place.write('servers.json', [
    remote('secret', {
      ...{ client_id: 'robot', client_secret: 'canary-of-the-client-secret' },
      issuer: authorization.issuer,
    }),
    remote('signed', { client_id: 'signer', private_key: pem, issuer: authorization.issuer }),
    { name: 'child', type: 'stdio', server_parameters: { command: process.execPath, args: [EVERYTHING] } },
  ]);
  const run = (...args: string[]) => place.a2cWith({ ...FILE_VAULT, A2C_LOG_LEVEL: 'trace' }, ...args);
  const seat = ['--url', office.url, '--office', 'o'];
  const computer = spawn(
    process.execPath,
    [COMMAND, 'computer', 'run', '--headless', '--name', 'pc', '--config', `@${config}`, '--confirm', 'allow', ...seat],
    { env: { ...process.env, ...FILE_VAULT, A2C_HOME: place.home, A2C_LOG_LEVEL: 'trace' } },
  );
  let said = '';
  for (const stream of [computer.stdout, computer.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  onTestFinished(async () => {
    computer.kill();
    if (computer.exitCode === null) await once(computer, 'exit');
  });
  await expect.poll(() => said).toContain('ready');
  const agent = (...args: string[]) => run('agent', ...args, ...seat, '--json');
  const called = [];
  for (const name of ['secret', 'signed']) {
    const { stdout } = await run('mcp', 'call', name, 'read', '--config', config, '--trust', '--json');
    expect(stdout).toContain('a note');
    called.push(stdout);
  }
  const outputs = [
    ...called,
    await agent('config', 'pc'),
    await agent('tools', 'pc'),
    await agent('call', 'pc', 'get-env', '{}'),
    await run('mcp', 'servers', '--config', config, '--json'),
    await run('config', 'show', config, '--json'),
    await run('doctor', '--config', config, '--json'),
    await run('login', '--list', '--json'),
  ].map((output) => JSON.stringify(output));
  expect(outputs.join('')).toContain('PATH');
  expect(outputs[2]).toContain('signed');
  const vault = join(place.home, 'state', 'logins');
  const tokens = notes.requests.flatMap(({ token }) => (token ? [token] : []));
  expect(tokens.length).toBeGreaterThan(0);
  const key = pem.split('\n')[1] as string;
  const files = [place.folder, place.home]
    .flatMap(filesIn)
    .filter((path) => !path.startsWith(vault) && path !== config);
  const written = [said, ...outputs, ...files.map((path) => readFileSync(path, 'utf8'))];
  for (const canary of ['canary-of-the-client-secret', key, ...new Set(tokens)])
    expect(written.filter((text) => text.includes(canary))).toEqual([]);
});

verifies('LOGIN-CMD-02', 'no token or code is printed or written outside of the vault', async () => {
  const { place, notes } = await workplace();
  const codes: string[] = [];
  const login = await loginProcess(place, ['notes', '--paste', '--config', 'mcp.json'], async (url) => {
    const { url: redirected } = await approve(url);
    codes.push(new URL(redirected).searchParams.get('code') ?? '');
    return redirected;
  });
  place.write('servers.json', [{ name: 'notes', type: 'streamable', server_parameters: { url: notes.url } }]);
  const shell = ['status', 'tools', 'tc read', 'mcp', 'history', 'logins', 'tc write'];
  const more = [
    '--config',
    '@servers.json',
    '--history-file',
    join(place.folder, 'history.jsonl'),
    '--confirm',
    'allow',
  ];
  const outputs: Finished[] = [
    login,
    await place.computer(shell, more, FILE_VAULT),
    await place.a2cWith(
      { ...FILE_VAULT, A2C_LOG_LEVEL: 'trace' },
      'mcp',
      'call',
      'notes',
      'write',
      '--config',
      'mcp.json',
      '--trust',
    ),
    await place.a2cWith(FILE_VAULT, 'doctor', '--config', 'mcp.json', '--json'),
    await place.a2cWith(FILE_VAULT, 'login', '--list', '--json'),
  ];
  const vault = join(place.home, 'state', 'logins');
  const [record = ''] = readdirSync(vault).filter((name) => name.endsWith('.json'));
  const { secrets } = JSON.parse(readFileSync(join(vault, record), 'utf8'));
  const canaries = [secrets.tokens.access_token, secrets.tokens.refresh_token, ...codes];
  expect(canaries.every((canary) => typeof canary === 'string' && canary.length > 10)).toBe(true);
  const files = [place.folder, place.home].flatMap(filesIn).filter((path) => !path.startsWith(vault));
  const written = [
    ...files.map((path) => readFileSync(path, 'utf8')),
    ...outputs.map((output) => JSON.stringify(output)),
  ];
  expect(outputs[1]?.stdout).toContain('a note');
  for (const canary of canaries) expect(written.filter((text) => text.includes(canary))).toEqual([]);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

verifies('LOGIN-CHECK-10', 'the page of another service is shown only if --issuer names the issuer', async () => {
  const listener = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/oauth-authorization-server': {
        issuer,
        authorization_endpoint: issuer.replace('127.0.0.1', 'localhost'),
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      },
      '/register': { client_id: 'c', redirect_uris: ['http://127.0.0.1/callback'] },
      '/token': { access_token: 'a-token-of-the-test', token_type: 'Bearer' },
    };
    const answer = answers[pathname];
    response.writeHead(answer ? 200 : pathname === '/mcp' ? 401 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void listener.close());
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const place = new Workplace({ 'mcp.json': { mcpServers: { notes: { type: 'http', url: `${issuer}/mcp` } } } });
  const pages: URL[] = [];
  const login = (...more: string[]) =>
    loginProcess(place, ['notes', '--paste', '--config', 'mcp.json', ...more], async (url) => {
      pages.push(new URL(url));
      return `http://127.0.0.1:33418/callback?code=x&state=${pages[0]?.searchParams.get('state')}`;
    });
  const refused = await login();
  expect([refused.code, pages]).toEqual([1, []]);
  expect(refused.stderr).toMatch(/the login page is on localhost:\d+, but .* another service, 127\.0\.0\.1:\d+: /);
  expect((await login('--issuer', 'https://other.example')).stderr).toContain(
    'not the configured https://other.example',
  );
  expect(await login('--issuer', issuer)).toMatchObject({ code: 0, stdout: 'logged in to notes\n' });
  expect(pages.map(({ hostname }) => hostname)).toEqual(['localhost']);
});
