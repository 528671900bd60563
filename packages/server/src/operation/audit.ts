import { RecordFile, type RecordFileOptions } from '@a2c/log';

/** One request or connection attempt: who, what, where, with which verdict. Never contains arguments or results. */
export interface AuditRecord {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The canonical name of the event, `unknown`, or `connect` for a refused connection. */
  readonly event: string;
  /**
   * `ok`, or the name of the error. For the result of a tool call also `denied` by a person, `cancelled`, or `failed`
   * if the tool reports a failure.
   */
  readonly verdict: string;
  /** The error code of a request that failed. */
  readonly code?: number;
  /** The identity of the connection. */
  readonly subject: string;
  /** The IP address of the peer. */
  readonly address: string;
  /** The id of the connection. */
  readonly sid?: string;
  /** `agent` or `computer`, after a join. */
  readonly role?: string;
  /** The office the connection is in. */
  readonly office?: string;
  /** The name of the member. */
  readonly name?: string;
  /** Identifiers named by the request: `computer`, `tool`, `req_id`, `asked_office`. */
  readonly [identifier: string]: string | number | undefined;
}

/** Where audit records go. {@link AuditFile} is the implementation for a file. */
export interface AuditLog {
  /** Called once per record. Must return at once and must not throw. */
  append(record: AuditRecord): void;
  /** Called when the Server has closed. Resolves when all records are stored. */
  close(): Promise<void>;
}

/**
 * The audit log as a file of JSON Lines, rotated by size: 8 files of 64 MiB by default.
 *
 * @example
 * ```ts
 * await listen({ authenticate, audit: new AuditFile({ path: '/var/log/a2c/audit.jsonl' }) });
 * ```
 */
export class AuditFile extends RecordFile<AuditRecord> implements AuditLog {
  constructor(options: RecordFileOptions) {
    super({ maxBytes: 64 * 2 ** 20, maxFiles: 8, maxQueuedRecords: 100_000, ...options });
  }
}
