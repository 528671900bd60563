import { type Cancellation, Canceller, type ServedClient } from '@a2c/hub';
import type { ExecuteOptions } from '../executor.js';
import type { ServerRequestHandler, ToolboxCallOptions } from '../toolbox.js';

/** What the work for a request uses of its client. */
type ClientOptions = Pick<
  ToolboxCallOptions,
  'onLog' | 'onProgress' | 'onServerRequest' | 'supportsForms' | 'supportsUrls'
> & { readonly client: ServedClient };

/**
 * The options of the work for one request. A class, because its signal is created when it is read: that costs as much
 * as the rest of a small call. A copy with `...` has no signal: pass the object on, or add `signal`.
 */
export class RequestOptions implements ExecuteOptions {
  readonly client: ServedClient;
  readonly onLog: ToolboxCallOptions['onLog'];
  readonly onProgress: ToolboxCallOptions['onProgress'];
  onServerRequest: ServerRequestHandler | undefined;
  readonly supportsForms: boolean | undefined;
  readonly supportsUrls: boolean | undefined;
  meta: ToolboxCallOptions['meta'];
  /** Set before the options are passed to an executor. */
  showLinks: ExecuteOptions['showLinks'];
  readonly #cancelled: Canceller | AbortSignal;

  constructor(cancelled: Canceller | AbortSignal, options: ClientOptions) {
    this.#cancelled = cancelled;
    this.client = options.client;
    this.onLog = options.onLog;
    this.onProgress = options.onProgress;
    this.onServerRequest = options.onServerRequest;
    this.supportsForms = options.supportsForms;
    this.supportsUrls = options.supportsUrls;
    this.meta = undefined;
    this.showLinks = undefined;
  }

  get signal(): AbortSignal {
    return this.#cancelled instanceof Canceller ? this.#cancelled.signal : this.#cancelled;
  }

  get cancellation(): Cancellation | undefined {
    return this.#cancelled instanceof Canceller ? this.#cancelled : undefined;
  }
}
