/**
 * What may wait for a client before one more message ends its stream: a client that does not read would fill the memory
 * with notifications. A single message may be longer.
 */
export const MAX_UNREAD_BYTES = 4 * 2 ** 20;

export const UNREAD = 'the client does not read its messages';

/** A stream with the same bytes, which fails if too many of them wait to be read. */
export function limitUnread(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      if ((controller.desiredSize ?? 0) <= 0) {
        controller.error(new Error(UNREAD));
        return reader.cancel(UNREAD);
      }
      controller.enqueue(value);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void pump(controller).catch((error: unknown) => controller.error(error)),
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: MAX_UNREAD_BYTES, size: ({ byteLength }) => byteLength },
  );
}
