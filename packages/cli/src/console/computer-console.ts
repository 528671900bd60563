import {
  type Computer,
  ComputerOperator,
  type ConfirmCallback,
  ConsentQuestions,
  type OfficeLink,
} from '@a2c/computer';
import { listenConsole } from '@a2c/console';
import type { Logger } from '@a2c/log';
import { ANSWERED_ELSEWHERE } from '../computer/shell/terminal/consent.js';
import { UsageError } from '../exit-codes.js';
import { openConsole } from './host-console.js';
import { presentTools } from './tool-presentation.js';

/** The console of `a2c computer run --console`, on a port of its own. */
export class ComputerConsole {
  readonly #questions = new ConsentQuestions();
  readonly #port: number;
  #link: OfficeLink | undefined;
  #operator: ComputerOperator | undefined;
  #close: () => Promise<void> = async () => {};

  constructor(port: number) {
    this.#port = port;
  }

  /** Asks for consent in the console, and with `other` at the same time. The first answer counts. */
  confirm(other: ConfirmCallback | undefined): ConfirmCallback {
    if (!other) return this.#questions.confirm;
    return async (request) => {
      if (this.#questions.isAllowed(request)) return true;
      const answered = new AbortController();
      const signal = AbortSignal.any([request.signal, answered.signal]);
      try {
        return await Promise.race([other({ ...request, signal }), this.#questions.confirm({ ...request, signal })]);
      } finally {
        answered.abort(ANSWERED_ELSEWHERE);
      }
    };
  }

  /** Starts to listen. Returns the link for a browser. */
  async open(computer: Computer, logger: Logger): Promise<string> {
    const tools = presentTools(computer, () => this.#link);
    this.#operator = new ComputerOperator(computer, { tools, questions: this.#questions });
    if (this.#link) this.#operator.watchLink(this.#link);
    const host = await openConsole({ parts: [this.#operator], withLink: true, logger });
    try {
      const { link, close } = await listenConsole(host, this.#port);
      this.#close = async () => {
        await close();
        await host.close();
      };
      return link;
    } catch (error) {
      await host.close();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      throw new UsageError(`--console: port ${this.#port} is in use; choose another, or 0 for a free one`);
    }
  }

  /** Shows the connection to a Server. */
  watchLink(link: OfficeLink): void {
    this.#link = link;
    this.#operator?.watchLink(link);
  }

  close(): Promise<void> {
    return this.#close();
  }
}
