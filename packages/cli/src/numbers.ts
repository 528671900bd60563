import { InvalidArgumentError } from 'commander';

/** Node's timers hold this many milliseconds and take more for 1; there is room for what each hop adds to a deadline. */
const MOST_SECONDS = Math.floor((2 ** 31 - 1) / 1_000) - 60;

/** A duration of the command line. More than 24 days are 24 days. */
export function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number > 0 && Number.isFinite(number)) return Math.min(number, MOST_SECONDS);
  throw new InvalidArgumentError('expected a number of seconds, above 0');
}

/** A port of the command line. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('expected a number from 0 to 65535');
}
