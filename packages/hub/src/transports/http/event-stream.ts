import type { Readable } from 'node:stream';
import type { EventFilter } from './event-filter.js';

/** An event stream and its filter. */
export interface EventStreamOptions {
  readonly body: Readable;
  readonly filter: EventFilter;
  /** Seconds without a byte after which the stream is closed; null: no limit. */
  readonly silenceLimit: number | null;
  /** Called when the stream has ended. Returns a last event, if one is needed. */
  ended(why: string): Buffer | undefined;
  /** Closes the connection. */
  destroy(error?: Error): void;
}

/** Returns the filtered stream. It reads on demand, so that a slow reader slows the server down. */
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

/** The code of an error; messages may quote secrets. */
export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
