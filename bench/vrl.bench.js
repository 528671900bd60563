// The cost of @a2c/vrl: a script on a tool result, compared with encoding and decoding the same result as JSON.
import { statSync } from 'node:fs';
import { checkSyntax, compile } from '@a2c/vrl';
import { median, quick, spread, table } from './table.js';

const ROUNDS = quick(5, 15);
const MEBIBYTE = 1024 * 1024;

const SCRIPT = `
.status = if .isError == true { "failed" } else { "ok" }
.summary = .content[0].text
.call = {"tool": .tool_name, "arguments": .parameters, "at": now()}`;

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(12);
const toolResult = (parts) => ({
  meta: { a2c_tool_meta: { alias: 'search', tags: ['web'], auto_apply: true } },
  content: Array.from({ length: parts }, (_, index) => ({ type: 'text', text: `${index}: ${text}` })),
  structuredContent: null,
  isError: false,
  tool_name: 'search',
  parameters: { query: 'fox', limit: 3 },
});

const timed = (action) => {
  const started = performance.now();
  action();
  return performance.now() - started;
};
const residentMebibytes = () => (process.memoryUsage.rss() / MEBIBYTE).toFixed(0);

export default function bench() {
  const loading = timed(() => checkSyntax(SCRIPT));
  const program = compile(SCRIPT);
  const before = residentMebibytes();
  const rows = [
    [3, 2_000],
    [9_100, 1],
  ].map(([parts, runs]) => compare(program, toolResult(parts), Math.ceil(runs / quick(4, 1))));
  const size = statSync(new URL('../packages/vrl/wasm/vrl.wasm', import.meta.url)).size;
  table(rows);
  console.log();
  table([
    {
      'vrl.wasm, bytes': size,
      'first check with loading, ms': loading.toFixed(1),
      'further checks, µs': timed(() => repeat(1_000, () => checkSyntax(SCRIPT))).toFixed(0),
      'resident memory before and after, MiB': `${before}, ${residentMebibytes()}`,
    },
  ]);
}

/** Rounds alternate, so that other load of the machine affects both sides alike. */
function compare(program, value, runs) {
  const sides = { json: () => JSON.parse(JSON.stringify(value)), vrl: () => program.run(value) };
  const times = { json: [], vrl: [] };
  for (let round = -2; round < ROUNDS; round++) {
    for (const [side, action] of Object.entries(sides)) {
      const elapsed = (timed(() => repeat(runs, action)) * 1_000) / runs;
      if (round >= 0) times[side].push(elapsed);
    }
  }
  const ratios = times.vrl.map((time, round) => time / times.json[round]);
  return {
    'result, bytes': Buffer.byteLength(JSON.stringify(value)),
    'JSON and back, µs': median(times.json).toFixed(1),
    'script, µs': median(times.vrl).toFixed(1),
    ratio: median(ratios).toFixed(1),
    'from, to': spread(ratios, 1),
  };
}

function repeat(times, action) {
  for (let count = 0; count < times; count++) action();
}
