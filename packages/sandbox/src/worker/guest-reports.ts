import { SandboxError, type SandboxErrorKind, type UnawaitedCall } from '../errors.js';
import type { SandboxLimits } from '../limits.js';
import type { Insertion } from './discarded-promises.js';
import type { ErrorDescription } from './guest-bridge.js';
import { guestStack } from './source.js';

/** After these errors the memory of the engine is large or its state is unknown. */
export const BREAKING: ReadonlySet<SandboxErrorKind> = new Set([
  'cpu-limit',
  'memory-limit',
  'stack-limit',
  'too-many-calls',
  'engine',
]);

/** The limit of the name of a call, as JSON. */
export const PATH_BYTES = 1_024;

/** The name of a call; undefined if it is too long or malformed. */
export function readPath(json: string): string[] | undefined {
  if (Buffer.byteLength(json) > PATH_BYTES) return undefined;
  const path: unknown = JSON.parse(json);
  return Array.isArray(path) && path.every((name) => typeof name === 'string') ? path : undefined;
}

/** Cuts texts of the code: a thrown error may be as large as the memory of the code. */
const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, 8_000) : '');

export function readDescription(json: string | undefined): ErrorDescription {
  const { name, message, stack, isNull } = JSON.parse(json ?? '{}') as Partial<ErrorDescription>;
  return { name: cut(name), message: cut(message), stack: cut(stack), isNull: isNull === true };
}

/** The calls that failed and whose failure the code never handled. */
export function lostCalls(json: string): UnawaitedCall[] {
  return (JSON.parse(json) as { path: string[]; message: string }[])
    .slice(0, 100)
    .map(({ path, message }) => ({ path: path.map(cut), state: 'rejected', message: cut(message) }));
}

/** The errors of async functions of the code whose promise was never awaited. */
export function lostErrors(json: string, insertions: readonly Insertion[]): UnawaitedCall[] {
  return (JSON.parse(json) as Partial<ErrorDescription>[]).slice(0, 100).map(({ name, message, stack }) => {
    const { line } = guestStack(cut(stack), insertions);
    const what = name ? `${cut(name)}: ${cut(message)}` : cut(message);
    return { path: [], state: 'rejected', message: line ? `${what} (line ${line})` : what };
  });
}

/** The error for a failure of the engine itself. */
export function engineFailure(error: unknown): SandboxError {
  if (error instanceof RangeError) {
    return new SandboxError('stack-limit', 'the code nested calls or data too deeply for the engine');
  }
  return new SandboxError('engine', `the engine failed: ${error instanceof Error ? error.message : String(error)}`);
}

/** The error for something that the code threw. */
export function thrownError(
  { name, message, stack }: ErrorDescription,
  { memoryBytes, stackBytes }: Pick<SandboxLimits, 'memoryBytes' | 'stackBytes'>,
  insertions: readonly Insertion[],
): SandboxError {
  const { text, line, column } = guestStack(stack, insertions);
  const facts = { guestStack: text, ...(line && column ? { line, column } : {}) };
  if (name === 'InternalError' && message === 'out of memory') {
    return new SandboxError('memory-limit', `the code used more than ${memoryBytes} bytes of memory`, facts);
  }
  if (name === 'RangeError' && message === 'Maximum call stack size exceeded') {
    return new SandboxError('stack-limit', `the code recursed deeper than ${stackBytes} bytes of stack`, facts);
  }
  const what = name ? `${name}: ${message}` : message;
  return new SandboxError('runtime', text ? `${what}\n${text.replaceAll(/^/gm, '    ')}` : what, facts);
}
