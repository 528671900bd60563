/** Someone who can change a file, and the start of the command that prevents it. */
export interface OtherWriter {
  readonly who: string;
  readonly remedy: string;
}

/**
 * Who can change a file besides this user and root: its owner, a group, or every user. The primary group of this user
 * counts as this user, because many systems have a group for each user and let it write.
 *
 * @example
 * ```ts
 * import { statSync } from 'node:fs';
 * import { otherWriter } from '@a2c/protocol';
 *
 * console.log(otherWriter(statSync('keys.json'), { uid: process.geteuid?.(), gid: process.getegid?.() }));
 * ```
 *
 * @param self the ids of this process; undefined where the platform has none, such as on Windows
 */
export function otherWriter(
  { uid, gid, mode }: { readonly uid: number; readonly gid: number; readonly mode: number },
  self: { readonly uid: number | undefined; readonly gid: number | undefined },
): OtherWriter | undefined {
  if (self.uid === undefined) return undefined;
  if ((mode & 0o002) !== 0) return { who: 'every user of this machine', remedy: 'chmod o-w' };
  if (uid !== 0 && uid !== self.uid) return { who: `its owner, user ${uid}`, remedy: `chown ${self.uid}` };
  if ((mode & 0o020) !== 0 && gid !== 0 && gid !== self.gid) return { who: `the group ${gid}`, remedy: 'chmod g-w' };
  return undefined;
}
