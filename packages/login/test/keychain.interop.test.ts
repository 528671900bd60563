import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';

const WORKER = fileURLToPath(new URL('keychain-worker.mjs', import.meta.url));

/** Unlocks a keychain of its own, and runs a process for each action. */
const SESSION = `
printf secret | gnome-keyring-daemon --unlock --components=secrets > "$HOME/daemon"
for action in write read delete; do "$NODE" "$WORKER" "$HOME/logins" $action; done
`;

verifies('LOGIN-VAULT-03', 'a real keychain holds the secrets of a login, and no file does', async () => {
  const home = await mkdtemp(join(tmpdir(), 'a2c-keychain-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const runtime = join(home, 'run');
  await mkdir(runtime, { mode: 0o700 });
  const { A2C_VAULT: _vault, ...inherited } = process.env;
  const env = {
    ...inherited,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: home,
    NODE: process.execPath,
    WORKER,
  };
  const { stdout } = await promisify(execFile)('dbus-run-session', ['--', 'sh', '-c', SESSION], { env });
  const place = { place: 'keychain', reason: null };
  const token = 'canary-of-the-keychain';
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { ...place, storedIn: 'keychain', token },
    { ...place, storedIn: 'keychain', token },
    { ...place, storedIn: null, token: null },
  ]);
  // The sockets of the keychain may vanish meanwhile.
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    expect([path, (await readFile(path)).includes(token)]).toEqual([path, false]);
  }
});
