import type { Transport } from '@a2c/config';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { ClientFactories } from '../../src/index.js';
import { call, connect, open, until } from './harness.js';

/** A server with the tools of `servers/tools.mjs`, and how it is reached. */
export interface Subject {
  readonly transport: Transport;
  /** Clients for a custom transport. */
  readonly clients?: ClientFactories;
}

const MB = 1024 * 1024;

export type Generation = 'legacy' | 'auto';

const OPTIONS: Readonly<Record<Generation, ClientOptions>> = {
  legacy: { versionNegotiation: { mode: 'legacy' } },
  auto: { versionNegotiation: { mode: 'auto', probe: { timeoutMs: 60_000 } } },
};

export interface Behaviour {
  readonly title: string;
  readonly body: () => Promise<void>;
}

/** The behaviours of every transport, in each protocol generation that the server speaks. */
export function transportBehaviours(
  subject: () => Promise<Subject>,
  generation: Generation,
  { largeMB }: { readonly largeMB: number | undefined },
): readonly Behaviour[] {
  const options = OPTIONS[generation];
  const connected = async (limits = {}) => {
    const { transport, clients = {} } = await subject();
    return connect(transport, { limits, clients }, options);
  };
  const behaviours: Behaviour[] = [];
  const add = (title: string, body: () => Promise<void>) => behaviours.push({ title, body });

  add('lists tools and calls them', async () => {
    const { client, transport } = await connected();
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo');
    expect(await call(client, 'echo', { text: 'grüße, 世界 🙂' })).toBe('grüße, 世界 🙂');
    expect(client.getNegotiatedProtocolVersion()).toBe(generation === 'auto' ? '2026-07-28' : '2025-11-25');
    expect(transport.diagnostics()).toMatchObject({ ended: null, junkLines: 0, oversizedMessages: 0 });
  });

  add('keeps concurrent calls apart', async () => {
    const { client } = await connected();
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`);
    expect(await Promise.all(texts.map((text) => call(client, 'echo', { text })))).toEqual(texts);
  });

  if (largeMB !== undefined) {
    add(`delivers a result of ${largeMB} MB`, async () => {
      const { client } = await connected();
      expect((await call(client, 'big', { bytes: largeMB * MB })).length).toBe(largeMB * MB);
    });
  }

  add('fails the one request whose result is over the limit', async () => {
    const { client, transport } = await connected({ messageBytes: MB });
    const [large, small] = await Promise.allSettled([
      call(client, 'big', { bytes: 2 * MB }),
      call(client, 'echo', { text: 'small' }),
    ]);
    expect(large).toMatchObject({ status: 'rejected', reason: { code: -32000 } });
    expect(large.status === 'rejected' && String(large.reason)).toContain(`limit of ${MB} bytes`);
    expect(small).toEqual({ status: 'fulfilled', value: 'small' });
    expect(await call(client, 'echo', { text: 'after' })).toBe('after');
    expect(transport.diagnostics()).toMatchObject({ ended: null, oversizedMessages: 1 });
  });

  add('sends a cancellation to the server', async () => {
    const { client } = await connected();
    const before = Number(await call(client, 'cancelled'));
    const cancel = new AbortController();
    const waiting = call(client, 'wait', {}, { signal: cancel.signal });
    // The call has been sent once a later one is answered.
    await call(client, 'echo', { text: 'x' });
    cancel.abort('no longer wanted');
    await expect(waiting).rejects.toThrow();
    await until(async () => Number(await call(client, 'cancelled')) === before + 1, 'the cancellation');
  });

  add('delivers notifications of the server', async () => {
    const { client } = await connected();
    const steps: number[] = [];
    await call(client, 'progress', {}, { onprogress: ({ progress }) => steps.push(progress) });
    await until(() => steps.length === 3, 'the progress');
    expect(steps).toEqual([1, 2, 3]);
  });

  add('closes once, and sends nothing afterwards', async () => {
    const { transport, clients = {} } = await subject();
    const opened = await open(transport, { clients });
    const client = new Client({ name: 'test', version: '1' }, options);
    let closes = 0;
    client.onclose = () => {
      closes += 1;
    };
    await client.connect(opened);
    await Promise.all([opened.close(), opened.close(), client.close()]);
    await opened.close();
    expect(closes).toBe(1);
    expect(opened.diagnostics().ended).not.toBeNull();
    await expect(opened.send({ jsonrpc: '2.0', id: 99, method: 'ping' })).rejects.toThrow();
  });

  return behaviours;
}

/**
 * Waits for the answer to a call, on one connection. The function that it returns kills the server, if it is not dead
 * yet, and checks that the call fails at once and that the connection ends.
 */
export async function pendingCall(
  { transport: settings, clients = {} }: Subject,
  generation: Generation,
): Promise<(kill?: () => Promise<void>) => Promise<void>> {
  const { client, transport } = await connect(settings, { clients }, OPTIONS[generation]);
  let closed = false;
  client.onclose = () => {
    closed = true;
  };
  const waiting = call(client, 'wait').catch((error: unknown) => error);
  await call(client, 'echo', { text: 'x' });
  return async (
    kill = () =>
      call(client, 'die').then(
        () => {},
        () => {},
      ),
  ) => {
    const began = performance.now();
    const dying = kill();
    expect(await waiting).toBeInstanceOf(Error);
    await dying;
    expect(performance.now() - began).toBeLessThan(30_000);
    // A call may still use the old connection; one of the next fails.
    const probe = async () => {
      await expect(call(client, 'echo', { text: 'x' })).rejects.toThrow();
      return closed;
    };
    await until(probe, 'the end of the connection');
    expect(transport.diagnostics().ended).not.toBeNull();
  };
}
