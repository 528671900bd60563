/** One call of a tool, for people and for the desktop's order. It names the request and its outcome, never the result. */
export interface ToolCallRecord {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly req_id: string;
  readonly agent: string | null;
  /** Empty when no server has such a tool. */
  readonly server: string;
  /** The server's own name of the tool; what it was called by when there is no such tool. */
  readonly tool: string;
  /** Without secrets. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly timeout: number;
  readonly success: boolean;
  /** What kept the call from happening or finishing; null when the tool itself reported the failure, and when there was none. */
  readonly error: string | null;
  readonly duration_ms: number;
}

/** The last calls, oldest first. */
export class CallHistory {
  readonly #size: number;
  #records: readonly ToolCallRecord[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  get records(): readonly ToolCallRecord[] {
    return this.#records;
  }

  add(record: ToolCallRecord): void {
    const room = Math.max(0, this.#records.length + 1 - this.#size);
    this.#records = [...this.#records, record].slice(room);
  }
}
