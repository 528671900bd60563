import { createLogger, type Logger } from '@a2c/log';

export type { Logger };

/** The logger of a Computer that was given none: JSON lines on stderr. */
export function defaultLogger(): Logger {
  return createLogger('a2c-computer');
}
