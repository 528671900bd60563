import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import type { ClientHandlers } from '../src/clients/client-handlers.js';
import { type PendingRequest, RequestAttribution } from '../src/servers/request-attribution.js';

verifies('HUB-MCP-02', 'a question ends when all calls have ended that it can belong to', async () => {
  const attribution = new RequestAttribution(1_000);
  const signals: AbortSignal[] = [];
  const { onElicit } = attribution.attribute({
    onElicit: (_params: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  } as unknown as ClientHandlers);
  const ask = () => void onElicit?.({} as never, { server: 's', signal: new AbortController().signal });
  ask();
  await expect.poll(() => signals.length).toBe(1);
  const client = {};
  const [first, second] = [{ client }, { client }] as unknown as [PendingRequest, PendingRequest];
  const places = [attribution.add(first), attribution.add(second)] as const;
  ask();
  await expect.poll(() => signals.length).toBe(2);
  attribution.remove(places[0], true);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  attribution.remove(places[1], true);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
