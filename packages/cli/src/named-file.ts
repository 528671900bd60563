import { readFileSync } from 'node:fs';
import { UsageError } from './exit-codes.js';

/** A text that the command line names; 0 is standard input. */
export function readNamedFile(path: string | 0): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read "${path || '-'}": ${(error as Error).message}`, { cause: error });
  }
}
