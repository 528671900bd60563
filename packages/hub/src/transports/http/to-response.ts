import type { IncomingMessage } from 'node:http';

/** What `Response` allows no body for. */
const BODYLESS = [204, 205, 304];

/** An answer as the SDK wants it; `type` when the body is no longer what the server called it. */
export function toResponse(
  { headersDistinct, statusCode = 500, statusMessage = '' }: IncomingMessage,
  body: Buffer | string | ReadableStream | null,
  type?: string,
): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  // Of the body as it was on the way.
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (type !== undefined) headers.set('content-type', type);
  const status = Math.min(Math.max(statusCode, 200), 599);
  return new Response(BODYLESS.includes(status) ? null : body, { status, statusText: plain(statusMessage), headers });
}

/** `Response` refuses what HTTP allows. */
function plain(text: string): string {
  return /^[\t\x20-\x7e]*$/.test(text) ? text : '';
}
