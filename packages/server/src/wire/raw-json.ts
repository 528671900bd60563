import { SMCPError } from '@a2c/protocol';
import type { ArrayScanner } from './json-scanner.js';

/** Objects and arrays up to this size are decoded with the fields around them. */
const SMALL_BYTES = 4_096;
/** Longer strings are not decoded to check a request. They exceed the limit of every field that is checked. */
const LONG_STRING_BYTES = 2 * 2 ** 20;
const [OPEN_OBJECT, OPEN_ARRAY, QUOTE] = [0x7b, 0x5b, 0x22];

const NOTHING = Buffer.alloc(0);
const NO_ATTACHMENTS: readonly Buffer[] = [];

/**
 * Valid JSON as it was received: relayed unchanged, decoded only where something must look inside. Attachments are the
 * binary parts of the packet; the JSON refers to them by number.
 */
export class RawJson {
  /** Empty after {@link release}, as are the attachments. */
  bytes: Buffer;
  attachments: readonly Buffer[];

  constructor(bytes: Buffer, attachments: readonly Buffer[] = []) {
    this.bytes = bytes;
    this.attachments = attachments;
  }

  /** Decodes the value, with its attachments in place. Large values take long: see {@link RawPayload.readFields}. */
  decode(): unknown {
    const value: unknown = JSON.parse(this.bytes.toString());
    return this.attachments.length === 0 ? value : withAttachments(value, this.attachments);
  }

  /** Frees the memory: what was passed on is not read again, but a pending call would keep it. */
  release(): void {
    this.bytes = NOTHING;
    this.attachments = NO_ATTACHMENTS;
  }

  /** The text, for `JSON.stringify` of an object that contains this one. */
  toJSON(): unknown {
    return this.decode();
  }
}

/** The arguments of an acknowledgement: a JSON array. */
export class RawAnswer extends RawJson {
  /** The first argument is missing or null. */
  readonly isEmpty: boolean;

  constructor(bytes: Buffer, attachments: readonly Buffer[], isEmpty: boolean) {
    super(bytes, attachments);
    this.isEmpty = isEmpty;
  }

  /** @param at where the array starts in the packet */
  static scanned(packet: Buffer, at: number, attachments: readonly Buffer[], { elements }: ArrayScanner): RawAnswer {
    const [start = 0, end = 0] = elements;
    const isEmpty = end === start || (end - start === 4 && packet.toString('latin1', start, end) === 'null');
    return new RawAnswer(packet.subarray(at), attachments, isEmpty);
  }

