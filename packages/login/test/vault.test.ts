import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { type StoredLogin, Vault } from '../src/index.js';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-login-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function login(account: string, fields: Partial<StoredLogin['key']> = {}): StoredLogin {
  return {
    key: { issuer: 'https://a.example', resource: 'https://m.example/mcp', client_id: 'c', account, ...fields },
    server_url: 'https://m.example/mcp',
    authorization_server: 'https://a.example',
    metadata: null,
    requested_scope: null,
    registration: 'configured',
    redirect_uri: null,
    expires_at: null,
    lifetime: null,
    updated_at: new Date().toISOString(),
    tokens: { access_token: `token-of-${account}`, token_type: 'Bearer' },
    client: { client_id: 'c' },
  };
}

verifies('LOGIN-VAULT-01', 'records and their folder are readable by this user only', async () => {
  const folder = join(await temporaryFolder(), 'state', 'logins');
  await new Vault(folder, 'file').write(login('ada'));
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.json'));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual([name]);
});

verifies('LOGIN-VAULT-01', 'issuer, resource, client and account each make another login', async () => {
  const vault = new Vault(await temporaryFolder(), 'file');
  const all = [
    login('ada'),
    login('bob'),
    login('ada', { issuer: 'https://b.example' }),
    login('ada', { resource: 'https://n.example' }),
    login('ada', { client_id: 'd' }),
  ];
  for (const each of [...all, ...all]) await vault.write(each);
  expect(await vault.all()).toHaveLength(all.length);
});

verifies(
  'LOGIN-VAULT-01',
  'another vault sees a change at once, and a reader never sees a part of a record',
  async () => {
    const folder = await temporaryFolder();
    const [writer, reader] = [new Vault(folder, 'file'), new Vault(folder, 'file')];
    let isDone = false;
    const writing = (async () => {
      for (let turn = 0; turn < 100; turn++) {
        await writer.write({ ...login('ada'), tokens: { access_token: 'x'.repeat(turn * 100), token_type: 'Bearer' } });
      }
      isDone = true;
    })();
    while (!isDone) expect((await reader.all()).length).toBeLessThanOrEqual(1);
    await writing;
    expect((await reader.all())[0]?.tokens?.access_token).toHaveLength(9_900);
  },
);

verifies('LOGIN-VAULT-01', 'a damaged record is reported with its path', async () => {
  const folder = await temporaryFolder();
  const vault = new Vault(folder, 'file');
  await vault.write(login('ada'));
  const [name = ''] = await readdir(folder);
  await writeFile(join(folder, name), (await readFile(join(folder, name), 'utf8')).slice(0, 50));
  await expect(new Vault(folder, 'file').all()).rejects.toThrow(`${join(folder, name)} is damaged`);
});
