import { Agent, type AgentOptions, SMCPError } from '@a2c/agent';

/** Between attempts to join for the first time, or after another Agent sat there. */
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 30_000;

/** Neither the command line nor the credentials get better by trying again. */
const FINAL_CODES: readonly number[] = [400, 401];

/** `joining`: on the way, and worth a short wait. */
export type Standing = { readonly kind: 'joining' | 'joined' } | { readonly kind: 'away'; readonly cause: string };

export interface SeatParts {
  readonly agent: AgentOptions;
  readonly patienceMs: number;
  /** The standing, a Computer or its tools may have changed. */
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
}

/**
 * An Agent in an office, for as long as it takes to get there: the Agent itself outlives lost connections, but neither a Server that is
 * not there yet nor a seat that is taken. An office that was taken over from us by our own name is not fought for.
 */
export class OfficeSeat {
  readonly #parts: SeatParts;
  #agent: Agent;
  #standing: Standing = { kind: 'joining' };
  #isClosed = false;
  #patience: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MIN_MS;

  /** Throws an `OptionsError` at once for what can never be joined; everything else is told by the standing. */
  constructor(parts: SeatParts) {
    this.#parts = parts;
    this.#agent = this.#newAgent();
  }

  /** Sets out, and does not rest until it sits there or is refused for good. */
  take(): void {
    if (this.#agent.state === 'closed') this.#agent = this.#newAgent();
    void this.#join();
  }

  get agent(): Agent {
    return this.#agent;
  }

  get standing(): Standing {
    return this.#standing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#patience);
    clearTimeout(this.#retry);
    await this.#agent.close();
  }

  #newAgent(): Agent {
    const agent = Agent.create(this.#parts.agent);
    for (const event of ['computerEntered', 'computerLeft', 'toolsChanged'] as const) {
      agent.on(event, () => this.#noticed());
    }
    agent.on('warning', ({ message }) => {
      this.#parts.onWarning(message);
      this.#noticed();
    });
    agent.on('disconnected', ({ reason }) => this.#bePatient(`the connection was lost (${reason})`));
    agent.on('reconnected', () => this.#become({ kind: 'joined' }));
    agent.on('ended', (error) => this.#refused(error));
    return agent;
  }

  async #join(): Promise<void> {
    const agent = this.#agent;
    this.#bePatient('no answer yet');
    try {
      await agent.join(this.#parts.agent.office);
      if (agent.state === 'joined') this.#become({ kind: 'joined' });
    } catch (error) {
      this.#refused(error);
    }
  }

  /** A Computer is heard of as soon as we sit there, long before all tool lists are in. */
  #noticed(): void {
    if (this.#agent.state === 'joined') this.#become({ kind: 'joined' });
  }

  #bePatient(reason: string): void {
    if (this.#standing.kind === 'away') return;
    this.#become({ kind: 'joining' });
    this.#patience = setTimeout(() => this.#beAway(`${reason}; trying again`), this.#parts.patienceMs).unref();
  }

  /** By the Server, or by the network on the first attempt. */
  #refused(thrown: unknown): void {
    if (this.#isClosed) return;
    const { code, message, details } = SMCPError.from(thrown);
    const isFinal = FINAL_CODES.includes(code) || details.reason === 'taken_over';
    this.#beAway(isFinal ? message : `${message}; trying again`);
    if (isFinal) return;
    this.#retry = setTimeout(() => this.take(), this.#retryMs * (0.5 + Math.random()));
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
  }

  #beAway(reason: string): void {
    const cause = `office "${this.#parts.agent.office}" is not available: ${reason}`;
    this.#parts.onWarning(cause);
    this.#become({ kind: 'away', cause });
  }

  #become(standing: Standing): void {
    if (this.#isClosed) return;
    clearTimeout(this.#patience);
    if (standing.kind === 'joined') this.#retryMs = RETRY_MIN_MS;
    this.#standing = standing;
    this.#parts.onChange();
  }
}
