import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process that holds a lock. */
export interface LockOwner {
  readonly host: string;
  readonly pid: number;
  /** When the process started, in the unit of the system; null if the system does not say. */
  readonly started: string | null;
  /**
   * Where its process id is valid: a boot of the machine, and a PID namespace, which containers have. Null if the
   * system has none; owners that an earlier version recorded do not have it.
   */
  readonly space?: string | null;
}

/** The owner record of a process on this machine. */
export function ownerOf(pid: number): LockOwner {
  return { host: hostname(), pid, started: linuxProcess(pid)?.started ?? null, space: pidSpace() };
}

/**
 * Whether an owner may still run. A process id can be reused, so the start time must match too. Without a start time,
 * and for an owner on another machine or in another PID namespace, the answer is true: the age of the lock decides.
 */
export function mayBeAlive(owner: LockOwner): boolean {
  if (!isHere(owner)) return true;
  const { pid, started } = owner;
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
export function isVerifiable(owner: LockOwner): boolean {
  return isHere(owner) && owner.started !== null;
}

/** Whether the process id of an owner is one that this process can look up. */
function isHere({ host, space }: LockOwner): boolean {
  return host === hostname() && (space === undefined || space === pidSpace());
}

function pidSpace(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null; // There is no /proc.
  }
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
