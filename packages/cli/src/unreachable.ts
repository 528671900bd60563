import { SMCPError } from '@a2c/protocol';
import { a2c } from './own-command.js';

/** Nothing listens where a signalling server should: the most common beginning, so the error says how to go on. */
export function withRemedy(error: unknown): unknown {
  if (!(error instanceof SMCPError) || !error.message.includes('ECONNREFUSED')) return error;
  const remedy = `nothing listens there; start a server with "${a2c('up')}" or "${a2c('server')}"`;
  return new SMCPError(error.kind, `${error.message}; ${remedy}`, { details: error.details, cause: error });
}
