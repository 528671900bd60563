import type { Hash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs';
import { LineReader } from './transports/wire/line-reader.js';

/** What is written at once. */
const CHUNK_CHARACTERS = 65_536;
const MAX_LINE_BYTES = 64 * 2 ** 20;
/** Up to this size a file is read at once: a stream takes ten times as long. */
const WHOLE_BYTES = 256 * 2 ** 10;

/**
 * The text of a file with values as lines of JSON. Each is encoded by itself: all of them would take too much memory
 * and time in one turn of the event loop.
 */
export async function* jsonLines(values: Iterable<unknown>): AsyncGenerator<string> {
  let chunk = '';
  for (const value of values) {
    chunk += `${JSON.stringify(value)}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/**
 * Reads a file that `jsonLines` has made, in groups of lines. Throws a `SyntaxError` if a line is not JSON. `hash`
 * receives all lines but the first.
 */
export async function* readLines(path: string, hash?: Hash): AsyncGenerator<readonly unknown[]> {
  const whole = readWhole(path);
  if (whole) {
    hash?.update(whole.subarray(whole.indexOf('\n') + 1));
    yield JSON.parse(`[${whole.toString().trimEnd().replaceAll('\n', ',')}]`);
    return;
  }
  let values: unknown[] = [];
  let isHead = true;
  const reader = new LineReader(
    { maxBytes: MAX_LINE_BYTES },
    {
      line: (bytes) => {
        if (!isHead) hash?.update(bytes).update('\n');
        isHead = false;
        values.push(JSON.parse(bytes.toString()));
      },
      oversized: () => {
        throw new SyntaxError('the line is too long');
      },
    },
  );
  for await (const chunk of createReadStream(path)) {
    reader.push(chunk);
    yield values;
    values = [];
  }
  reader.end();
  yield values;
}

/** The first line of a file that `jsonLines` has made; undefined if there is no such file or it is damaged. */
export async function readHead(path: string): Promise<unknown> {
  try {
    const whole = readWhole(path);
    if (whole) return JSON.parse(whole.subarray(0, whole.indexOf('\n') + 1).toString());
    for await (const [head] of readLines(path)) if (head !== undefined) return head;
  } catch {
    // As if it was not there.
  }
  return undefined;
}

/** The bytes of a small file. */
function readWhole(path: string): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    return fstatSync(file).size <= WHOLE_BYTES ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
