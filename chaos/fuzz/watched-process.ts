import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync, type WriteStream } from 'node:fs';

/** What the scheduler of Linux counts for a thread, in milliseconds. */
export interface ThreadTimes {
  /** On a processor. */
  readonly cpu: number;
  /** Ready to run, while others had the processors. */
  readonly waited: number;
}

/** The times of the main thread of a process. */
export function threadTimes(pid: number): ThreadTimes {
  const [cpu = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { cpu: cpu / 1e6, waited: waited / 1e6 };
}

export interface WatchedOptions {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Everything it prints is appended here. */
  readonly log: string;
}

const HEAP_MB = 64;
const START_MS = 60_000;

/** A program of Node under attack, with a small heap. */
export class WatchedProcess {
  readonly child: ChildProcess;
  readonly #log: WriteStream;
  #lastOutput = '';

  constructor({ args, env, log }: WatchedOptions) {
    this.child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, ...args], { env, stdio: 'pipe' });
    this.#log = createWriteStream(log, { flags: 'a' });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastOutput = (this.#lastOutput + chunk).slice(-2_000);
      this.#log.write(chunk);
    });
    this.child.stdout?.on('data', (chunk: Buffer) => void this.#log.write(chunk));
    this.child.stdin?.on('error', () => {}); // its end is reported by `failure`
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Why it is not running, if it is not. */
  get failure(): string | undefined {
    const { exitCode, signalCode } = this.child;
    if (exitCode === null && signalCode === null) return undefined;
    return `the process ended with ${signalCode ?? exitCode}: ${this.#lastOutput.slice(-600)}`;
  }

  get times(): ThreadTimes {
    return threadTimes(this.pid);
  }

  /** Its resident memory. */
  get megabytes(): number {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  }

  /** Waits for a line that it prints. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      let text = '';
      const timer = setTimeout(() => reject(new Error(`nothing matched ${pattern}: ${this.#lastOutput}`)), START_MS);
      const look = (chunk: Buffer) => {
        text += chunk;
        const found = pattern.exec(text);
        if (!found) return;
        clearTimeout(timer);
        this.child.stdout?.off('data', look);
        resolve(found);
      };
      this.child.stdout?.on('data', look);
    });
  }

  /** The arguments and the environment of the processes that it started. */
  descendants(): readonly { readonly pid: number; readonly args: string; readonly env: string }[] {
    return descendantsOf(this.pid).map((pid) => ({
      pid,
      args: readProc(`/proc/${pid}/cmdline`),
      env: readProc(`/proc/${pid}/environ`),
    }));
  }

  async end(): Promise<void> {
    if (this.failure === undefined) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGTERM');
      const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
    }
    await new Promise((resolve) => this.#log.end(resolve));
  }
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readProc(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''; // it has ended
    throw error;
  }
}
