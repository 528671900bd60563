import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { makePrivateFolder, readIfPresent, replaceFile } from '@a2c/config';
import type { LoginTarget } from './target.js';

/** What a server requires of the next login, from its last 401 or 403. It contains no secret. */
export interface Challenge {
  /** The server answered 401. */
  readonly is_required?: boolean;
  readonly scope?: string;
  readonly resource_metadata_url?: string;
  readonly scheme?: 'dpop';
}

/** Keeps the challenge, so that `a2c login` in another process requests the right scopes. */
export async function saveChallenge(target: LoginTarget, challenge: Challenge): Promise<void> {
  await makePrivateFolder(target.vault.folder);
  await replaceFile(fileOf(target), JSON.stringify(challenge), { isDurable: true });
}

/** The last challenge; undefined if there is none since the last login. */
export async function readChallenge(target: LoginTarget): Promise<Challenge | undefined> {
  const text = await readIfPresent(fileOf(target));
  return text === undefined ? undefined : (JSON.parse(text) as Challenge);
}

export async function forgetChallenge(target: LoginTarget): Promise<void> {
  await rm(fileOf(target), { force: true });
}

function fileOf({ url, account, vault }: LoginTarget): string {
  const name = createHash('sha256')
    .update(JSON.stringify([url, account]))
    .digest('hex')
    .slice(0, 32);
  return vault.challengeFileOf(name);
}
