import { nearest } from '@a2c/config';

/** Longer names are not compared: the comparison costs time for each known name. */
const MAX_COMPARED_LENGTH = 128;

/** Returns ` (did you mean "x"?)` with the most similar name, or an empty text. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const near = wanted.length > MAX_COMPARED_LENGTH ? undefined : nearest(wanted, names);
  return near === undefined ? '' : ` (did you mean "${near}"?)`;
}
