import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 320;
const HEIGHT = 160;
const MARGIN = 8;
const [PAPER, AXIS, BAR] = [0, 1, 2];
const PALETTE = [
  [255, 255, 255],
  [120, 120, 130],
  [64, 105, 225],
] as const;

/** Draws a bar for each value as a PNG. Negative values hang below the axis. */
export function barChart(values: readonly number[]): Buffer {
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const scale = (HEIGHT - 2 * MARGIN) / (top - bottom || 1);
  const axis = Math.round(MARGIN + top * scale);
  const step = (WIDTH - 2 * MARGIN) / values.length;
  return png(WIDTH, HEIGHT, PALETTE, (x, y) => {
    if (y === axis) return AXIS;
    const place = (x - MARGIN) / step;
    const value = values[Math.floor(place)];
    const isGap = place % 1 > 0.85 && step > 2;
    if (value === undefined || x < MARGIN || isGap) return PAPER;
    const end = Math.round(MARGIN + (top - value) * scale);
    return y >= Math.min(axis, end) && y <= Math.max(axis, end) ? BAR : PAPER;
  });
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes a PNG of `width` × `height` pixels, each an index into a palette of RGB colours. */
function png(
  width: number,
  height: number,
  palette: readonly (readonly [number, number, number])[],
  pixel: (x: number, y: number) => number,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // Bit depth 8, indexed colour.
  const rows = Buffer.alloc(height * (width + 1)); // Each row starts with its filter type, 0.
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = pixel(x, y);
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
