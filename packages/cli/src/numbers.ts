import { InvalidArgumentError } from 'commander';

/** A port of the command line. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('expected a number from 0 to 65535');
}
