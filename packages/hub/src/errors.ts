import type { ArgumentProblem } from '@a2c/protocol';

/** The reason of a failure, for programs. The message is for people. */
export type HubErrorKind =
  /** No server has this name. */
  | 'unknown-server'
  /** No tool has this name or alias. */
  | 'unknown-tool'
  /** Several tools have this name: use an alias or name the server. */
  | 'ambiguous-tool'
  /** The tool is in `forbidden_tools`. */
  | 'forbidden-tool'
  /** The server is `disabled`. */
  | 'disabled-server'
  /** The arguments do not match the tool's schema; see `problems`. */
  | 'invalid-arguments'
  /** The tool needs consent, and there is no one who could give it. */
  | 'consent-unavailable'
  /** The tool needs consent, and such calls are denied without a question. */
  | 'consent-disabled'
  /** Consent was refused. */
  | 'consent-denied'
  /** Consent was not given in time. */
  | 'consent-timeout'
  /** Asking for consent failed; see `cause`. */
  | 'consent-failed'
  /** The server is stopped or could not be started; the message has the cause. */
  | 'not-connected'
  /** The connection was lost during the request. Whether the request took effect is unknown. */
  | 'connection-lost'
  /** The call has begun, and what it needed later failed: see `cause`. Whether it took effect is unknown. */
  | 'interrupted'
  /** The deadline passed. */
  | 'timeout'
  /** The caller's signal was aborted; its reason is the `cause`. */
  | 'cancelled'
  /** Too many calls are queued for the server. */
  | 'overloaded'
  /** The server rejects the configured credentials. */
  | 'unauthorized'
  /** A person has to log in: `code` is 401 without a login, 403 if it has expired, was revoked or lacks scopes. */
  | 'needs-login'
  /** The server answered with a JSON-RPC error; see `code` and `data`. */
  | 'upstream'
  /** The operation is not possible in the present state or configuration. */
  | 'refused';

/** The details of a {@link HubError}. */
export interface HubErrorOptions extends ErrorOptions {
  /** The name of the server, if the error concerns one. */
  readonly server?: string;
  /** The server's own name of the tool, if the error concerns one. */
  readonly tool?: string;
  /** The code of the server's JSON-RPC error, or the HTTP status. */
  readonly code?: number;
  /** The data of the server's JSON-RPC error. */
  readonly data?: unknown;
  /** One entry for each invalid argument. */
  readonly problems?: readonly ArgumentProblem[];
  /** The server has answered that the call has begun. */
  readonly isBegun?: boolean;
}

/** The same in every copy of this package. */
const BRAND: unique symbol = Symbol.for('a2c.HubError');

/**
 * The error of every failed operation of a hub. A tool that fails returns a result with `isError: true` instead.
 *
 * @example
 * ```ts
 * import { HubError, type MCPServerManager } from '@a2c/hub';
 *
 * export async function sum(hub: MCPServerManager): Promise<unknown> {
 *   try {
 *     return await hub.executeTool('add', { a: 1, b: 2 });
 *   } catch (error) {
 *     if (error instanceof HubError && error.kind === 'not-connected') return undefined;
 *     throw error;
 *   }
 * }
 * ```
 */
export class HubError extends Error {
  /** Also an error of another copy of this package, by which it may have been thrown. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass has only its own instances
    const isOwn = Function.prototype[Symbol.hasInstance].call(this, value);
    // biome-ignore lint/complexity/noThisInStatic: a subclass has only its own instances
    return isOwn || (this === HubError && typeof value === 'object' && value !== null && BRAND in value);
  }

  override readonly name: string = 'HubError';
  /** The reason of the failure. */
  readonly kind: HubErrorKind;
  /** The name of the server, if the error concerns one. */
  readonly server: string | undefined;
  /** The server's own name of the tool, if the error concerns one. */
  readonly tool: string | undefined;
  /** The code of the server's JSON-RPC error, or the HTTP status. */
  readonly code: number | undefined;
  /** The data of the server's JSON-RPC error. */
  readonly data: unknown;
  /** One entry for each invalid argument. */
  readonly problems: readonly ArgumentProblem[];
  /** The server has answered that the call has begun, with a task or a question. It must not be sent again. */
  readonly isBegun: boolean;

