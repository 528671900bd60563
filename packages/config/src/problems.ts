import { type JsonPath, offsetOf, suspiciousKeys, toPointer } from './json/json-value.js';
import type { JsonNode } from './json/parse-json.js';

/** An error or warning about a configuration file. It names paths and keys, but no values, which may be secrets. */
export interface Problem {
  /** An error makes the whole file invalid; a warning reports a part that has no effect. */
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** 1-based; absent when the problem concerns the file as a whole. */
  readonly line?: number;
  /** 1-based, in UTF-16 units, as editors count. */
  readonly column?: number;
  /** A JSON Pointer (RFC 6901); empty for the whole document. */
  readonly pointer: string;
  readonly message: string;
  /** The values or keys that are allowed instead. */
  readonly allowed?: readonly string[];
  /** The one of `allowed` that is most similar to what was written. */
  readonly did_you_mean?: string;
}

/** Formats a problem as `file:line:column: error at /pointer: message`, which editors and terminals make clickable. */
export function formatProblem(problem: Problem): string {
  const { severity, file, line, column, pointer, message, allowed, did_you_mean } = problem;
  const location = line === undefined ? file : `${file}:${line}:${column}`;
  const hint = did_you_mean === undefined ? '' : `; did you mean "${did_you_mean}"?`;
  // In a warning the list of all known keys would only hide the message.
  const choice = severity === 'error' && allowed?.length ? `; allowed: ${allowed.join(', ')}` : '';
  // A name may contain line breaks.
  const place = pointer === '' ? '' : ` at ${pointer.replaceAll(/\s/g, (blank) => JSON.stringify(blank).slice(1, -1))}`;
  return `${location}: ${severity}${place}: ${message}${hint}${choice}`;
}

/** A configuration is invalid. The error is permanent: it stays until the file changes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** Everything that is wrong with the configuration, in the order of the file. */
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(problems.map(formatProblem).join('\n'), options);
    this.problems = problems;
  }
}

interface Details {
  /** The allowed values or keys. The one nearest to `near` becomes the suggestion. */
  readonly allowed?: readonly string[];
  readonly near?: string;
}

/** Collects the problems of one file, so that all are reported at once. */
export class ProblemList {
  readonly file: string;
  readonly #problems: Problem[] = [];
  #errorCount = 0;
  readonly #lineStarts: readonly number[];
  readonly #root: JsonNode | undefined;

  constructor(file: string, text = '', root?: JsonNode) {
    this.file = file;
    this.#root = root;
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  }

  get all(): readonly Problem[] {
    return this.#problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  }

  /** The number of errors so far, without warnings. */
  get errorCount(): number {
    return this.#errorCount;
  }

  get hasErrors(): boolean {
    return this.#errorCount > 0;
  }

  error(path: JsonPath, message: string, details: Details = {}): void {
    this.#add('error', path, message, details);
  }

  warn(path: JsonPath, message: string, details: Details = {}): void {
    this.#add('warning', path, message, details);
  }

  /** Reports an error at a position of the text instead of a path. */
  errorAtOffset(offset: number, message: string, path: JsonPath = []): void {
    this.#push({ severity: 'error', ...this.#location(offset), pointer: toPointer(path), message });
  }

  warnAtOffset(offset: number, message: string, path: JsonPath = []): void {
    this.#push({ severity: 'warning', ...this.#location(offset), pointer: toPointer(path), message });
  }

  unknownKey(severity: 'error' | 'warning', path: JsonPath, allowed: readonly string[]): void {
    const key = shortened(String(path.at(-1)));
    const message = severity === 'error' ? `unknown key "${key}"` : `"${key}" is unknown and has no effect`;
    this.#add(severity, path, message, { allowed, near: key });
  }

  /** Reports keys that JSON permits but that are always mistakes: repeated ones and `__proto__`. */
  checkKeys(severityOfRepeated: 'error' | 'warning'): void {
    if (!this.#root) return;
    const { repeated, prototype } = suspiciousKeys(this.#root);
    for (const { path, offset } of prototype) this.errorAtOffset(offset, '"__proto__" cannot be a key', path);
    for (const { path, offset } of repeated) {
      const message = `the key "${shortened(String(path.at(-1)))}" is repeated`;
      if (severityOfRepeated === 'error') this.errorAtOffset(offset, message, path);
      else this.warnAtOffset(offset, `${message}; the last one is used`, path);
    }
  }

  #add(severity: Problem['severity'], path: JsonPath, message: string, { allowed, near }: Details): void {
    const suggestion = near === undefined || !allowed ? undefined : nearest(near, allowed);
    this.#push({
      severity,
      ...(this.#root ? this.#location(offsetOf(this.#root, path)) : { file: this.file }),
      pointer: toPointer(path),
      message,
      ...(allowed ? { allowed } : {}),
      ...(suggestion === undefined ? {} : { did_you_mean: suggestion }),
    });
  }

  #push(problem: Problem): void {
    this.#problems.push(problem);
    if (problem.severity === 'error') this.#errorCount += 1;
  }

  #location(offset: number): Pick<Problem, 'file' | 'line' | 'column'> {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { file: this.file, line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }
}

/** Limits the length of a key in a message; the pointer contains the whole key. */
function shortened(key: string): string {
  return key.length > 60 ? `${key.slice(0, 60)}…` : key;
}

/**
 * The candidate most similar to a word, for "did you mean" hints. At most a third of its letters may differ; case and
 * separators are ignored. undefined when no candidate is similar enough.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_\s]/g, '');
  const wanted = plain(word);
  const scored = candidates.map((candidate) => {
    const name = plain(candidate);
    return { candidate, distance: editDistance(wanted, name, Math.max(1, Math.floor(name.length / 3))) };
  });
  const similar = scored.filter(({ distance }) => distance < Number.POSITIVE_INFINITY);
  return similar.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/**
 * The number of letters to insert, delete, replace or swap with their neighbour (Damerau–Levenshtein). Infinite if it
 * is over `most`: that is known early for most words.
 */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > Math.min(most, 8)) return Number.POSITIVE_INFINITY;
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (previous[j - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, change, swap));
    }
    previous = row;
    row = next;
    if (Math.min(...row) > most && Math.min(...previous) > most) return Number.POSITIVE_INFINITY;
  }
  const distance = row[b.length] ?? 0;
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}
