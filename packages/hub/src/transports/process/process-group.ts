import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { taskkill } from './windows-rules.js';

const POLL_MS = 50;
/** How long the system may take to end processes after SIGKILL. */
const KILL_WAIT_MS = 500;

/** Each child leads its own process group, except on Windows, which has none. */
export const HAS_GROUPS = process.platform !== 'win32';

/**
 * True if the group has a running process. Zombies do not count: if this process is the first one of a container, no
 * one reaps the children of its children.
 */
function isAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  return !existsSync('/proc/self/stat') || hasLivingMember(group);
}

function hasLivingMember(group: number): boolean {
  return processIds().some((name) => {
    // The fields after the program name, which may contain anything: state, parent, group.
    const [state, , itsGroup] = statOf(name).split(') ').at(-1)?.split(' ') ?? [];
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  });
}

function processIds(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return ''; // The process ended after it was listed.
  }
}

/** Sends a signal to a group. Returns false if the group has no process. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  const command = HAS_GROUPS ? undefined : taskkill(group, signal);
  if (command) {
    const [file, ...args] = command;
    return spawnSync(file, args, { stdio: 'ignore', windowsHide: true }).status === 0;
  }
  try {
    return process.kill(HAS_GROUPS ? -group : group, signal);
  } catch (error) {
    // EPERM: a process of the group runs as another user. It exists but cannot be ended from here.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && signal === 0;
  }
}

/** Ends the rest of a group after its leader has exited: SIGTERM, a grace period, SIGKILL. */
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
