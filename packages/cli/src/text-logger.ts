import type { Logger } from '@a2c/log';
import { printError } from './output.js';

/**
 * A logger for people: writes warnings and errors, one line each. A warning that each attempt to start a server repeats
 * is written once, until the server is connected.
 */
export function textLogger(write: (line: string) => void): Logger {
  const lastLines = new Map<unknown, string>();
  const log = (fields: Fields, message: string) => {
    const line = formatLine(fields, message);
    if (fields.server !== undefined && lastLines.get(fields.server) === line) return;
    lastLines.set(fields.server, line);
    write(line);
  };
  const observe = ({ server, state }: Fields) => {
    if (state === 'connected') lastLines.delete(server);
  };
  return { debug: observe, info: () => {}, warn: log, error: log };
}

interface Fields {
  readonly server?: unknown;
  readonly state?: unknown;
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
