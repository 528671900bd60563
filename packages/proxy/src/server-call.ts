import type { Cancellation } from '@a2c/hub';
import type { ConsentHandler, ToolboxCallOptions, ToolCall } from './toolbox.js';

/** A call with the options of its request, whose signal it does not read: creating one is costly. */
export class ServerCall implements ToolCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: ToolCall['arguments'];
  readonly consent: ConsentHandler;
  readonly timeout: ToolCall['timeout'];
  readonly client: ToolCall['client'];
  readonly meta: ToolCall['meta'];
  readonly onLog: ToolCall['onLog'];
  readonly onProgress: ToolCall['onProgress'];
  readonly onServerRequest: ToolCall['onServerRequest'];
  readonly supportsForms: ToolCall['supportsForms'];
  readonly supportsUrls: ToolCall['supportsUrls'];
  readonly onWait: ToolCall['onWait'];
  isUnchecked: ToolCall['isUnchecked'];
  task: ToolCall['task'];
  onSent: ToolCall['onSent'];
  readonly #options: ToolboxCallOptions;

  constructor(
    server: string,
    tool: string,
    args: ToolCall['arguments'],
    options: ToolboxCallOptions,
    consent: ConsentHandler,
  ) {
    this.server = server;
    this.tool = tool;
    this.arguments = args;
    this.consent = consent;
    this.timeout = options.timeout;
    this.client = options.client;
    this.meta = options.meta;
    this.onLog = options.onLog;
    this.onProgress = options.onProgress;
    this.onServerRequest = options.onServerRequest;
    this.supportsForms = options.supportsForms;
    this.supportsUrls = options.supportsUrls;
    this.onWait = options.onWait;
    this.isUnchecked = undefined;
    this.task = undefined;
    this.onSent = undefined;
    this.#options = options;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  get cancellation(): Cancellation | undefined {
    return this.#options.cancellation;
  }
}
