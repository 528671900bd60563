import { openSync, readdirSync, readFileSync } from 'node:fs';
import { HubError } from '../../errors.js';

/** Where Linux lists the open descriptors of this process with their flags. */
const DESCRIPTORS = '/proc/self/fdinfo';
/** The flag of a descriptor that a started program does not inherit: `O_CLOEXEC`. */
const CLOSED_AT_START = 0o2000000;
/** Replacing a descriptor takes an entry for each lower number. */
const MAX_DESCRIPTOR = 65_535;

/**
 * The descriptors above stderr that a program started from here would inherit. Node marks those that it opens; the
 * rest was left open by the program that started this one. Empty where the system does not list them.
 */
export function inheritedDescriptors(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync(DESCRIPTORS)
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  const [, flags] = /^flags:\s*([0-7]+)$/m.exec(infoOf(descriptor)) ?? [];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_AT_START) === 0;
}

function infoOf(descriptor: number): string {
  try {
    return readFileSync(`${DESCRIPTORS}/${descriptor}`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''; // Closed since it was listed.
    throw error;
  }
}

let nullDevice: number | undefined;

/**
 * The descriptors of a program: pipes, then those of `open`, and the null device in the place of each inherited one. A
 * folder that is open in a sandbox is a way out of it. Node cannot close a descriptor of a child, and `sh` only those
 * up to 9.
 *
 * @throws HubError if the number of one is too large to be replaced
 */
export function onlyPipes(
  count: number,
  open: readonly number[] = [],
  inherited = inheritedDescriptors(),
): ('pipe' | 'ignore' | number)[] {
  const given = [...Array.from({ length: count }, () => 'pipe' as const), ...open];
  const others = inherited.filter((descriptor) => descriptor >= given.length);
  if (others.length === 0) return given;
  const last = Math.max(...others);
  if (last > MAX_DESCRIPTOR) {
    const message = `a program in a sandbox would inherit the open file descriptor ${last}: start a2c without it`;
    throw new HubError('refused', message);
  }
  nullDevice ??= openSync('/dev/null', 'r');
  const stdio: ('pipe' | 'ignore' | number)[] = Array.from({ length: last + 1 }, () => 'ignore');
  stdio.splice(0, given.length, ...given);
  for (const descriptor of others) stdio[descriptor] = nullDevice;
  return stdio;
}
