import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;
/** After SIGKILL only the system can be slow. */
const KILL_WAIT_MS = 500;

/** Children are leaders of groups of their own where there are groups. */
export const HAS_GROUPS = process.platform !== 'win32';

/**
 * Whether somebody of the group is left. One that has ended but whom nobody has taken note of does not count: where we are the
 * first process, as in a container, nobody ever will.
 */
function isAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  return process.platform !== 'linux' || hasLivingMember(group);
}

function hasLivingMember(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    // After the name of the program, which may hold anything: state, parent, group.
    const [state, , itsGroup] = statOf(name).split(') ').at(-1)?.split(' ') ?? [];
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  });
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return ''; // It has ended since it was listed.
  }
}

/** false: nobody is there to get it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(HAS_GROUPS ? -group : group, signal);
  } catch (error) {
    // EPERM: somebody is there who changed the user. What we may not signal we cannot end.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && signal === 0;
  }
}

/** Ends what its leader left of a group: SIGTERM, time to follow it, SIGKILL. */
export async function sweepGroup(group: number, graceMs: number): Promise<void> {
  if (!HAS_GROUPS || !signalGroup(group, 'SIGTERM')) return;
  if (await isGoneWithin(group, graceMs)) return;
  signalGroup(group, 'SIGKILL');
  await isGoneWithin(group, KILL_WAIT_MS);
}

async function isGoneWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (isAlive(group)) {
    if (performance.now() >= deadline) return false;
    await wait(POLL_MS);
  }
  return true;
}
