import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { nowMs } from './clock.js';
import type { Timeline } from './timeline.js';

export interface ProgramOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Standard error is appended here. */
  readonly log: string;
  /** Printed on stdout when the program is ready. */
  readonly ready?: RegExp;
  readonly timeline: Timeline;
}

/** A time during which a process did not run, because it was paused. */
export interface Pause {
  readonly pid: number;
  readonly from: number;
  to: number;
}

/** One process of the system, which is started again after it was killed. */
export class Program {
  readonly name: string;
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #isReady = false;
  /** The process whose end is expected. */
  #ending: ChildProcess | undefined;
  readonly pauses: Pause[] = [];
  /** Processes that were killed, and when. */
  readonly killed = new Map<number, number>();
  /** Ends that no fault explains, and missing ones. */
  readonly unexpectedExits: string[] = [];
  startedAt = 0;

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.name = options.name;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  start(): void {
    if (this.#child) return;
    const { command, args, env, log, ready, timeline } = this.#options;
    const stderr = openSync(log, 'a');
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', stderr] });
    closeSync(stderr);
    this.#child = child;
    this.#isReady = ready === undefined;
    this.startedAt = nowMs();
    timeline.add(this.name, `started, pid ${child.pid}`);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#child !== child || this.#isReady) return;
      text += chunk;
      if (!ready?.test(text)) return;
      this.#isReady = true;
      timeline.add(this.name, 'is ready');
    });
    child.on('exit', (code, signal) => {
      timeline.add(this.name, `exited: ${signal ?? code}`);
      // A start that is interrupted ends with 130, or by the signal if it does not handle signals yet.
      const isEarly = (signal === 'SIGTERM' || code === 130) && !this.#isReady;
      const isExpected = this.#ending === child && (signal === 'SIGKILL' || code === 0 || isEarly);
      if (!isExpected) this.unexpectedExits.push(`pid ${child.pid} exited with ${signal ?? code}: ${tail(log)}`);
      this.#child = undefined;
      this.#isReady = false;
    });
  }

  /** The end of its standard error. */
  get lastLines(): string {
    return tail(this.#options.log);
  }

  async whenReady(ms: number): Promise<void> {
    const deadline = nowMs() + ms;
    while (!this.#isReady) {
      if (nowMs() > deadline) throw new Error(`${this.name} was not ready after ${ms} ms: ${this.lastLines}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Sends SIGKILL and waits for the end. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child?.pid) return;
    this.#ending = child;
    this.killed.set(child.pid, nowMs());
    this.#options.timeline.add(this.name, 'SIGKILL');
    child.kill('SIGKILL');
    await ended(child);
  }

  /**
   * Sends SIGTERM and waits for the end with code 0. Returns how long it took; undefined if it was longer. A process
   * that is ending already gets no second signal: that one would end it at once, with code 130.
   */
  async terminate(ms: number): Promise<number | undefined> {
    const child = this.#child;
    if (!child?.pid) return 0;
    const from = nowMs();
    this.#options.timeline.add(this.name, this.#ending === child ? 'is ending already' : 'SIGTERM');
    if (this.#ending !== child) child.kill('SIGTERM');
    this.#ending = child;
    const timer = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), ms).unref());
    if ((await Promise.race([ended(child), timer])) !== 'late') return nowMs() - from;
    if (!this.pauses.some(({ pid, to }) => pid === child.pid && to > from)) {
      this.unexpectedExits.push(
        `pid ${child.pid} did not end within ${Math.round(ms)} ms of SIGTERM: ${this.lastLines}`,
      );
    }
    await this.kill();
    return undefined;
  }

  pause(): void {
    const child = this.#child;
    if (!child?.pid) return;
    this.pauses.push({ pid: child.pid, from: nowMs(), to: Number.POSITIVE_INFINITY });
    this.#options.timeline.add(this.name, 'SIGSTOP');
    child.kill('SIGSTOP');
  }

  resume(): void {
    for (const pause of this.pauses) if (pause.to === Number.POSITIVE_INFINITY) pause.to = nowMs();
    if (!this.#child) return;
    this.#options.timeline.add(this.name, 'SIGCONT');
    this.#child.kill('SIGCONT');
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function tail(path: string): string {
  return readFileSync(path, 'utf8').trim().split('\n').slice(-5).join(' | ').slice(-1_500);
}
