import { SMCPError } from '@a2c/protocol';
import type { Reader } from '../calls/result-form.js';

/** Who asks, and what can be sent back. */
export interface Asker extends Reader {
  readonly office: string;
  /** The Agent within the office: the owner of blobs, uploads and queries. */
  readonly owner: string;
  readonly maxBytes: number;
}

/** The Agent within an office, as one text. */
export function ownerOf(office: string, agent: string): string {
  return JSON.stringify([office, agent]);
}

/** The size of a message beyond its payload: the packet header and the fields the Server adds. */
export const OVERHEAD_BYTES = 512;

/** Sent as it is, an answer over the limit of the Server would end the connection. */
export function tooLarge(kind: 'ToolExecutionFailed' | 'InternalError', bytes: number, limit: number): SMCPError {
  const message = `the answer has ${bytes} bytes, and ${limit} can be sent; ask for less`;
  return new SMCPError(kind, message, { details: { bytes, limit } });
}
