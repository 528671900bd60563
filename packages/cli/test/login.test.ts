import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { approve, startAuthorizationServer, startNotesServer } from '@a2c/test-authorization-server';
import { expect, onTestFinished } from 'vitest';
import { type Finished, Workplace } from './a2c.js';
import { loginProcess } from './login-process.js';

const FILE_VAULT = { A2C_VAULT: 'file' };

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
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a login: run "a2c login notes"') });
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

verifies('LOGIN-CMD-01', 'the shell shows the state, the logins, and logs out', async () => {
  const { place, notes } = await workplace();
  const args = ['--config', '@servers.json'];
  place.write('servers.json', [{ name: 'notes', type: 'streamable', server_parameters: { url: notes.url } }]);
  const { replies } = await place.replies(['status', 'logins', 'logout notes'], args, FILE_VAULT);
  expect(replies[0].servers).toMatchObject([{ name: 'notes', state: 'needs-login' }]);
  expect(replies[1]).toMatchObject({ place: 'file', logins: [] });
  expect(replies[2]).toMatchObject({ ok: true, existed: false });
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
