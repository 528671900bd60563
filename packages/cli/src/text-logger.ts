import type { Logger } from '@a2c/log';
import { printError } from './output.js';

/**
 * A logger for people: writes warnings and errors, one line each. A warning that each attempt to start a server or to
 * reach a URL repeats is written once, until the server is connected.
 */
export function textLogger(
  write: (line: string) => void,
  translate: (message: string) => string = (message) => message,
): TextLogger {
  const lastLines = new Map<unknown, string>();
  let reporters = 0;
  const log = (fields: Fields, message: string) => {
    const line = formatLine(fields, translate(message), translate);
    const subject = fields.server ?? fields.url;
    if (subject !== undefined && lastLines.get(subject) === line) return;
    lastLines.set(subject, line);
    if (reporters === 0 || fields.server === undefined) write(line);
  };
  const observe = ({ server, url, state }: Fields) => {
    if (server === undefined || state === 'connected') lastLines.delete(server ?? url);
  };
  const withoutServers = async <T>(work: Promise<T>) => {
    reporters++;
    try {
      return await work;
    } finally {
      reporters--;
    }
  };
  return { debug: observe, info: observe, warn: log, error: log, withoutServers };
}

export interface TextLogger extends Logger {
  /** Leaves out the warnings about servers until the work is done: the caller reports what failed. */
  withoutServers<T>(work: Promise<T>): Promise<T>;
}

interface Fields {
  readonly server?: unknown;
  readonly url?: unknown;
  readonly state?: unknown;
}

/** Writes warnings and errors to stderr. */
export const stderrLogger: Logger = textLogger(printError);

/** `message key=value …`. Empty fields, and names that the message quotes, are left out. */
function formatLine(fields: object, message: string, translate: (text: string) => string): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && !message.includes(`"${value}"`))
    .map(([key, value]) => `${key}=${translate(formatValue(value))}`);
  return [message, ...pairs].join(' ');
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
