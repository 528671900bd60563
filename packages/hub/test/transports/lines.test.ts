import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EnvelopeScanner } from '../../src/transports/wire/envelope-scanner.js';
import { GrowingBuffer } from '../../src/transports/wire/growing-buffer.js';
import { JsonLines } from '../../src/transports/wire/json-lines.js';
import { textCodec } from '../../src/transports/wire/text-codec.js';

/** Splits bytes at these offsets. */
function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

interface Received {
  readonly messages: unknown[];
  readonly replies: unknown[];
  readonly wire: JsonLines;
}

function read(chunks: readonly Buffer[], encoding = 'utf-8', maxBytes = 1_000): Received {
  const messages: unknown[] = [];
  const replies: unknown[] = [];
  const wire = new JsonLines(textCodec(encoding, 'strict'), maxBytes, {
    message: (message) => messages.push(message),
    reply: (message) => replies.push(message),
  });
  for (const chunk of chunks) wire.push(chunk);
  wire.end();
  return { messages, replies, wire };
}

const rpcId = fc.oneof(fc.integer(), fc.string({ maxLength: 20 }));
const answer = fc.record({
  jsonrpc: fc.constant('2.0' as const),
  id: rpcId,
  result: fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 40 }), more: fc.jsonValue({ maxDepth: 2 }) }),
});

describe('lines', () => {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'gbk', 'latin1']) {
    verifies('HUB-STDIO-06', `in ${encoding} are decoded correctly, wherever they are split`, () => {
      const codec = textCodec(encoding, 'strict');
      fc.assert(
        fc.property(fc.array(answer, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), (sent, cuts) => {
          const bytes = Buffer.concat(sent.map((message) => Buffer.from(codec.encode(JSON.stringify(message)))));
          const { messages, wire } = read(chunksOf(bytes, cuts), encoding, 100_000);
          expect(JSON.stringify(messages)).toBe(JSON.stringify(sent));
          expect(wire.junkLines).toBe(0);
        }),
      );
    });
  }

  verifies('HUB-STDIO-05', 'exactly at the limit pass, and one byte more does not', () => {
    const line = (length: number) => {
      const frame = '{"jsonrpc":"2.0","id":5,"result":{"t":""}}';
      return frame.replace('""', `"${'x'.repeat(length - frame.length)}"`);
    };
    for (const ending of ['\n', '\r\n', '']) {
      for (const cuts of [[], [50], [999, 1_000, 1_001]]) {
        const chunks = (length: number) => chunksOf(Buffer.from(line(length) + ending), cuts);
        expect(read(chunks(1_000)).messages).toEqual([JSON.parse(line(1_000))]);
        const { messages, wire } = read(chunks(1_001));
        expect(messages).toMatchObject([{ id: 5, error: { code: -32000 } }]);
        expect(wire.oversizedMessages).toBe(1);
      }
    }
  });

  verifies('HUB-STDIO-05', 'over the limit are classified: answers, requests, and others', () => {
    const long = 'x'.repeat(2_000);
    const say = (value: unknown) => read([Buffer.from(`${JSON.stringify(value)}\n`)]);
    expect(say({ jsonrpc: '2.0', result: { long }, id: 'a' }).messages).toMatchObject([{ id: 'a' }]);
    const request = say({ jsonrpc: '2.0', id: 3, params: { long }, method: 'ping' });
    expect([request.messages.length, request.replies.length]).toEqual([0, 1]);
    const notification = say({ jsonrpc: '2.0', method: 'x', params: { long, id: 4 } });
    expect([notification.messages.length, notification.replies.length]).toEqual([0, 0]);
    expect(notification.wire.oversizedMessages).toBe(1);
  });
});

