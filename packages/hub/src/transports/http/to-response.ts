import type { IncomingMessage } from 'node:http';

/** Statuses for which `Response` accepts no body. */
const BODYLESS = [204, 205, 304];

/** Converts a response of `node:http` to a `Response`. `type` replaces the content type. */
export function toResponse(
  { headersDistinct, statusCode = 500, statusMessage = '' }: IncomingMessage,
  body: Buffer | string | ReadableStream | null,
  type?: string,
): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  // They describe the body before it was decompressed.
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (type !== undefined) headers.set('content-type', type);
  const status = Math.min(Math.max(statusCode, 200), 599);
  return new Response(BODYLESS.includes(status) ? null : body, { status, statusText: plain(statusMessage), headers });
}

/** `Response` accepts only a part of what HTTP allows in a status text. */
function plain(text: string): string {
  return /^[\t\x20-\x7e]*$/.test(text) ? text : '';
}
