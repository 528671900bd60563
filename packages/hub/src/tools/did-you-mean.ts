import { nearest } from '@a2c/config';

/** A stranger's name is compared with every name there is; no real one is longer. */
const LONGEST_WORTH_COMPARING = 128;

/** ` (did you mean "x"?)` with the nearest name, or nothing when none is near. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const near = wanted.length > LONGEST_WORTH_COMPARING ? undefined : nearest(wanted, names);
  return near === undefined ? '' : ` (did you mean "${near}"?)`;
}
