/** Options, and readers of option values, that several commands share. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { nearest } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from './exit-codes.js';

/** Adds `--json` to a command that prints one result. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print one JSON document');
}

/** Adds `--json` to a command that prints several events. */
export function addJsonLinesOption(command: Command): Command {
  return command.option('--json', 'print JSON, one value per line');
}

export function addTimeoutOption(command: Command, description: string): Command {
  return command.option('--timeout <seconds>', description, seconds);
}

/** Adds example command lines to the end of a help text. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  const heading = lines.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText('after', `\n${heading}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

/** Collects the values of a repeatable option. A variadic option would also take the file argument that follows it. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** Collects the values of a repeatable option that has a fixed list of choices. */
export function collectChoice<Choice extends string>(choices: readonly Choice[]) {
  return (value: string, previous: readonly Choice[] = []): readonly Choice[] => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new InvalidArgumentError(suggestion(value, choices));
    return [...previous, choice];
  };
}

/** Suggests the nearest choice for a misspelt word, and lists them all. */
export function suggestion(word: string, choices: readonly string[]): string {
  const near = nearest(word, choices);
  return `${near === undefined ? '' : `did you mean "${near}"? `}choices: ${choices.join(', ')}`;
}

/** Timers accept at most 2³¹ − 1 milliseconds. One minute is left for the seconds that each hop adds to a deadline. */
const MAX_SECONDS = Math.floor((2 ** 31 - 1) / 1_000) - 60;

/** Reads a duration above 0. Durations above 24 days are shortened to 24 days. */
function seconds(text: string): number {
  const number = numberOf(text);
  if (number > 0 && Number.isFinite(number)) return Math.min(number, MAX_SECONDS);
  throw new InvalidArgumentError('expected a number of seconds above 0');
}

/** Reads a duration that may be 0. */
export function secondsOrZero(text: string): number {
  return numberOf(text) === 0 ? 0 : seconds(text);
}

export function positiveInteger(text: string): number {
  const number = numberOf(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('expected a whole number above 0');
}

export function portNumber(text: string): number {
  const port = numberOf(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('expected a number from 0 to 65535');
}

/** `Number('')` is 0; here it is NaN. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

const KEY_VALUES = 'expected key:value pairs, separated by commas, or a JSON object';

/**
 * Reads the value of `--auth`: `k:v,k2:v2`, split at the first colon of each part, or a JSON object, which a value that
 * contains a comma needs. Blank text is an empty object. The value may be a secret, so error messages never quote it.
 *
 * @throws UsageError
 */
export function parseAuth(text: string): Record<string, unknown> {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return parseJsonObject(trimmed);
  const pairs = trimmed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const colon = part.indexOf(':');
      const key = part.slice(0, Math.max(0, colon)).trim();
      if (key === '') throw new UsageError(KEY_VALUES);
      return [key, part.slice(colon + 1).trim()];
    });
  return Object.fromEntries(pairs);
}

/** Reads the value of `--headers`: the same forms as `parseAuth`, but every value is a string. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = Object.entries(parseAuth(text)).map(([key, value]): [string, string] => {
    if (typeof value !== 'string') throw new UsageError(`${KEY_VALUES}; header values must be strings`);
    return [key, value];
  });
  return Object.fromEntries(pairs);
}

function parseJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${KEY_VALUES}; the JSON cannot be parsed`); // The parser's message would quote the value.
  }
  if (!isRecord(value)) throw new UsageError(`${KEY_VALUES}, not an array`);
  return value;
}

/** Reading a FIFO would wait for its writer, and reading a device might never end. */
export function requireRegularFile(path: string): void {
  if (!statSync(path).isFile()) throw new UsageError(`"${path}" is not a regular file`);
}

/** Reads a file that was named on the command line; 0 is standard input. */
export function readNamedFile(path: string | 0): string {
  try {
    if (path !== 0) requireRegularFile(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read "${path || '-'}": ${(error as Error).message}`, { cause: error });
  }
}

/** Reads a certificate file, and checks that it begins with a certificate: TLS would ignore other contents. */
export function readCertificate(option: string, path: string): string {
  const text = readNamedFile(path);
  try {
    new X509Certificate(text);
  } catch (error) {
    const remedy = 'expected PEM that begins with -----BEGIN CERTIFICATE-----';
    throw new UsageError(`${option}: there is no certificate in "${path}"; ${remedy}`, { cause: error });
  }
  return text;
}
