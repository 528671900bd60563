import { png } from './png.js';

const WIDTH = 320;
const HEIGHT = 160;
const MARGIN = 8;
const [PAPER, AXIS, BAR] = [0, 1, 2];
const PALETTE = [
  [255, 255, 255],
  [120, 120, 130],
  [64, 105, 225],
] as const;

/** A bar for each value, the largest as high as the picture; bars of values below zero hang from the axis. */
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
