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
  /** Ends the server as a crash would. A server that is our child is ended by its own tool `die`. */
  readonly kill?: () => Promise<void>;
}

const MB = 1024 * 1024;
const LEGACY: ClientOptions = { versionNegotiation: { mode: 'legacy' } };
const AUTO: ClientOptions = { versionNegotiation: { mode: 'auto', probe: { timeoutMs: 5_000 } } };

export type Generation = 'legacy' | 'auto';

export interface Behaviour {
  readonly title: string;
  readonly body: () => Promise<void>;
}

/** What every way to a server must do, in each generation of the protocol the server speaks. */
export function transportBehaviours(subject: () => Promise<Subject>, generation: Generation): readonly Behaviour[] {
  const options = generation === 'auto' ? AUTO : LEGACY;
  const connected = async (limits = {}) => {
    const { transport, kill, clients = {} } = await subject();
    return { kill, ...(await connect(transport, { limits, clients }, options)) };
  };
  const behaviours: Behaviour[] = [];
  const tells = (title: string, body: () => Promise<void>) => behaviours.push({ title, body });

  tells('lists tools and calls them', async () => {
    const { client, transport } = await connected();
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo');
    expect(await call(client, 'echo', { text: 'grüße, 世界 🙂' })).toBe('grüße, 世界 🙂');
    expect(client.getNegotiatedProtocolVersion()).toBe(generation === 'auto' ? '2026-07-28' : '2025-11-25');
    expect(transport.diagnostics()).toMatchObject({ ended: null, junkLines: 0, oversizedMessages: 0 });
  });

  tells('keeps concurrent calls apart', async () => {
    const { client } = await connected();
    const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
    expect(await Promise.all(texts.map((text) => call(client, 'echo', { text })))).toEqual(texts);
  });

  tells('brings a result of 32 MB', async () => {
    const { client } = await connected();
    expect((await call(client, 'big', { bytes: 32 * MB })).length).toBe(32 * MB);
  });

  tells('fails the one request whose result is over the limit', async () => {
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

  tells('lets a cancellation reach the server', async () => {
    const { client } = await connected();
    const before = Number(await call(client, 'cancelled'));
    const cancel = new AbortController();
    const waiting = call(client, 'wait', {}, { signal: cancel.signal });
    // The call is on its way once a later one has been answered.
    await call(client, 'echo', { text: 'x' });
    cancel.abort('no longer wanted');
    await expect(waiting).rejects.toThrow();
    await until(async () => Number(await call(client, 'cancelled')) === before + 1, 'the cancellation');
  });

  tells('brings what the server says unasked', async () => {
    const { client } = await connected();
    const heard: number[] = [];
    await call(client, 'progress', {}, { onprogress: ({ progress }) => heard.push(progress) });
    await until(() => heard.length === 3, 'the progress');
    expect(heard).toEqual([1, 2, 3]);
  });

  tells('closes cleanly, once, and says nothing afterwards', async () => {
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

  tells('fails a call at once when the server dies in the middle of it', async () => {
    const { client, transport, kill } = await connected();
    let closed = false;
    client.onclose = () => {
      closed = true;
    };
    const waiting = call(client, 'wait').catch((error: unknown) => error);
    await call(client, 'echo', { text: 'x' });
    const began = performance.now();
    const dying = kill ? kill() : call(client, 'die').catch(() => {});
    expect(await waiting).toBeInstanceOf(Error);
    await dying;
    expect(performance.now() - began).toBeLessThan(5_000);
    // A call may still meet the connection that was; one of the next finds nobody there.
    const probe = async () => {
      await expect(call(client, 'echo', { text: 'x' })).rejects.toThrow();
      return closed;
    };
    await until(probe, 'the end of the connection');
    expect(transport.diagnostics().ended).not.toBeNull();
  });
  return behaviours;
}
