import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { COMMAND, Workplace, workshop } from './a2c.js';

/** With its own keychain: imports, calls a tool that prints the secret, moves the secret to a file, calls again. */
const SESSION = `
printf secret | gnome-keyring-daemon --unlock --components=secrets > "$HOME/daemon"
cd "$FOLDER"
call() { "$NODE" "$A2C" mcp call shop environment name=API_TOKEN --config servers.json --trust --json; }
"$NODE" "$A2C" config import --write servers.json --with-secrets | grep secret
call
grep -rl s3cr3t "$HOME" || echo in no file
A2C_VAULT=file "$NODE" "$A2C" config import --write servers.json --force --with-secrets | grep secret
call
`;

verifies('NEW-IMPORT-08', 'a real keychain holds the secrets of an import, and no file does', async () => {
  const { server_parameters } = workshop('w') as { server_parameters: { command: string; args: string[] } };
  const server = { ...server_parameters, env: { API_TOKEN: 's3cr3t-t0ken' } };
  const place = new Workplace({ '.mcp.json': { mcpServers: { shop: server } } });
  const { home } = place;
  const runtime = place.path('~/run');
  mkdirSync(runtime, { mode: 0o700 });
  const { A2C_VAULT: _vault, ...inherited } = process.env;
  const folders = { HOME: home, A2C_HOME: home, XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: home, FOLDER: place.folder };
  const env = { ...inherited, ...folders, NODE: process.execPath, A2C: COMMAND };
  const { stdout } = await promisify(execFile)('dbus-run-session', ['--', 'sh', '-c', SESSION], { env });
  const call = JSON.stringify({ content: [{ type: 'text', text: 's3cr3t-t0ken' }] });
  const inFile = /^1 secret is stored for this file in .+\.json \(not in the keychain: A2C_VAULT is "file"\)$/;
  expect(stdout.trim().split('\n')).toEqual([
    '1 secret is stored for this file in the keychain',
    call,
    'in no file',
    expect.stringMatching(inFile),
    call,
  ]);
});
