import { Encoder as StockEncoder } from 'socket.io-parser';
import { OutgoingText, PACKET, type Packet } from './packets.js';
import { RawAnswer, RawJson, SharedAnswer } from './raw-json.js';

/** Encodes packets. JSON that was received is written out unchanged; all other packets are encoded as by Socket.IO. */
export class Encoder {
  readonly #stock = new StockEncoder();

  encode(packet: Packet): unknown[] {
    const data = packet.data as readonly unknown[] | undefined;
    if (packet.type === PACKET.ack && data?.[0] instanceof RawAnswer) {
      const [{ bytes, attachments }] = data as [RawAnswer];
      return [new OutgoingText(head(packet, attachments.length), bytes, ''), ...attachments];
    }
    if (packet.type === PACKET.ack && data?.[0] instanceof SharedAnswer) {
      const [{ prefix, bytes, suffix }] = data as [SharedAnswer];
      return [new OutgoingText(head(packet, 0) + prefix, bytes, suffix)];
    }
    if (packet.type === PACKET.event && data?.[1] instanceof RawJson) {
      const [name, { bytes, attachments }] = data as [string, RawJson];
      const prefix = `${head(packet, attachments.length)}["${name}",`;
      return [new OutgoingText(prefix, bytes, ']'), ...attachments];
    }
    return this.#stock.encode(packet as never);
  }
}

function head({ type, nsp, id }: Packet, attachments: number): string {
  const kind =
    attachments === 0 ? `${type}` : `${type === PACKET.ack ? PACKET.binaryAck : PACKET.binaryEvent}${attachments}-`;
  return `${kind}${nsp === '/' ? '' : `${nsp},`}${id ?? ''}`;
}
