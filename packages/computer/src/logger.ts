import { pino } from 'pino';

/** A structured logger: the subset of pino's methods that a2c uses. Pass your own to collect the lines elsewhere. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Creates a logger that writes JSON lines to stderr. `A2C_LOG_LEVEL` sets the level; the default is `info`. */
export function createLogger(name: string): Logger {
  return pino({ name, level: process.env.A2C_LOG_LEVEL ?? 'info' }, pino.destination(2));
}
