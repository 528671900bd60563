/** One tool call: the request and its outcome, without the result. */
export interface ToolCallRecord {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly req_id: string;
  /** null for a local call. */
  readonly agent: string | null;
  /** Empty if no server has the tool. */
  readonly server: string;
  /** The bundle id of the server; empty if no server has the tool. */
  readonly bundle_id: string;
  /** The server's own name of the tool; for an unknown tool the name it was called by. */
  readonly tool: string;
  /** The arguments, with secrets removed. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly timeout: number;
  readonly success: boolean;
  /** Why the call was refused or failed; null for a success and for a failure that the tool itself reported. */
  readonly error: string | null;
  readonly duration_ms: number;
}

/** The recent calls, oldest first. */
export class CallHistory {
  readonly #size: number;
  readonly #records: (ToolCallRecord | (() => ToolCallRecord))[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  get records(): readonly ToolCallRecord[] {
    return this.#records.map((record, i) => {
      const created = typeof record === 'function' ? record() : record;
      this.#records[i] = created;
      return created;
    });
  }

  /** @param record The record, or a function that creates it: few are read, and removing the secrets takes long. */
  add(record: ToolCallRecord | (() => ToolCallRecord)): void {
    this.#records.push(record);
    if (this.#records.length > this.#size) this.#records.shift();
  }
}
