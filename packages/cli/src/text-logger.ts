import type { Logger } from '@a2c/log';
import { reasonInWords } from './connection-reasons.js';
import { printError } from './output.js';

/** Of each server; then its lines are forgotten, because a text may differ each time. */
const MAX_REMEMBERED = 100;

/**
 * A logger for people: writes warnings and errors, one line each. A warning that each attempt to start a server or to
 * reach a URL repeats is written once, until the server is connected.
 */
export function textLogger(
  write: (line: string) => void,
  translate: (message: string) => string = (message) => message,
): TextLogger {
  const written = new Map<unknown, Set<string>>();
  let reporters = 0;
  const log = (fields: Fields, message: string) => {
    const line = formatLine(fields, translate(message), translate);
    const subject = fields.server ?? fields.url;
    const lines = written.get(subject) ?? new Set();
    if (lines.has(line)) return;
    if (lines.size >= MAX_REMEMBERED) lines.clear();
    if (subject !== undefined) written.set(subject, lines.add(line));
    if (reporters === 0 || fields.state !== 'error') write(line);
  };
  const observe = ({ server, url, state }: Fields) => {
    if (server === undefined || state === 'connected') written.delete(server ?? url);
  };
  const withoutFailures = async <T>(work: Promise<T>) => {
    reporters++;
    try {
      return await work;
    } finally {
      reporters--;
    }
  };
  return { debug: observe, info: observe, warn: log, error: log, withoutFailures };
}

export interface TextLogger extends Logger {
  /** Leaves out the failures of servers until the work is done: the caller reports them. Warnings are written. */
  withoutFailures<T>(work: Promise<T>): Promise<T>;
}

interface Fields {
  readonly server?: unknown;
  readonly url?: unknown;
  readonly state?: unknown;
  readonly sharesNames?: unknown;
  readonly reason?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
}

/** Writes warnings and errors to stderr. */
export const stderrLogger: Logger = textLogger(printError);

/**
 * `server: message (code): reason key=value …`. Details for programs, empty fields, and values that the message has
 * already are left out.
 */
function formatLine(
  { state: _, sharesNames: __, details: ___, code, reason, ...fields }: Fields,
  message: string,
  translate: (text: string) => string,
): string {
  const why = isEmpty(reason) ? '' : `: ${translate(reasonInWords(formatValue(reason)))}`;
  const { server, ...others } = Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => !isEmpty(value) && !message.includes(`"${value}"`) && !why.includes(formatValue(value)),
    ),
  );
  const pairs = Object.entries(others).map(([key, value]) => `${key}=${translate(formatValue(value))}`);
  const what = `${message}${isEmpty(code) ? '' : ` (${formatValue(code)})`}${why}`;
  return [server === undefined ? what : `${server}: ${what}`, ...pairs].join(' ');
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
