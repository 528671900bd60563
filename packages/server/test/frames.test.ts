import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import * as ws from 'ws';
import { FrameReader, type FrameReceiver } from '../src/wire/frame-reader.js';

const MAX_PAYLOAD = 70_000;

type Receiver = FrameReceiver & NodeJS.WritableStream;

/** The receiver of `ws` has no public type. */
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Receiver };

interface Frame {
  readonly first: number;
  readonly payload: Buffer;
  readonly mask: Buffer;
  readonly isMasked: boolean;
}

function encoded({ first, payload, mask, isMasked }: Frame): Buffer {
  const { length } = payload;
  const header = Buffer.alloc(length < 126 ? 2 : length < 2 ** 16 ? 4 : 10);
  header[0] = first;
  header[1] = (isMasked ? 0x80 : 0) + (length < 126 ? length : length < 2 ** 16 ? 126 : 127);
  if (length >= 2 ** 16) header.writeUInt32BE(length, 6);
  else if (length >= 126) header.writeUInt16BE(length, 2);
  const masked = payload.map((byte, i) => (isMasked ? byte ^ (mask[i & 3] as number) : byte));
  return Buffer.concat([header, isMasked ? mask : Buffer.alloc(0), masked]);
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
/** Any code point. Cheaper than the unit `binary`, which first builds a table of all of them. */
const codePoint = fc.integer({ min: 0, max: 0x10_ff_ff }).map((point) => String.fromCodePoint(point));
const texts = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 300 }).map((text) => Buffer.from(text)),
  fc.nat({ max: MAX_PAYLOAD + 2 }).map((length) => Buffer.alloc(length, 'x')),
);
const mask = fc.uint8Array({ minLength: 4, maxLength: 4 }).map((array) => Buffer.from(array));
const frameOf = (
  first: fc.Arbitrary<number>,
  payload: fc.Arbitrary<Buffer>,
  isMasked: fc.Arbitrary<boolean> = fc.constant(true),
) => fc.record({ first, payload, mask, isMasked });

const usual = frameOf(fc.constant(0x81), texts);
const unusual = fc.oneof(
  frameOf(fc.constantFrom(0x82, 0x89, 0x8a), bytes(120)),
  // Invalid UTF-8, fragments and their parts, a close frame, reserved bits, no mask.
  frameOf(fc.constant(0x81), bytes(40)),
  frameOf(fc.constantFrom(0x01, 0x02, 0x80, 0x00), texts),
  frameOf(fc.constantFrom(0x88, 0xc1, 0x83), bytes(2)),
  frameOf(fc.constant(0x81), texts, fc.boolean()),
);
const streams = fc.record({
  frames: fc.array(fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: unusual }), { maxLength: 8 }),
  cuts: fc.array(fc.nat({ max: 100_000 }), { maxLength: 12 }),
  isDribbled: fc.boolean(),
});

function chunksOf(stream: Buffer, cuts: readonly number[], isDribbled: boolean): Buffer[] {
  const drops = isDribbled ? Array.from({ length: 40 }, (_, i) => i) : [];
  const positions = [...new Set([0, ...drops, ...cuts, stream.length])]
    .filter((at) => at <= stream.length)
    .sort((a, b) => a - b);
  return positions.slice(1).map((to, i) => Buffer.from(stream.subarray(positions[i], to)));
}

/** What a receiver reports for these chunks, in order. */
async function received(chunks: readonly Buffer[], withReader: boolean): Promise<unknown[]> {
  const events: unknown[] = [];
  const receiver = new Receiver({ isServer: true, maxPayload: MAX_PAYLOAD, allowSynchronousEvents: true });
  const message = (data: Buffer, isBinary: boolean) => events.push([isBinary, data.toString('latin1')]);
  receiver.on('message', message);
  receiver.on('ping', (data: Buffer) => events.push(['ping', data.toString('latin1')]));
  receiver.on('pong', (data: Buffer) => events.push(['pong', data.toString('latin1')]));
  receiver.on('conclude', (code: number) => events.push(['close', code]));
  receiver.on('error', (error: Error & { code: string }) => events.push(['error', error.code]));
  if (withReader)
    new FrameReader(receiver, {
      onMessage: (data, from, to, isBinary) => message(data.subarray(from, to), isBinary),
      hold: () => {},
    });
  for (const chunk of chunks) {
    receiver.write(chunk);
    await new Promise((resolve) => process.nextTick(resolve));
    if (!receiver.writable) break; // `ws` stops reading here, too
  }
  await new Promise((resolve) => setImmediate(resolve));
  return events;
}

describe('the frames of a WebSocket', () => {
  verifies('RELAY-RAW-03', 'are read as `ws` reads them, however they are cut and whatever they contain', async () => {
    await fc.assert(
      fc.asyncProperty(streams, async ({ frames, cuts, isDribbled }) => {
        const stream = Buffer.concat(frames.map(encoded));
        const copies = () => chunksOf(stream, cuts, isDribbled);
        expect(await received(copies(), true)).toEqual(await received(copies(), false));
      }),
      { numRuns: 600 },
    );
  });
});
