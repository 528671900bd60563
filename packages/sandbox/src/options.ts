import type { UnawaitedCall } from './errors.js';
import type { JsonValue } from './values.js';

/** What a host function learns about a call, beside the arguments. */
export interface HostCall {
  /** The name that the code used: `['search']`, or `['servers', 'files', 'read-file']` below a namespace. */
  readonly path: readonly string[];
  /** Aborted when the run ends before the call does. */
  readonly signal: AbortSignal;
}

/**
 * A function of the host that code may call. The code receives a promise: the returned value as JSON, or an error with
 * the `name`, the `message` and the `code` (text or number) of what the function threw.
 */
export type HostFunction = (args: readonly JsonValue[], call: HostCall) => unknown;

/** Options of one run. */
export interface RunOptions {
  /** Functions the code calls by name: `await search('cats')`. */
  readonly functions?: Readonly<Record<string, HostFunction>>;
  /**
   * Objects of any depth whose members are all callable: `await servers.files.read({ path })`, and with names that are
   * no identifiers `await servers['my files']['read-file']({ path })`. One function serves all of them by `path`. The
   * names `then` and `toJSON` are reserved.
   */
  readonly namespaces?: Readonly<Record<string, HostFunction>>;
  /** Trusted JavaScript (a script, not a module) that is evaluated before the code, for helpers the code may use. */
  readonly prelude?: string;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** Wall time of this run in milliseconds, instead of the limit `wallMs`. */
  readonly timeoutMs?: number;
  /** Receives the text of each `print` as it happens. */
  readonly onPrint?: (text: string) => void;
}

/** What a run that ended well returns. */
export interface RunOutcome {
  /** The value that the code returned; undefined when it returned none. */
  readonly value: JsonValue | undefined;
  /** What the code printed. */
  readonly output: string;
  /** True when `output` was cut at the limit `outputBytes`. */
  readonly outputTruncated: boolean;
  /** Calls that were still pending or had failed unnoticed when the code returned: usually a missing `await`. */
  readonly unawaited: readonly UnawaitedCall[];
  /** Host function calls and sleeps that the code started. */
  readonly calls: number;
  /** Time in which the code itself ran. */
  readonly cpuMs: number;
  /** Time from `run` to its end. */
  readonly wallMs: number;
}
