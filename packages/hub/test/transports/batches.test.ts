import { verifies } from '@a2c/requirements';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { Inbox } from '../../src/transports/wire/inbox.js';
import { MAX_BATCH, readMessages } from '../../src/transports/wire/read-messages.js';

const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/x' } as const;
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as const;

describe('a batch', () => {
  verifies('COST-BATCH-01', 'at the limit is split, and a larger one is refused', () => {
    const full = Array.from({ length: MAX_BATCH }, (_, id) => answer(id));
    expect(readMessages(JSON.stringify(full))).toEqual({ messages: full, junk: 0 });
    const large = [answer(7), ...Array.from({ length: MAX_BATCH }, () => NOTIFICATION), answer(8)];
    const { messages, junk } = readMessages(JSON.stringify(large));
    expect(junk).toBe(1);
    expect(messages).toMatchObject([{ id: 7, error: { message: expect.stringContaining('more than 100 messages') } }]);
  });

  verifies('COST-BATCH-01', 'of very many requests, values or notifications causes no message', () => {
    for (const value of [NOTIFICATION, { ...NOTIFICATION, id: 1 }, 1, null, [], {}]) {
      const text = JSON.stringify(Array.from({ length: 40_000 }, () => value));
      expect(readMessages(text)).toEqual({ messages: [], junk: 1 });
    }
  });
});

const raise = (error: Error) => {
  throw error;
};

describe('the delivery of messages', () => {
  verifies('COST-BATCH-01', 'takes linear time', async () => {
    let delivered = 0;
    const inbox = new Inbox(() => void delivered++, raise);
    const count = 300_000;
    inbox.push(NOTIFICATION);
    const before = process.cpuUsage();
    for (let id = 0; id < count; id++) inbox.push(answer(id));
    await inbox.emptied();
    const { user, system } = process.cpuUsage(before);
    expect(delivered).toBe(count + 1);
    // Typically less than 0.1 s; 10 s and more if each message moves all that wait.
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  verifies('COST-BATCH-01', 'leaves turns to others, and keeps the order', async () => {
    const delivered: JSONRPCMessage[] = [];
    const inbox = new Inbox((message) => {
      delivered.push(message);
      const end = performance.now() + 1;
      while (performance.now() < end);
    }, raise);
    const sent = Array.from({ length: 60 }, (_, id) =>
      id % 2 === 0 ? { ...NOTIFICATION, params: { id } } : answer(id),
    );
    for (const message of sent) inbox.push(message);
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (inbox.isBusy) setImmediate(turn);
    };
    setImmediate(turn);
    await inbox.emptied();
    expect(delivered).toEqual(sent);
    expect(turns).toBeGreaterThan(2);
  });
});