  /** Whether the first argument is an object. */
  get startsWithObject(): boolean {
    return /^\[\s*\{/.test(this.bytes.toString('latin1', 0, 64));
  }

  override decode(): readonly unknown[] {
    return super.decode() as readonly unknown[];
  }
}

/** The arguments of an acknowledgement: JSON that many of them have in common, between texts of this one. */
export class SharedAnswer {
  readonly prefix: string;
  readonly bytes: Buffer;
  readonly suffix: string;

  /** @param prefix and suffix: ASCII only */
  constructor(prefix: string, bytes: Buffer, suffix: string) {
    this.prefix = prefix;
    this.bytes = bytes;
    this.suffix = suffix;
  }
}

/** A packet over the limits of JSON, which is not passed on. It is answered with an error. */
export class RefusedJson extends RawJson {
  /** Why it is refused, such as `nests deeper than 100 levels`. */
  readonly problem: string;

  constructor(problem: string) {
    super(Buffer.from('null'));
    this.problem = problem;
  }
}

type Field = [keyFrom: number, keyTo: number, from: number, to: number];

/** The payload of a request. */
export class RawPayload extends RawJson {
  /** How deeply the payload nests. */
  readonly depth: number;
  /** Positions in the packet, four for each field: key from, to; value from, to. */
  readonly #positions: readonly number[];
  /** Where the payload starts in the packet. */
  readonly #start: number;
  #fields: unknown;

  constructor(packet: Buffer, attachments: readonly Buffer[], { elements, fields, depth }: ArrayScanner) {
    const [, , start = 0, end = 0] = elements;
    super(packet.subarray(start, end), attachments);
    this.depth = depth - 1;
    this.#positions = fields;
    this.#start = start;
  }

  /**
   * Decodes the payload for its checks; attachments stay placeholders. In a large payload, objects that are large
   * themselves become {@link RawJson}, and large arrays and very long strings are shortened: no field that the Server
   * checks holds one.
   */
  readFields(): unknown {
    this.#fields ??= this.bytes.length <= SMALL_BYTES ? JSON.parse(this.bytes.toString()) : this.#shallow();
    return this.#fields;
  }

  /** Whether it is large enough to be dropped in part when it was sent. */
  get isLarge(): boolean {
    return this.bytes.length > SMALL_BYTES;
  }

  override release(): void {
    if (this.isLarge) dropContent(this.#fields as object | undefined);
    this.#fields = undefined;
    super.release();
  }

  #shallow(): unknown {
    if (this.bytes[0] !== OPEN_OBJECT) return this.#decodePart(0, this.bytes.length);
    const fields: Record<string, unknown> = {};
    for (const [key, from, to] of this.#ranges()) if (key !== '__proto__') fields[key] = this.#decodePart(from, to);
    return fields;
  }

  #decodePart(from: number, to: number): unknown {
    const { bytes } = this;
    const first = bytes[from];
    const isLarge = to - from > SMALL_BYTES;
    if (isLarge && first === OPEN_OBJECT) return new RawJson(bytes.subarray(from, to));
    if (isLarge && first === OPEN_ARRAY) return [];
    if (first === QUOTE && to - from > LONG_STRING_BYTES) return bytes.toString('latin1', from, to);
    return JSON.parse(bytes.toString('utf8', from, to));
  }

  /** Key, start and end of the value of each field. */
  *#ranges(): Generator<[key: string, from: number, to: number]> {
    for (let i = 0; i < this.#positions.length; i += 4) {
      const [keyFrom, keyTo, from, to] = this.#positions.slice(i, i + 4).map((at) => at - this.#start) as Field;
      yield [JSON.parse(this.bytes.toString('utf8', keyFrom, keyTo)) as string, from, to];
    }
  }

  /** For every request, so without intermediate objects. */
  #isUnchanged(request: Readonly<Record<string, unknown>>, received: Readonly<Record<string, unknown>>): boolean {
    let count = 0;
    for (const key in request) {
      if (request[key] === undefined) continue;
      if (request[key] !== received[key] || !Object.hasOwn(received, key)) return false;
      count++;
    }
    return count * 4 === this.#positions.length;
  }

  /** Returns this payload if it has exactly these fields, else a copy in which only the changed fields are encoded. */
  with(request: object): RawJson {
    const received = this.readFields() as Readonly<Record<string, unknown>>;
    if (this.#isUnchanged(request as Readonly<Record<string, unknown>>, received)) return this;
    const entries = Object.entries(request).filter(([, value]) => value !== undefined);
    const isUnchanged = ([key, value]: [string, unknown]) => Object.hasOwn(received, key) && received[key] === value;
    const ranges = new Map([...this.#ranges()].map(([key, from, to]) => [key, this.bytes.subarray(from, to)]));
    const parts = entries.flatMap(([key, value], i) => [
      Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`),
      isUnchanged([key, value]) ? (ranges.get(key) as Buffer) : encode(value),
    ]);
    return new RawJson(Buffer.concat([...parts, Buffer.from(entries.length === 0 ? '{}' : '}')]), this.attachments);
  }
}

/** The fields of a request that are read after it was sent. */
const KEPT = new Set('agent req_id computer tool_name office_id mcp_server accept_blobs progress timeout'.split(' '));

/** Removes from a request that was sent what is not read again. */
export function dropContent(request: object | undefined): void {
  for (const key in request) if (!KEPT.has(key)) delete (request as Record<string, unknown>)[key];
}

function encode(value: unknown): Buffer {
  return value instanceof RawJson ? value.bytes : Buffer.from(JSON.stringify(value));
}

/** Decodes a value that may have been kept as it was received. */
export function plain(value: unknown): unknown {
  return value instanceof RawJson ? value.decode() : value;
}

/**
 * Puts attachments in place of their placeholders.
 *
 * @throws SMCPError for a placeholder without attachment
 */
export function withAttachments(value: unknown, attachments: readonly Buffer[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { _placeholder, num } = value as { _placeholder?: unknown; num?: unknown };
  if (_placeholder === true) {
    const attachment = typeof num === 'number' ? attachments[num] : undefined; // Clients refuse "0".
    if (attachment === undefined) throw new SMCPError('BadRequest', 'a placeholder refers to no attachment');
    return attachment;
  }
  if (Array.isArray(value)) return value.map((each) => withAttachments(each, attachments));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withAttachments(each, attachments)]));
}
