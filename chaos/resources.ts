import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { nowMs } from './clock.js';
import type { Program } from './program.js';

export interface Sample {
  readonly t: number;
  readonly pid: number;
  readonly megabytes: number;
  readonly handles: number;
}

/** Young processes still grow: their code is being compiled. */
const WARM_UP_MS = 8_000;

/** Memory and open files of every process, from when it is warm to its end. */
export class Resources {
  readonly #programs: ReadonlyMap<string, Program>;
  readonly #timer: NodeJS.Timeout;
  /** The first and the last sample of every process. */
  readonly #samples = new Map<string, { first: Sample; last: Sample }>();

  constructor(programs: ReadonlyMap<string, Program>) {
    this.#programs = programs;
    this.#timer = setInterval(() => this.measure(), 2_000);
  }

  measure(): void {
    for (const { name, pid, startedAt } of this.#programs.values()) {
      if (pid === undefined || nowMs() - startedAt < WARM_UP_MS) continue;
      const last = sample(pid);
      if (!last) continue;
      const key = `${name}, pid ${pid}`;
      this.#samples.set(key, { first: this.#samples.get(key)?.first ?? last, last });
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Processes whose memory or open files have grown by more than the load explains. */
  grown(): string[] {
    const alive = new Set([...this.#programs.values()].map(({ name, pid }) => `${name}, pid ${pid}`));
    return [...this.#samples].flatMap(([key, { first, last }]) => {
      if (!alive.has(key)) return [];
      const seconds = Math.round((last.t - first.t) / 1_000);
      const found: string[] = [];
      if (last.megabytes > first.megabytes + MAX_GROWTH_MB) {
        found.push(`${key}: memory grew from ${first.megabytes} to ${last.megabytes} MB in ${seconds} s`);
      }
      if (last.handles > first.handles + MAX_MORE_HANDLES) {
        found.push(`${key}: open files grew from ${first.handles} to ${last.handles} in ${seconds} s`);
      }
      return found;
    });
  }

  /** The largest memory of a process at its last sample, in megabytes. */
  get largest(): number {
    return Math.max(0, ...[...this.#samples.values()].map(({ last }) => last.megabytes));
  }
}

/** The heap of Node grows to several times its live size before it is collected. */
const MAX_GROWTH_MB = 120;
const MAX_MORE_HANDLES = 40;

function sample(pid: number): Sample | undefined {
  try {
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    const handles = readdirSync(`/proc/${pid}/fd`).length;
    return { t: nowMs(), pid, megabytes: Math.round(kilobytes / 1_024), handles };
  } catch {
    return undefined; // it has just ended
  }
}

/** The processes that use a folder: in their arguments, their environment, or as an open file. */
export function processesUsing(folder: string): { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const isOurs =
          command.includes(folder) ||
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder) ||
          readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(folder));
        return isOurs ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ').slice(0, 200) }] : [];
      } catch {
        return []; // it has ended, or belongs to somebody else
      }
    });
}
