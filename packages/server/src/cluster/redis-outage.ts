import type { Logger } from '@a2c/log';

/** Logs when Redis goes away and when it is back, with one line each: every request fails in between. */
export class RedisOutage {
  readonly #logger: Logger;
  /** When Redis went away; undefined while it answers. */
  #since: number | undefined;
  #failedRequests = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Redis is away, for this reason. Only the first report is logged. */
  begin(err: string, message = 'Redis does not answer'): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#failedRequests = 0;
    this.#logger.warn({ err }, message);
  }

  /** A request has failed because Redis is away. */
  failRequest(err: string): void {
    this.begin(err);
    this.#failedRequests += 1;
  }

  /** Redis answers on all connections. */
  end(): void {
    if (this.#since === undefined) return;
    const awayMs = Math.round(performance.now() - this.#since);
    this.#since = undefined;
    this.#logger.info({ awayMs, failedRequests: this.#failedRequests }, 'Redis answers again');
  }
}
