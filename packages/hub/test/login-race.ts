import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Vault } from '@a2c/login';
import { approve, startAuthorizationServer, startNotesServer } from '@a2c/test-authorization-server';
import { expect, inject, onTestFinished } from 'vitest';
import { hub, server, temporaryFolder, until } from './hub.js';

const WORKER = join(inject('commands'), 'login-worker.js');

/**
 * Many processes use one login whose access token expires again and again. The authorization server rotates refresh
 * tokens and revokes everything when one is redeemed twice. `kills`: how many of the refreshing processes are killed
 * while the authorization server processes their request.
 */
export async function race({
  processes,
  expiries,
  kills,
}: Readonly<Record<'processes' | 'expiries' | 'kills', number>>) {
  const folder = await temporaryFolder();
  const workers = new Set<ChildProcess>();
  let killed = 0;
  let refreshes = 0;
  const authorization = await startAuthorizationServer({
    accessTokenTtl: 3,
    onRefresh: async () => {
      refreshes++;
      // The first refreshes belong to the start of the processes.
      if (refreshes % 2 !== 0 || killed >= kills) return;
      const owners = await ownersOf(folder);
      const victim = [...workers].find(({ pid }) => pid === owners[0]);
      if (!victim) return;
      killed++;
      workers.delete(victim);
      victim.kill('SIGKILL');
      await once(victim, 'exit');
    },
  });
  const notes = await startNotesServer(authorization);
  onTestFinished(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await notes.close();
    await authorization.close();
  });
  const config = server('notes', { type: 'streamable', server_parameters: { url: notes.url } });
  const first = await hub([config], { vault: new Vault(folder, 'file'), autoConnect: false });
  await first.login('notes', { onUrl: ({ url }) => void approve(url) });

  await Promise.all(
    Array.from({ length: processes }, async () => {
      const worker = spawn(process.execPath, [WORKER, notes.url, folder, String(processes * 20)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      workers.add(worker);
      await Promise.race([once(worker.stdout as NodeJS.ReadableStream, 'data'), once(worker, 'exit')]);
    }),
  );
  const redemptions = () => authorization.redemptions.refresh_token ?? 0;
  const end = redemptions() + expiries;
  await until(() => redemptions() >= end && killed >= kills);
  const exits = await Promise.all(
    [...workers].map(async (worker) => {
      worker.stdin?.end();
      if (worker.exitCode === null) await once(worker, 'exit');
      return worker.exitCode;
    }),
  );
  const used = new Set(notes.requests.filter(({ status }) => status < 300).map(({ token }) => token));
  expect(exits, 'no process lost its login').toEqual(exits.map(() => 0));
  expect(authorization.failures, 'no refresh token was redeemed twice').toEqual([]);
  // A second redemption for the same expiry would issue a token that is replaced before it is used.
  expect(used.size).toBeGreaterThanOrEqual(redemptions());
  expect(used.size).toBeLessThanOrEqual(redemptions() + 1);
  return { killed, redemptions: redemptions() };
}

/** The processes that hold the lock of the login, the refreshing one first. */
async function ownersOf(folder: string): Promise<number[]> {
  const locks = join(folder, 'locks');
  const names = (await readdir(locks)).filter((name) => !name.startsWith('.'));
  const latest = names.toSorted((a, b) => numberOf(b) - numberOf(a))[0] ?? '';
  const { owners } = JSON.parse(await readFile(join(locks, latest), 'utf8')) as { owners: { pid: number }[] };
  return owners.map(({ pid }) => pid);
}

const numberOf = (name: string) => Number(name.split('.')[1]);
