import { pino } from 'pino';
import { stderrLines } from './stderr-lines.js';

/** A structured logger: the subset of pino's methods that a2c uses. Pass your own to collect the lines elsewhere. */
export interface Logger {
  /** Details for debugging; not written at the default level. */
  debug(fields: object, message: string): void;
  /** A normal event, such as a connection that was established. */
  info(fields: object, message: string): void;
  /** A problem that is handled, such as a peer that was disconnected. */
  warn(fields: object, message: string): void;
  /** A failure that needs attention. Put the error into `fields.err`. */
  error(fields: object, message: string): void;
}

/**
 * Creates a logger that writes JSON lines to stderr, because stdout is reserved for results. The environment variable
 * `A2C_LOG_LEVEL` sets the level (`debug`, `info`, `warn`, `error`, `silent`); the default is `info`. If stderr
 * cannot be written, such as on a full disk, lines are dropped and counted.
 *
 * @param name written as `name` into every line
 * @example
 * ```ts
 * const logger = createLogger('my-service');
 * logger.info({ port: 7000 }, 'listening');
 * ```
 */
export function createLogger(name: string): Logger {
  return pino({ name, level: process.env.A2C_LOG_LEVEL ?? 'info' }, stderrLines());
}
