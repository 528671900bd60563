// The cost of @a2c/vrl: loading, a small script on a typical tool result, many runs, a very large result.
import { statSync } from 'node:fs';
import { checkSyntax, compile } from '@a2c/vrl';

const RUNS = 100_000;
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
const line = (name, value) => console.log(`${name.padEnd(48)} ${value}`);
const bytesOf = (value) => Buffer.byteLength(JSON.stringify(value));
const residentMebibytes = () => (process.memoryUsage.rss() / MEBIBYTE).toFixed(1);

export default function bench() {
  line('vrl.wasm', `${statSync(new URL('../packages/vrl/wasm/vrl.wasm', import.meta.url)).size} bytes`);
  line('first check, loading included', `${timed(() => checkSyntax(SCRIPT)).toFixed(1)} ms`);
  const checks = 1_000;
  line(
    'further checks',
    `${((timed(() => repeat(checks, () => checkSyntax(SCRIPT))) * 1000) / checks).toFixed(0)} µs each`,
  );

  const program = compile(SCRIPT);
  const small = toolResult(3);
  repeat(RUNS / 20, () => program.run(small));
  const before = residentMebibytes();
  const elapsed = timed(() => repeat(RUNS, () => program.run(small)));
  line(`small script on ${bytesOf(small)} bytes`, `${((elapsed * 1000) / RUNS).toFixed(1)} µs per run`);
  line(`resident memory before and after ${RUNS} runs`, `${before} MiB, ${residentMebibytes()} MiB`);

  const huge = toolResult(9_100);
  line(`the same script on ${bytesOf(huge)} bytes`, `${timed(() => program.run(huge)).toFixed(0)} ms`);
}

function repeat(times, action) {
  for (let count = 0; count < times; count++) action();
}