  readonly #options: HubErrorOptions;

  constructor(kind: HubErrorKind, message: string, options: HubErrorOptions = {}) {
    super(message, options);
    this.#options = options;
    this.kind = kind;
    this.server = options.server;
    this.tool = options.tool;
    this.code = options.code;
    this.data = options.data;
    this.problems = options.problems ?? [];
    this.isBegun = options.isBegun ?? false;
  }

  /**
   * By which every copy of this package recognises the error.
   *
   * @hidden
   */
  get [BRAND](): true {
    return true;
  }

  /** The error of a call that has begun. A kind that says that the call did not run becomes `interrupted`. */
  ofBegunCall(): HubError {
    if (this.isBegun) return this;
    const options = { ...this.#options, isBegun: true };
    if (MAY_HAVE_RUN.has(this.kind)) return new HubError(this.kind, this.message, options);
    const message = `${this.message}; the call has begun and may have run: check before you call it again`;
    return new HubError('interrupted', message, { ...options, cause: this });
  }

  /** The text that a peer sees as the reason of a cancellation: the one of the caller if it gave any. */
  override toString(): string {
    return this.kind === 'cancelled' && typeof this.cause === 'string' ? this.cause : this.message;
  }

  /** Returns the error with `map` applied to its message and to all texts in `data`; used to redact secrets. */
  mapTexts(map: (text: string) => string): HubError {
    return new HubError(this.kind, map(this.message), { ...this.#options, data: new DataCopy(map).of(this.data) });
  }
}

const MAY_HAVE_RUN: ReadonlySet<HubErrorKind> = new Set(['connection-lost', 'timeout', 'cancelled', 'upstream']);

const MAX_DATA_DEPTH = 100;
/** Of all the data of an error. */
const MAX_DATA_VALUES = 2_000;
const MAX_DATA_CHARACTERS = 100_000;

/**
 * Copies the data of an error with `map` applied to its texts, which takes time. What is too deep, and what follows
 * after too many values or characters, is left out.
 */
class DataCopy {
  readonly #map: (text: string) => string;
  #values = 0;
  #characters = 0;

  constructor(map: (text: string) => string) {
    this.#map = map;
  }

  of(value: unknown, depth = 0): unknown {
    this.#values++;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DATA_DEPTH) return null;
    return Array.isArray(value) ? this.#list(value, depth) : this.#record(value, depth);
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      if (this.#isFull) break;
      copy.push(this.of(item, depth + 1));
    }
    return copy;
  }

  #record(record: object, depth: number): Record<string, unknown> {
    const copy: [string, unknown][] = [];
    for (const key of Object.keys(record)) {
      if (this.#isFull) break;
      copy.push([this.#text(key), this.of(record[key as keyof typeof record], depth + 1)]);
    }
    return Object.fromEntries(copy);
  }

  #text(text: string): string {
    const mapped = this.#map(text);
    this.#characters += mapped.length;
    return mapped;
  }

  get #isFull(): boolean {
    return this.#values >= MAX_DATA_VALUES || this.#characters >= MAX_DATA_CHARACTERS;
  }
}

/** Two servers have a tool of the same name. The change that caused the conflict was rolled back. */
export class ToolNameDuplicatedError extends HubError {
  override readonly name = 'ToolNameDuplicatedError';
  /** The servers that use the name. */
  readonly servers: readonly string[];

  constructor(tool: string, servers: readonly string[]) {
    super(
      'refused',
      `the tool name "${tool}" is used by ${servers.map((server) => `"${server}"`).join(' and ')}: give one of them an alias in tool_meta`,
      { tool },
    );
    this.servers = servers;
  }
}
