import type { ArgumentProblem } from '@a2c/protocol';

/** What kind of thing went wrong, for programs; the message is for people. */
export type HubErrorKind =
  | 'unknown-server'
  | 'unknown-tool'
  | 'ambiguous-tool'
  /** The tool is in `forbidden_tools`. */
  | 'forbidden-tool'
  /** The server is `disabled`. */
  | 'disabled-server'
  | 'invalid-arguments'
  /** The tool needs consent, and there is no one who could give it. */
  | 'consent-unavailable'
  /** Consent was refused. */
  | 'consent-denied'
  /** Consent was not given in time. */
  | 'consent-timeout'
  /** Asking for consent failed; see `cause`. */
  | 'consent-failed'
  /** The server is stopped or could not be started; the cause is in the message. */
  | 'not-connected'
  /** The connection ended while the request was under way; whether it took effect is not known. */
  | 'connection-lost'
  | 'timeout'
  | 'cancelled'
  /** Too many calls are waiting for the server. */
  | 'overloaded'
  /** The server wants credentials we did not send or does not accept. */
  | 'unauthorized'
  /** The server answered with a JSON-RPC error. */
  | 'upstream'
  /** The request makes no sense in the present state, such as updating what may not be restarted. */
  | 'refused';

export interface HubErrorOptions extends ErrorOptions {
  readonly server?: string;
  readonly tool?: string;
  /** The code and data of the server's JSON-RPC error. */
  readonly code?: number;
  readonly data?: unknown;
  /** One entry per argument that does not fit. */
  readonly problems?: readonly ArgumentProblem[];
}

export class HubError extends Error {
  override readonly name: string = 'HubError';
  readonly kind: HubErrorKind;
  readonly server: string | undefined;
  readonly tool: string | undefined;
  readonly code: number | undefined;
  readonly data: unknown;
  readonly problems: readonly ArgumentProblem[];

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
  }

  /** The same error in other words. */
  mapTexts(words: (text: string) => string): HubError {
    return new HubError(this.kind, words(this.message), { ...this.#options, data: mapTexts(this.data, words) });
  }
}

function mapTexts(value: unknown, words: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return words(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return null; // Nobody reads on, and nothing that was not looked at is passed on.
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, words, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [words(key), mapTexts(item, words, depth + 1)]));
}

const DEEPEST = 100;

/** Two servers show a tool under one name. Nothing was changed. */
export class ToolNameDuplicatedError extends HubError {
  override readonly name = 'ToolNameDuplicatedError';
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
