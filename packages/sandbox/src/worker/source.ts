import { SandboxError } from '../errors.js';
import { type Insertion, originalColumn } from './discarded-promises.js';

/** The name of the code in stacks. */
export const CODE_FILE = 'code.ts';

/** The parameter of the code that receives results which the code throws away: see `watchDiscarded`. */
export const WATCHER = '__discarded';

/** On the first line of the code, so that lines need no correction and only columns of line 1 do. */
const PREFIX = `(async(${WATCHER})=>{'use strict';`;

/** An expression that evaluates to the code as an async function: top-level `await` and `return` work. */
export function wrap(code: string): string {
  // A line comment at the end must not swallow the closing brace.
  return `${PREFIX}${code}\n})`;
}

function unwrap(wrapped: string): string {
  return wrapped.slice(PREFIX.length, -'\n})'.length);
}

/** The error shape of the type stripper. Lines count from 1, columns from 0. */
interface StripError {
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

const isStripError = (error: unknown): error is StripError =>
  typeof error === 'object' && error !== null && 'startLine' in error && 'startColumn' in error && 'message' in error;

/**
 * Replaces type syntax by spaces, so that every line and column stays where it is. The stripper is loaded on first use,
 * that is, for the first code that is no JavaScript.
 *
 * @throws {SandboxError} of kind `syntax` when the code is no TypeScript either
 */
export async function stripTypes(code: string): Promise<string> {
  const { transformSync } = await import('@swc/wasm-typescript');
  try {
    return unwrap(transformSync(wrap(code), { mode: 'strip-only', module: true }).code);
  } catch (error) {
    if (!isStripError(error)) throw error;
    const column = error.startColumn + 1 - (error.startLine === 1 ? PREFIX.length : 0);
    throw syntaxError(code, explain(error.message), error.startLine, column);
  }
}

function explain(message: string): string {
  const unsupported = /^TypeScript (.+?) is not supported in strip-only mode$/.exec(message)?.[1];
  return unsupported ? `TypeScript ${unsupported} is not supported; types are removed, not compiled` : message;
}

/** A syntax error with its line and a caret beneath it. */
export function syntaxError(code: string, reason: string, line: number, column?: number): SandboxError {
  const lines = code.split('\n');
  // An error in the closing of the wrapper means that the code ends too early: show its end.
  const early = line > lines.length;
  const row = early ? lines.length : Math.max(line, 1);
  const text = lines[row - 1] ?? '';
  const end = text.length + 1;
  const place = column === undefined ? undefined : early ? end : Math.min(Math.max(column, 1), end);
  // A long line is shown around the error.
  const from = Math.max(0, (place ?? 1) - 60);
  const shown = text.slice(from, from + 120);
  const caret = place === undefined ? '' : `\n  ${' '.repeat(String(row).length)} | ${' '.repeat(place - 1 - from)}^`;
  const where = place === undefined ? `line ${row}` : `line ${row}, column ${place}`;
  return new SandboxError('syntax', `syntax error at ${where}: ${reason}\n  ${row} | ${shown}${caret}`, {
    line: row,
    ...(place === undefined ? {} : { column: place }),
  });
}

export interface GuestStack {
  readonly text: string;
  readonly line?: number;
  readonly column?: number;
}

/** Keeps the frames of the code and corrects the columns of its first line, and those behind insertions. */
export function guestStack(stack: string, insertions: readonly Insertion[]): GuestStack {
  let first: { line: number; column: number } | undefined;
  const frames = stack.split('\n').flatMap((frame) => {
    const at = new RegExp(`\\(?${CODE_FILE.replace('.', '\\.')}:(\\d+):(\\d+)\\)?`).exec(frame);
    if (!at) return /\(native\)/.test(frame) ? [frame.trim()] : [];
    const line = Number(at[1]);
    // The engine counts the columns of the first line from 0, those of the others from 1.
    const inSource = originalColumn(line, Number(at[2]) + (line === 1 ? 1 : 0), insertions);
    const column = Math.max(1, inSource - (line === 1 ? PREFIX.length : 0));
    first ??= { line, column };
    return [frame.replace(at[0], `(${CODE_FILE}:${line}:${column})`).trim()];
  });
  // What called the code is not part of it.
  const last = frames.findLastIndex((frame) => !frame.endsWith('(native)'));
  return { text: frames.slice(0, Math.min(last + 1, 20)).join('\n'), ...first };
}
