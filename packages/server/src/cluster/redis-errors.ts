import { SMCPError } from '@a2c/protocol';
import { REDIS_TIMEOUT_MS } from './cluster-state.js';

/** Redis answers, but refuses: waiting would not help. */
export function isConfigurationError({ message }: Error): boolean {
  return /^(WRONGPASS|NOAUTH|NOPERM|ERR )/.test(message);
}

/** A script of this node failed, for example because of a text that Lua cannot read. Redis itself is available. */
export function isScriptError(error: unknown): boolean {
  return isReply(error) && /^ERR .*script/s.test(error.message);
}

/** Redis answered with an error. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

export function redisUnavailable(): SMCPError {
  return new SMCPError('Unavailable', 'offices are shared through Redis, which does not answer; try again', {
    details: { reason: 'redis', retry_after: REDIS_TIMEOUT_MS / 1_000 },
  });
}

/** The errors of connections to several addresses have only a code. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  return error.message || (error.code ?? error.name);
}

export function withoutPassword(url: string): string {
  return url.replace(/(?<=\/\/)[^@/]*@/, '');
}
