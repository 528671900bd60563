import { Backoff, timerMs } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

verifies('WIRE-CONN-03', 'delays double up to their bound with jitter, within the maximum of a timer', () => {
  const backoff = new Backoff(100, 1_000);
  for (const bound of [100, 200, 400, 800, 1_000, 1_000]) {
    const pause = backoff.next();
    expect(pause).toBeGreaterThanOrEqual(bound / 2);
    expect(pause).toBeLessThanOrEqual(bound);
  }
  expect(new Backoff(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).next()).toBeLessThan(2 ** 31);
  expect([timerMs(5), timerMs(1e12), timerMs(Number.POSITIVE_INFINITY)]).toEqual([5, 2 ** 31 - 1, 2 ** 31 - 1]);
});
