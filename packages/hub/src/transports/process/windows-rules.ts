import type { ChildProcessWithoutNullStreams, SpawnOptions, spawn } from 'node:child_process';
import crossSpawn from 'cross-spawn';

// What differs on Windows. Nothing here was run there: the rules are data, and the tests check the data.

/** Windows has no process groups. `taskkill /T` ends a process and its descendants; `/F` without asking them. */
const TASKKILL: Readonly<Partial<Record<NodeJS.Signals, readonly string[]>>> = {
  SIGTERM: ['/T'],
  SIGKILL: ['/T', '/F'],
};

/** The command that replaces a signal to a process group on Windows; undefined if there is none. */
export function taskkill(pid: number, signal: NodeJS.Signals | 0): readonly [string, ...string[]] | undefined {
  const flags = signal === 0 ? undefined : TASKKILL[signal];
  return flags && ['taskkill', '/PID', String(pid), ...flags];
}

/**
 * Starts a program without a shell. On Windows, `.cmd` and `.bat` files such as `npx` run through `cmd.exe` with quoted
 * arguments, and a script starts with the program of its first line. Elsewhere this is `spawn` of Node.
 */
export function spawnProgram(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcessWithoutNullStreams {
  return (crossSpawn as typeof spawn)(file, args, options) as ChildProcessWithoutNullStreams;
}