describe('a message of very many values', () => {
  verifies('HUB-STDIO-16', 'fails the request that it answers', () => {
    const arrays = `[${'[],'.repeat(300_000)}[]]`;
    const keys = `{${Array.from({ length: 11_000 }, (_, i) => `"${i}":0`).join()}}`;
    const say = (text: string) => read([Buffer.from(`${text}\n`)], 'utf-8', 10_000_000);
    const tooMany = say(`{"jsonrpc":"2.0","id":5,"result":{"content":[],"a":${arrays}}}`);
    expect(tooMany.messages).toMatchObject([
      { id: 5, error: { message: expect.stringMatching(/has more than 250000 values/) } },
    ]);
    const tooWide = say(`{"jsonrpc":"2.0","id":"a","result":{"content":[],"_meta":${keys}}}`);
    expect(tooWide.messages).toMatchObject([
      { id: 'a', error: { message: expect.stringMatching(/more than 10000 keys/) } },
    ]);
    const request = say(`{"jsonrpc":"2.0","id":5,"method":"ping","params":${keys}}`);
    expect([request.messages.length, request.wire.junkLines]).toEqual([0, 1]);
    const long = JSON.stringify({ jsonrpc: '2.0', id: 6, result: { text: '[],"\\{:'.repeat(300_000) } });
    expect(say(long).messages).toEqual([JSON.parse(long)]);
    // Millions of halves of surrogate pairs would take seconds to write as JSON.
    const halves = '\\ud800'.repeat(200_000);
    const odd = say(`{"jsonrpc":"2.0","id":7,"result":{"text":"${halves}","list":[{"${halves}":1,"k":"\\ud800"}]}}`);
    const repaired = '\ufffd'.repeat(200_000);
    expect(odd.messages).toEqual([
      { jsonrpc: '2.0', id: 7, result: { text: repaired, list: [{ k: '\ud800', [repaired]: 1 }] } },
    ]);
  });
});

describe('the scan of a discarded message', () => {
  verifies('HUB-STDIO-05', 'finds the id that JSON.parse finds, wherever it is and however it is split', () => {
    const message = fc.record({ id: rpcId, before: fc.jsonValue(), after: fc.jsonValue(), request: fc.boolean() });
    fc.assert(
      fc.property(
        message,
        fc.array(fc.nat(), { maxLength: 10 }),
        fc.nat(2),
        ({ id, before, after, request }, cuts, space) => {
          const value = {
            before,
            jsonrpc: '2.0',
            id,
            ...(request ? { method: 'x' } : {}),
            after: { id: 'no', x: [after] },
          };
          const scanner = new EnvelopeScanner();
          for (const chunk of chunksOf(Buffer.from(JSON.stringify(value, null, space)), cuts)) scanner.push(chunk);
          expect(scanner.envelope()).toEqual({ id, hasMethod: request });
        },
      ),
    );
  });

  verifies('HUB-STDIO-05', 'handles trailing bytes that equal a backslash', () => {
    // 表 is 95 5C in Shift_JIS.
    const bytes = Buffer.concat([Buffer.from('{"t":"'), Buffer.from([0x95, 0x5c]), Buffer.from('","id":8}')]);
    const scanner = textCodec('shift_jis', 'strict').scanner();
    for (const byte of bytes) scanner.push(Buffer.from([byte]));
    expect(scanner.envelope().id).toBe(8);
  });
});

verifies('HUB-HTTP-12', 'collected bytes are in memory once, and are given back at once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.uint8Array({ maxLength: 200_000 }), { maxLength: 5 }), { maxLength: 4 }),
      (uses) => {
        const buffer = new GrowingBuffer(1_000_000);
        for (const chunks of uses) {
          for (const chunk of chunks) buffer.append(Buffer.from(chunk));
          const { bytes } = buffer;
          expect(bytes.equals(Buffer.concat(chunks))).toBe(true);
          const memory = bytes.buffer;
          buffer.clear();
          expect(buffer.length).toBe(0);
          expect(memory.byteLength).toBeLessThanOrEqual(64 * 1024);
        }
      },
    ),
    { numRuns: 30 },
  );
});
