import type { Logger } from '@a2c/computer';
import { printError } from '../output.js';

/** For people who read stderr beside the results: what went wrong, in one line each. */
export const stderrLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => printError(line(fields, message)),
  error: (fields, message) => printError(line(fields, message)),
};

export function line(fields: object, message: string): string {
  const told = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${value instanceof Error ? value.message : shown(value)}`);
  return [message, ...told].join(' ');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
