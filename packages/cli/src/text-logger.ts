import type { Logger } from '@a2c/log';
import { printError } from './output.js';

/** A logger for people: writes warnings and errors, one line each. */
export function textLogger(write: (line: string) => void): Logger {
  const log = (fields: object, message: string) => write(formatLine(fields, message));
  return { debug: () => {}, info: () => {}, warn: log, error: log };
}

/** Writes warnings and errors to stderr. */
export const stderrLogger: Logger = textLogger(printError);

/** `message key=value …`. Empty fields, and names that the message quotes, are left out. */
function formatLine(fields: object, message: string): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && !message.includes(`"${value}"`))
    .map(([key, value]) => `${key}=${formatValue(value)}`);
  return [message, ...pairs].join(' ');
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
