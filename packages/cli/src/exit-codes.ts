/** What a shell learns from a2c. */
export const EXIT = {
  done: 0,
  /** The operation failed. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  wrong: 2,
  interrupted: 130,
} as const;

/** What was said on the command line cannot be done as it was said. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
