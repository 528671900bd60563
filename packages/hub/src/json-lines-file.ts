import { createReadStream } from 'node:fs';
import { LineReader } from './transports/wire/line-reader.js';

/** What is written at once. */
const CHUNK_CHARACTERS = 65_536;
const MAX_LINE_BYTES = 64 * 2 ** 20;

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

/** Reads a file that `jsonLines` has made. Throws a `SyntaxError` if a line is not JSON. */
export async function* readLines(path: string): AsyncGenerator<unknown> {
  let values: unknown[] = [];
  const reader = new LineReader(
    { maxBytes: MAX_LINE_BYTES },
    {
      line: (bytes) => values.push(JSON.parse(bytes.toString())),
      oversized: () => {
        throw new SyntaxError('the line is too long');
      },
    },
  );
  for await (const chunk of createReadStream(path)) {
    reader.push(chunk);
    yield* values;
    values = [];
  }
  reader.end();
  yield* values;
}
