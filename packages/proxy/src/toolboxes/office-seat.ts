import { Agent, type AgentOptions, SMCPError } from '@a2c/agent';

/** `joining`: joining or re-joining; calls wait a short time. */
export type SeatStatus =
  | { readonly kind: 'joining' | 'joined' }
  | { readonly kind: 'unavailable'; readonly cause: string };

export interface SeatOptions {
  readonly agent: AgentOptions;
  /** How long joining or reconnecting may take before the office counts as unavailable. */
  readonly waitMs: number;
  /** The status, a Computer or its tools may have changed. */
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
}

/**
 * The Agent of a proxy and its status. The Agent keeps trying to join: also while the Server is down or another Agent
 * holds the seat. A seat that was taken over under the same name and identity is not taken back.
 */
export class OfficeSeat {
  readonly agent: Agent;
  readonly #options: SeatOptions;
  readonly #closed = new AbortController();
  #status: SeatStatus = { kind: 'joining' };
  #timer: NodeJS.Timeout | undefined;

  /** @throws `OptionsError` for invalid options. */
  constructor(options: SeatOptions) {
    this.#options = options;
    this.agent = Agent.create(options.agent);
    this.#listen();
  }

  /** Starts to join. The outcome is in the status. */
  join(): void {
    void this.#join();
  }

  get status(): SeatStatus {
    return this.#status;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#timer);
    await this.agent.close();
  }

  #listen(): void {
    const { agent } = this;
    // A Computer is reported before all tool lists are known.
    for (const event of ['computerEntered', 'computerLeft', 'toolsChanged'] as const) {
      agent.on(event, () => this.#becomeJoined());
    }
    agent.on('warning', ({ message }) => {
      if (agent.state === 'joining') return this.#becomeUnavailable(`${message}; trying again`);
      this.#options.onWarning(message);
      this.#becomeJoined();
    });
    agent.on('disconnected', ({ reason }) => this.#wait(`the connection was lost (${reason})`));
    agent.on('reconnected', () => this.#set({ kind: 'joined' }));
    agent.on('ended', ({ message }) => this.#becomeUnavailable(message));
  }

  async #join(): Promise<void> {
    this.#wait('no answer yet');
    const { signal } = this.#closed;
    try {
      const { office } = this.#options.agent;
      await this.agent.join(office, { retryForMs: Number.POSITIVE_INFINITY, waitForSeat: 'always', signal });
      await this.agent.ready({ signal });
      this.#becomeJoined();
    } catch (error) {
      if (this.agent.state === 'left') this.#becomeUnavailable(SMCPError.from(error).message);
    }
  }

  #becomeJoined(): void {
    if (this.agent.state === 'joined') this.#set({ kind: 'joined' });
  }

  #wait(reason: string): void {
    if (this.#status.kind === 'unavailable') return;
    this.#set({ kind: 'joining' });
    this.#timer = setTimeout(() => this.#becomeUnavailable(`${reason}; trying again`), this.#options.waitMs).unref();
  }

  #becomeUnavailable(reason: string): void {
    if (this.#closed.signal.aborted) return;
    const cause = `office "${this.#options.agent.office}" is not available: ${reason}`;
    // Each attempt fails for the same reason: one warning is enough.
    if (this.#status.kind !== 'unavailable' || this.#status.cause !== cause) this.#options.onWarning(cause);
    this.#set({ kind: 'unavailable', cause });
  }

  #set(status: SeatStatus): void {
    if (this.#closed.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#status = status;
    this.#options.onChange();
  }
}
