import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process that holds a lock. */
export interface LockOwner {
  readonly host: string;
  readonly pid: number;
  /** When the process started, in the unit of the system; null if the system does not say. */
  readonly started: string | null;
}

/** The owner record of a process on this machine. */
export function ownerOf(pid: number): LockOwner {
  return { host: hostname(), pid, started: linuxProcess(pid)?.started ?? null };
}

/**
 * Whether an owner may still run. A process id can be reused, so the start time must match too. Without a start time,
 * and for an owner on another machine, the answer is true: the age of the lock decides.
 */
export function mayBeAlive({ host, pid, started }: LockOwner): boolean {
  if (host !== hostname()) return true;
  if (started !== null) {
    const found = linuxProcess(pid);
    return found !== undefined && found.started === started && !found.isDead;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether `mayBeAlive` is certain about the owner, so that the age of its lock does not matter. */
export function isVerifiable({ host, started }: LockOwner): boolean {
  return host === hostname() && started !== null;
}

interface LinuxProcess {
  readonly started: string;
  /** A zombie: it ended, and its parent has not noticed yet. */
  readonly isDead: boolean;
}

function linuxProcess(pid: number): LinuxProcess | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: fields[19] ?? '', isDead: /^[ZX]/.test(fields[0] ?? '') };
  } catch {
    return undefined; // There is no such process.
  }
}
