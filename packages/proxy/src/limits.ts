import { REQUEST_TEXT_LIMITS } from '@a2c/protocol';

/** What the proxy bounds. Times are milliseconds. */
export interface ProxyLimits {
  /**
   * HTTP sessions (MCP 2025). One more closes an idle one of the address with the most: first those never used. An
   * address with half of them makes room for others also with busy ones.
   */
  readonly sessions: number;
  /** An HTTP session without requests is closed after this time. */
  readonly sessionIdleMs: number;
  /** The body of one HTTP request. */
  readonly bodyBytes: number;
  /**
   * The bodies of all HTTP requests of more than 64 KiB that have no complete response. Over it, unfinished ones are
   * refused.
   */
  readonly openBodyBytes: number;
  /** The body of an HTTP request must be complete after this time, or bring 256 KiB in each such time. */
  readonly bodyStepMs: number;
  /**
   * What waits to be sent on all HTTP connections together. Over it, those are closed first whose clients have read
   * nothing for the longest time.
   */
  readonly unsentBytes: number;
  /** One message on stdio. */
  readonly messageBytes: number;
  /** How long pending requests on stdio may still be answered after the client has closed its output. */
  readonly drainMs: number;
  /** How deeply the parameters of a request may be nested. Deeper ones could not be serialised again. */
  readonly paramsDepth: number;
  /** Values in a request, all levels together. */
  readonly paramsValues: number;
  /** Calls that wait for input of their client (MCP 2026). One more cancels the oldest of the address with the most. */
  readonly waitingCalls: number;
  /** Characters of all calls that wait for input. More cancel the oldest of the address with the most. */
  readonly waitingCharacters: number;
  /** How long a person may take to answer a server request. */
  readonly inputTimeoutMs: number;
  /** Resource subscriptions of one client. */
  readonly subscriptions: number;
  /** Tasks whose server is remembered; the oldest are forgotten first. */
  readonly tasks: number;
  /** How long one server may take to list its resources or prompts; a slower one is left out. */
  readonly listTimeoutMs: number;
  /** How long a list of all servers waits for one of them. What it lists later is in the next list. */
  readonly listWaitMs: number;
  /** When it is not known which server has a resource: how long one may take before the next is asked as well. */
  readonly nextServerMs: number;
  /** Pages of one list of one server. */
  readonly listPages: number;
  /**
   * How long requests wait for a server that is starting and has no cached tools; lists wait so long after its start. A
   * first start may download a package.
   */
  readonly startTimeoutMs: number;
  /**
   * How long a list waits until it is known what a server shows to a client with fewer capabilities. A difference that
   * is found later is announced.
   */
  readonly clientListMs: number;
  /**
   * How long after its start the proxy delays the list of its two tools for servers that are starting and for skills,
   * because some clients read the list only once.
   */
  readonly firstListMs: number;
  /** Changes within this time are announced to clients together. */
  readonly announceDelayMs: number;
  /** Characters of truncated results that are kept for `inspect`; the oldest are dropped first. */
  readonly keptCharacters: number;
  /** How long a truncated result is kept. */
  readonly keptMs: number;
  /** How long code may run, waiting included, if the call of `run` sets no timeout. */
  readonly runTimeoutMs: number;
  /** The longest timeout that a call of `run` may set. */
  readonly maxRunTimeoutMs: number;
}

/** The default limits. Override single ones with `limits` in the options of `MCPProxy`. */
export const PROXY_LIMITS: ProxyLimits = {
  sessions: 1_000,
  sessionIdleMs: 4 * 60 * 60_000,
  bodyBytes: 16 * 1024 * 1024,
  openBodyBytes: 64 * 1024 * 1024,
  bodyStepMs: 10_000,
  unsentBytes: 256 * 1024 * 1024,
  messageBytes: 64 * 1024 * 1024,
  drainMs: 2_000,
  paramsDepth: 1_000,
  paramsValues: REQUEST_TEXT_LIMITS.values,
  waitingCalls: 1_000,
  waitingCharacters: 16 * 1024 * 1024,
  inputTimeoutMs: 10 * 60_000,
  subscriptions: 1_000,
  tasks: 10_000,
  listTimeoutMs: 10_000,
  listWaitMs: 3_000,
  nextServerMs: 2_000,
  listPages: 100,
  startTimeoutMs: 20_000,
  clientListMs: 10_000,
  firstListMs: 2_000,
  announceDelayMs: 50,
  keptCharacters: 32 * 1024 * 1024,
  keptMs: 15 * 60_000,
  runTimeoutMs: 2 * 60_000,
  maxRunTimeoutMs: 10 * 60_000,
};
