import type { Readable } from 'node:stream';
import type { EventFilter } from './event-filter.js';

/** The body of an event stream on its way through the filter. */
export interface EventStreamOptions {
  readonly body: Readable;
  readonly filter: EventFilter;
  /** Seconds without a byte; null: as long as it likes. */
  readonly silenceLimit: number | null;
  /** The stream is over; what it says last, if anything. */
  ended(why: string): Buffer | undefined;
  /** Gives the connection up. */
  destroy(error?: Error): void;
}

/** Pulled, so that a reader that is slow slows the server. */
export function filteredStream(events: EventStreamOptions): ReadableStream<Uint8Array> {
  const chunks = filtered(events);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => events.destroy(),
    },
    { highWaterMark: 0 },
  );
}

async function* filtered({ body, filter, silenceLimit, ended, destroy }: EventStreamOptions): AsyncGenerator<Buffer> {
  const silent = () => destroy(new Error(`nothing came for ${silenceLimit} s`));
  const timer = silenceLimit === null ? undefined : setTimeout(silent, silenceLimit * 1_000);
  let failure: Error | undefined;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      timer?.refresh();
      yield* filter.push(chunk);
    }
  } catch (error) {
    failure = new Error(`broke off (${codeOf(error)})`);
  } finally {
    clearTimeout(timer);
  }
  const last = ended(failure?.message ?? 'ended');
  if (last) yield last;
  else if (failure) throw new Error(`the stream ${failure.message}`);
}

/** What an error is called, without what it may quote. */
export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
