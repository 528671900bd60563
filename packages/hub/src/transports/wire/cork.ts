import type { Writable } from 'node:stream';

/**
 * Collects what is written until the end of this turn of the event loop, so that messages which are sent at the same
 * time leave in one system call. A single message is not delayed: nothing else runs in between.
 */
export function corkForTurn(output: Writable): void {
  if (output.writableCorked > 0) return;
  output.cork();
  setImmediate(() => output.uncork());
}
