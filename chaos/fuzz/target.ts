import type { Random } from '../random.js';
import type { Oracle, Shot } from './oracle.js';
import type { WatchedProcess } from './watched-process.js';

export interface TargetOptions {
  /** The files of the run. */
  readonly folder: string;
  readonly seed: number;
}

/** A program under attack. */
export interface Target {
  readonly name: string;
  readonly process: WatchedProcess;
  readonly oracle: Oracle;
  /** How many messages are sent at a time. */
  readonly batch: number;
  shot(random: Random): Shot;
  /** What went wrong, besides what the oracle has found. */
  failures(): readonly string[];
  end(): Promise<void>;
}
