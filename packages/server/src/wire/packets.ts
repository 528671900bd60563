/** The types of Socket.IO packets. */
export const PACKET = { connect: 0, disconnect: 1, event: 2, ack: 3, connectError: 4, binaryEvent: 5, binaryAck: 6 };

/** A Socket.IO packet, as Socket.IO and its parser exchange it. */
export interface Packet {
  readonly type: number;
  readonly nsp: string;
  readonly id?: number | undefined;
  readonly data?: unknown;
}

/** A text message of a WebSocket without Engine.IO's type: UTF-8 that was checked, but not decoded. */
export class IncomingText {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get length(): number {
    return this.bytes.length;
  }
}

/** A text message whose middle part is JSON in UTF-8. */
export class OutgoingText {
  readonly prefix: string;
  readonly json: Buffer;
  readonly suffix: string;

  /** @param prefix and suffix: ASCII only */
  constructor(prefix: string, json: Buffer, suffix: string) {
    this.prefix = prefix;
    this.json = json;
    this.suffix = suffix;
  }

  get length(): number {
    return this.prefix.length + this.json.length + this.suffix.length;
  }

  /** Engine.IO converts a message to a string for polling. */
  toString(): string {
    return this.prefix + this.json.toString() + this.suffix;
  }
}
