import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { childEnvironment, findProgram, howToFind, type StdioTransport } from '@a2c/config';
import { HubError } from '../../errors.js';
import { inBubblewrap, withOpen } from './bubblewrap.js';
import { onlyPipes } from './inherited-descriptors.js';
import { HAS_GROUPS, signalGroup, sweepGroup } from './process-group.js';
import { watchdog } from './watchdog.js';
import { spawnProgram } from './windows-rules.js';

/** How long the pipes of an ended child stay open without data: a process outside the group may hold them. */
const HELD_PIPE_MS = 250;
/** The same with data: what the child itself wrote is at most a full pipe, and is read much earlier. */
const HELD_PIPE_MAX_MS = 2_000;

/** How a server's program is started; resolved and checked before the start. */
export interface Launch {
  /** The configured name, for messages. Arguments and environment may contain secrets and are never shown. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * What the program reads from its descriptors from 3 on, where other users cannot see it. Only programs in a sandbox
   * have it.
   */
  readonly inputs?: readonly (string | Uint8Array)[];
  /** Files and folders that are open in the program, on the descriptors after those of `inputs`. */
  readonly open?: readonly string[];
}

/** Finds the program. Throws an error that names a missing program or folder. */
export async function planLaunch(stdio: StdioTransport, root: string): Promise<Launch> {
  const [name, ...args] = stdio.argv;
  const env = childEnvironment(stdio);
  const cwd = stdio.cwd ?? root;
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) {
    throw new HubError(
      'refused',
      `the program "${name}" cannot be started: its "cwd" ${cwd} is not a folder; create it or correct "cwd"`,
    );
  }
  const file = findProgram(name, env, cwd);
  if (file === undefined) {
    throw new HubError('refused', `the program "${name}" was not found or cannot be executed: ${howToFind(name)}`);
  }
  const { sandbox } = stdio;
  const program = { name, file, args, cwd, env };
  return sandbox ? { ...program, ...inBubblewrap(program, sandbox) } : program;
}

let lastLaunch: Promise<unknown> = Promise.resolve();

/** One program per turn of the event loop: a start blocks it for some milliseconds. */
function launchTurn(): Promise<unknown> {
  const before = lastLaunch;
  lastLaunch = before.then(() => setImmediate());
  return before;
}

/** Starts the program as the leader of its own process group, without a shell. */
export async function launch(plan: Launch): Promise<ChildProcessWithoutNullStreams> {
  const { name, file, args, cwd, env, inputs, open = [] } = plan;
  await launchTurn();
  const child = withOpen(open, (descriptors) => {
    const stdio = inputs
      ? onlyPipes(3 + inputs.length, descriptors)
      : ['pipe' as const, 'pipe' as const, 'pipe' as const];
    try {
      return spawnProgram(file, args, { cwd, env, detached: HAS_GROUPS, windowsHide: true, stdio });
    } catch (error) {
      throw cannotStart(name, error);
    }
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.on('error', (error) => reject(cannotStart(name, error)));
  });
  for (const [index, input] of (inputs ?? []).entries()) {
    const pipe = child.stdio[3 + index] as Writable;
    pipe.on('error', () => {}); // The program has ended: its exit is reported.
    pipe.end(input);
  }
  return child;
}

/** Node's own message quotes the command line, which may contain secrets. */
function cannotStart(name: string, cause: unknown): Error {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  const hint = HINTS[code] ?? 'try to run it by hand';
  return Object.assign(new Error(`the program "${name}" cannot be started (${code}): ${hint}`), { code });
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'it, or the interpreter its first line names, is not there',
  EACCES: 'make it executable',
  ENOEXEC: 'it is not a program for this system; a script needs a first line such as #!/bin/sh',
  E2BIG: 'its arguments and environment are too long',
  EAGAIN: 'the system cannot start another process',
  EMFILE: 'too many files are open',
};

/** A running program and its process group. */
export class ServerProcess {
  /** Resolves with how the program ended, when its group is gone and its output is read. */
  readonly gone: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #group: number;
  readonly #graceMs: number;
  #stopping: Promise<void> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, graceMs: number) {
    this.#child = child;
    this.#group = child.pid as number;
    this.#graceMs = graceMs;
    watchdog.watch(this.#group);
    const exited = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`));
    });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.gone = exited.then(async (how) => {
      await sweepGroup(this.#group, graceMs);
      watchdog.unwatch(this.#group);
      this.#closeHeldPipes(closed);
      await closed;
      return how;
    });
  }

  /** Closes stdin, then sends SIGTERM and SIGKILL after grace periods. Resolves as soon as the program has ended. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const timers = [
      setTimeout(() => signalGroup(this.#group, 'SIGTERM'), this.#graceMs),
      setTimeout(() => signalGroup(this.#group, 'SIGKILL'), this.#graceMs * 2),
    ];
    this.#child.once('exit', () => timers.forEach(clearTimeout));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) timers.forEach(clearTimeout);
    this.#child.stdin.end();
    await this.gone;
  }

  /** A process outside the group may hold the pipes forever: close them once no more data arrives, or after a time. */
  #closeHeldPipes(closed: Promise<void>): void {
    const { stdout, stderr } = this.#child;
    const close = () => {
      stdout.destroy();
      stderr.destroy();
    };
    const timer = setTimeout(close, HELD_PIPE_MS);
    const last = setTimeout(close, HELD_PIPE_MAX_MS);
    stdout.on('data', () => timer.refresh());
    void closed.then(() => [timer, last].forEach(clearTimeout));
  }
}
