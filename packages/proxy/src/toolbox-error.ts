import type { ArgumentProblem } from '@a2c/hub';

export type { ArgumentProblem };

/** Why a call did not happen or did not end. */
export type ToolboxErrorCode =
  | 'server-not-found'
  | 'tool-not-found'
  | 'invalid-arguments'
  /** The server is not there now; `message` is its state and cause. */
  | 'unavailable'
  /** Somebody said no. */
  | 'refused'
  | 'cancelled'
  /** Anything else; `message` is the server's own words. */
  | 'failed';

export interface ToolboxErrorDetails {
  /** For `invalid-arguments`. */
  readonly problems?: readonly ArgumentProblem[];
  /** The JSON-RPC error the server answered with, for clients that are to see the very same. */
  readonly rpc?: { readonly code: number; readonly data?: unknown };
}

export class ToolboxError extends Error {
  override readonly name = 'ToolboxError';
  readonly code: ToolboxErrorCode;
  readonly problems: readonly ArgumentProblem[];
  readonly rpc: ToolboxErrorDetails['rpc'];

  constructor(code: ToolboxErrorCode, message: string, { problems = [], rpc }: ToolboxErrorDetails = {}) {
    super(message);
    this.code = code;
    this.problems = problems;
    this.rpc = rpc;
  }
}
