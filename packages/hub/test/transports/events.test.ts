import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { EventFilter } from '../../src/transports/http/event-stream.js';

/** What an event stream becomes: messages, the number of messages over the limit, and the text for the SDK. */
function read(text: string, maxBytes = 1_000) {
  const messages: unknown[] = [];
  let oversized = 0;
  const filter = new EventFilter(maxBytes, {
    message: (message) => messages.push(message),
    junk: () => {},
    oversized: () => void oversized++,
  });
  const passed: Buffer[] = [];
  for (let rest: Buffer | undefined = Buffer.from(text); rest; passed.push(...filter.take()))
    rest = filter.push(rest, () => false);
  return { messages, oversized, passed: Buffer.concat(passed).toString(), resumable: filter.resumable };
}

const ANSWER = '{"jsonrpc":"2.0","id":5,"result":{}}';

describe('an event', () => {
  verifies('COST-STREAM-01', 'cannot ask for a reconnect in less than one second or more than one minute', () => {
    for (const [asked, passed] of [
      ['0', '1000'],
      ['5000', '5000'],
      ['2147483648', '60000'],
      ['9'.repeat(400), '60000'],
      ['soon', 'soon'],
    ])
      expect(read(`retry: ${asked}\n\n`).passed).toBe(`retry: ${passed}\n\n`);
  });

  verifies('COST-EVENT-01', 'with very many fields keeps the last one of each known name', () => {
    expect(read(`${'zzz: 1\n'.repeat(100_000)}\n`).passed).toBe('');
    const fields = ['id: 1', 'event: a', 'retry: 5', 'zzz', 'data', 'id: 2', 'event:b'].join('\n');
    const { passed, resumable } = read(`${`${fields}\n`.repeat(20)}\n`);
    expect(resumable).toBe(true);
    expect(passed).toBe(`id: 2\nevent: b\nretry: 1000\n${'data: \n'.repeat(20)}\n`);
  });

  verifies('COST-EVENT-01', 'with a very long field or other data is passed without it', () => {
    const long = 'x'.repeat(70_000);
    expect(read(`id: ${long}\nevent: a\ndata: 1\n\n`, 100_000).passed).toBe('event: a\ndata: 1\n\n');
    expect(read(`event: a\ndata: ${long}\n\n`, 100_000).passed).toBe('event: a\n\n');
  });

  verifies('COST-EVENT-01', 'with very many lines of data is over the limit, and fails the request it answers', () => {
    const { messages, oversized, passed } = read(`${'data:\n'.repeat(1_000)}data: ${ANSWER}\n\n`);
    expect(oversized).toBe(1);
    expect(messages).toMatchObject([{ id: 5, error: { message: expect.stringContaining('limit of 1000 bytes') } }]);
    expect(passed.length).toBeLessThan(100);
    expect(read(`${'data:\n'.repeat(20)}data: ${ANSWER}\n\n`)).toMatchObject({ messages: [JSON.parse(ANSWER)] });
    expect(read('data:\n'.repeat(250_000).concat('\n'), 2 ** 18)).toMatchObject({ oversized: 1, passed: '' });
    expect(read(`id: 3\n${'data:\n'.repeat(30)}\n`).passed).toBe('id: 3\ndata: \n\n');
  });

  verifies('COST-EVENT-01', 'has no carriage return when it is passed', () => {
    const { passed } = read(`event: end\r\rpoint\r\nid: \r1\ndata: /a\r\r\rb\r\n\r\n${'\r'.repeat(500)}x\n\n`);
    expect(passed).toBe('event: endpoint\nid: 1\ndata: /ab\n\n');
    expect(read(`data: \r${ANSWER}\r\r\n\n`)).toMatchObject({ messages: [JSON.parse(ANSWER)] });
  });

  verifies('COST-EVENT-01', 'exactly at the limit passes, and one byte more does not', () => {
    expect(read(`data: ${ANSWER}\n\n`, ANSWER.length).messages).toEqual([JSON.parse(ANSWER)]);
    expect(read(`data: ${ANSWER}\n\n`, ANSWER.length - 1)).toMatchObject({ oversized: 1 });
  });
});
