import type { Readable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { TurnBudget } from '../../turn-budget.js';
import { type Envelope, EnvelopeScanner } from '../wire/envelope-scanner.js';
import { LineReader } from '../wire/line-reader.js';
import { oversizedFailure, readMessages } from '../wire/read-messages.js';

const LINE_FEED = Buffer.from('\n');
const PREFIX_ROOM = 16;
const EVENTS_AT_ONCE = 16;

/** The fields that the SDK reads besides `data`. The last one of each name counts. */
const FIELDS: readonly string[] = ['event', 'id', 'retry'];
const MAX_NAME_LENGTH = 5;

/** The SDK reconnects after this time. A server may ask for a longer one: each attempt costs both sides a request. */
const MIN_RETRY_MS = 1_000;
/** A delay that no timer accepts would be none. */
const MAX_RETRY_MS = 60_000;

/** The maximum length of such a field. A longer one is ignored, as those of other names are. */
const MAX_FIELD_BYTES = 4_096;

/** The maximum data of an event that is no message, such as the address for posts. */
const MAX_OTHER_DATA_BYTES = 65_536;

/** Estimated memory of a line of data besides its bytes. */
const LINE_BYTES = 32;

export interface FilterEvents {
  /** Called with every message of the stream. */
  message(message: JSONRPCMessage): void;
  /** The number of values that are not JSON-RPC. */
  junk(count: number): void;
  /** A message was over the limit. `reply` is the answer to send if the message was a server request. */
  oversized(reply: JSONRPCMessage | undefined): void;
}

/**
 * Takes the messages out of an event stream: repaired as `readMessages` does, or an error answer in place of one over
 * the limit. The SDK, which would decode large messages again, gets a stub in place of each: it notes the ids of the
 * events and whether an answer came. All other events pass unchanged, one at a time. Lines end with LF or CRLF; other
 * carriage returns, which the SDK reads as line ends, are removed. An event of any number of lines has limited memory.
 */
export class EventFilter {
  /** True if an event had an id: the stream can be resumed. */
  resumable = false;
  readonly #events: FilterEvents;
  readonly #maxBytes: number;
  readonly #reader: LineReader;
  #out: Buffer[] = [];
  readonly #fields = new Map<string, string>();
  #type = '';
  #data: string[] = [];
  #dataBytes = 0;
  #scanner: EnvelopeScanner | undefined;
  #oversized: Envelope | undefined;

  constructor(maxBytes: number, events: FilterEvents) {
    this.#events = events;
    this.#maxBytes = maxBytes;
    this.#reader = new LineReader(
      {
        maxBytes: maxBytes + PREFIX_ROOM,
        newline: LINE_FEED,
        carriageReturn: Buffer.from('\r'),
        scanner: () => new EnvelopeScanner(),
      },
      {
        line: (bytes) => this.#onLine(bytes),
        oversized: (envelope) => {
          this.#oversized = envelope;
        },
      },
    );
  }

  /** Reads the bytes, some events at a time. Returns the rest of them. */
  push(chunk: Buffer, mustStop: () => boolean): Buffer | undefined {
    return this.#reader.push(chunk, () => this.#out.length >= EVENTS_AT_ONCE || mustStop());
  }

  /** Returns the bytes to pass on, possibly none yet. */
  take(): readonly Buffer[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #onLine(bytes: Buffer): void {
    if (bytes.length === 0) {
      this.#endEvent();
      return;
    }
    const start = bytes.toString('latin1', 0, MAX_NAME_LENGTH + 1);
    const [name = ''] = start.split(':', 1);
    const from = name.length + (bytes[name.length + 1] === 0x20 ? 2 : 1);
    if (name === 'data') this.#addData(bytes.subarray(from));
    else if (FIELDS.includes(name) && bytes.length <= MAX_FIELD_BYTES) {
      const value = bytes.toString('utf8', from).replaceAll('\r', '');
      if (name === 'event') this.#type = value;
      if (name === 'id' && value !== '') this.resumable = true;
      this.#fields.set(name, name === 'retry' ? retryOf(value) : value);
    }
  }

  #addData(data: Buffer): void {
    this.#dataBytes += data.length + (this.#data.length > 0 ? LINE_BYTES : 0);
    if (this.#dataBytes <= this.#maxBytes) this.#data.push(data.toString());
    else {
      this.#scanner ??= new EnvelopeScanner().push(Buffer.from(this.#data.join('')));
      this.#oversized = this.#scanner.push(data).envelope();
      this.#data = [];
    }
  }

  #endEvent(): void {
    const isMessage = this.#type === '' || this.#type === 'message';
    if (this.#oversized) this.#replace(this.#oversized);
    else if (isMessage && this.#data.some((line) => line.length > 0)) this.#repair();
    else if (isMessage) this.#pass(this.#data.slice(0, 1));
    else this.#pass(this.#dataBytes <= MAX_OTHER_DATA_BYTES ? this.#data : []);
    this.#fields.clear();
    this.#type = '';
    this.#data = [];
    this.#dataBytes = 0;
    this.#scanner = undefined;
    this.#oversized = undefined;
  }

  #repair(): void {
    const { messages, junk } = readMessages(this.#data.join('\n'));
    if (junk > 0) this.#events.junk(junk);
    if (messages.length === 0) this.#pass([]);
    for (const message of messages) this.#deliver(message);
  }

  #replace({ id, hasMethod }: Envelope): void {
    const failure = id === undefined ? undefined : oversizedFailure(id, this.#maxBytes);
    this.#events.oversized(hasMethod ? failure : undefined);
    if (!failure || hasMethod) this.#pass([]);
    else this.#deliver(failure);
  }

  #deliver(message: JSONRPCMessage): void {
    this.#events.message(message);
    this.#pass(['method' in message ? STUBS.request : STUBS.answer]);
  }

  #pass(data: readonly string[]): void {
    if (data.length === 0 && this.#fields.size === 0) return;
    const fields = [...this.#fields].map(([name, value]) => `${name}: ${value}\n`);
    const lines = data.map((line) => `data: ${line.replaceAll('\r', '')}\n`);
    this.#out.push(Buffer.from([...fields, ...lines, '\n'].join('')));
  }
}

/** A value that is no number is ignored by the SDK. */
function retryOf(value: string): string {
  return /^\d+$/.test(value) ? String(Math.min(Math.max(MIN_RETRY_MS, Number(value)), MAX_RETRY_MS)) : value;
}

/** No request of the client has this id, and MCP has no such method. */
const DELIVERED = 'a2c:delivered';
const STUBS = {
  answer: JSON.stringify({ jsonrpc: '2.0', id: DELIVERED, result: {} }),
  request: JSON.stringify({ jsonrpc: '2.0', method: DELIVERED }),
};

/** True for the stub of a message that was delivered already. */
export function isStub(message: JSONRPCMessage): boolean {
  return ('id' in message && message.id === DELIVERED) || ('method' in message && message.method === DELIVERED);
}

/** Encodes a message as an event. */
export function eventOf(message: JSONRPCMessage): Buffer {
  return Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

/** An event stream and its filter. */
export interface EventStreamOptions {
  readonly body: Readable;
  readonly filter: EventFilter;
  /** Seconds without a byte after which the stream is closed; null: no limit. */
  readonly silenceLimit: number | null;
  /** Resolves when all messages so far are delivered. The stream is read no further before that. */
  delivered(): Promise<void>;
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

async function* filtered(options: EventStreamOptions): AsyncGenerator<Buffer> {
  const { body, filter, silenceLimit, delivered, ended, destroy } = options;
  const silent = () => destroy(new Error(`nothing came for ${silenceLimit} s`));
  const timer = silenceLimit === null ? undefined : setTimeout(silent, silenceLimit * 1_000);
  const budget = new TurnBudget();
  const mustStop = () => budget.isSpent();
  let failure: Error | undefined;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      timer?.refresh();
      budget.begin();
      for (let rest: Buffer | undefined = chunk; rest; ) {
        rest = filter.push(rest, mustStop);
        await delivered();
        yield* filter.take();
        if (budget.isSpent()) await budget.nextTurn();
      }
      budget.end();
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
