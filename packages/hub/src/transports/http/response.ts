import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { GrowingBuffer } from '../wire/growing-buffer.js';
import { utf8Text } from '../wire/utf8-text.js';

const STAGES: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Decompresses a body whose size is limited. No compression is requested, but some servers compress anyway. */
export function decompressed(response: IncomingMessage): Readable {
  const create = STAGES.get(encodingOf(response));
  // Errors of both streams are reported to the reader of the last one.
  return create ? pipeline(response, create(), () => {}) : response;
}

/** `identity` if the body is not encoded. */
export function encodingOf({ headers }: IncomingMessage): string {
  return headers['content-encoding']?.trim().toLowerCase() || 'identity';
}

/** Reads the whole body as UTF-8. Returns undefined as soon as it is longer than `maxBytes`. */
export async function readText(body: Readable, maxBytes: number): Promise<string | undefined> {
  const whole = new GrowingBuffer(maxBytes);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (whole.length + chunk.length > maxBytes) return undefined;
    whole.append(chunk);
  }
  const text = utf8Text(whole.bytes);
  whole.clear();
  return text;
}

/** Reads the first `maxBytes` of a body. */
export async function readStart(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Statuses for which `Response` accepts no body. */
const BODYLESS = [204, 205, 304];

/** Converts a response of `node:http` to a `Response`. */
export function toResponse(answer: IncomingMessage, body: string | ReadableStream | null): Response {
  const init = headOf(answer);
  return new Response(BODYLESS.includes(init.status) ? null : body, init);
}

/** A response with JSON-RPC messages that are parsed already: the SDK would decode a large result once more. */
export function parsedResponse(answer: IncomingMessage, messages: readonly JSONRPCMessage[]): Response {
  const init = headOf(answer);
  init.headers.set('content-type', 'application/json');
  return Object.assign(new Response(null, init), { json: () => Promise.resolve(messages) });
}

function headOf({ headersDistinct, statusCode = 500, statusMessage = '' }: IncomingMessage) {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  // They describe the body before it was decompressed.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return { status: Math.min(Math.max(statusCode, 200), 599), statusText: plain(statusMessage), headers };
}

/** `Response` accepts only a part of what HTTP allows in a status text. */
function plain(text: string): string {
  return /^[\t\x20-\x7e]*$/.test(text) ? text : '';
}
