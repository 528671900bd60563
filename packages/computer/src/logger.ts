import { pino } from 'pino';

/** The part of pino this package uses; pass your own to see the Computer's lines among yours. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** JSON lines on stderr: stdout belongs to results. */
export function defaultLogger(): Logger {
  return pino({ name: 'a2c-computer', level: process.env.A2C_LOG_LEVEL ?? 'info' }, pino.destination(2));
}
