import { nowMs } from './clock.js';

/** Something that happened, at a time of the monotonic clock. */
export interface Happening {
  readonly t: number;
  /** The program or the wire. */
  readonly who: string;
  readonly what: string;
}

/** What the harness did and saw. */
export class Timeline {
  readonly startedAt = nowMs();
  readonly happenings: Happening[] = [];

  add(who: string, what: string): void {
    this.happenings.push({ t: nowMs(), who, what });
  }

  /** The happenings of these programs in this time, or of all, one per line, in seconds from the start. */
  lines(from: number, to: number, who?: ReadonlySet<string>, more: readonly Happening[] = []): string[] {
    return [...this.happenings, ...more]
      .filter((each) => each.t >= from && each.t <= to && (!who || who.has(each.who)))
      .toSorted((a, b) => a.t - b.t)
      .map(
        ({ t, who: name, what }) =>
          `${((t - this.startedAt) / 1_000).toFixed(3).padStart(9)} s  ${name.padEnd(10)} ${what}`,
      );
  }
}
