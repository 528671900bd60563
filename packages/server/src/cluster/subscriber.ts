import { type Command, Redis } from 'ioredis';

/**
 * What the adapter listens on. The adapter does not look at what becomes of its commands, and those under way when the
 * node closes without Redis fail: nobody waits for them, so that must not end the process.
 */
export class Subscriber extends Redis {
  override sendCommand(command: Command): unknown {
    const sent = super.sendCommand(command) as Promise<unknown>;
    sent.catch(() => {});
    return sent;
  }
}
