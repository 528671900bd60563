/** The exit codes of `a2c`. */
export const EXIT = {
  done: 0,
  /** The operation failed. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  wrong: 2,
  interrupted: 130,
} as const;

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
