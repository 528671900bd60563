/** A message from node to node: a header, JSON that is passed on as it was received, and attachments. */
export interface NodeMessage {
  readonly header: NodeHeader;
  readonly json: Buffer;
  readonly attachments: readonly Buffer[];
}

/** A request to a Computer on another node, or how it ended. */
export type NodeHeader =
  | {
      readonly kind: 'call';
      /** Chosen by the node that asks. */
      readonly id: number;
      readonly from: string;
      /** The connection of the Computer. */
      readonly sid: string;
      /** Where the Agent is. The Computer may have moved. Nodes of earlier versions do not send it. */
      readonly office?: string;
      readonly event: string;
      /** The identity of the Agent, if the request may be refused with `busy`. */
      readonly sender?: string | undefined;
      readonly timeoutMs: number;
    }
  | { readonly kind: 'answer'; readonly id: number; readonly isEmpty: boolean }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: FailureReason }
  /** Asks whether the call is pending. It is answered only if the call is not. */
  | { readonly kind: 'check'; readonly call: number; readonly from: string; readonly sid: string };

/** `lost`: the call did not arrive, or its answer was sent before. `busy`: too much is queued for the Computer. */
export type FailureReason = 'gone' | 'refused' | 'lost' | 'busy';

/** Part lengths are written in four bytes. */
const LENGTH_BYTES = 4;

/**
 * Joins messages into one: for each, the number of its parts, and each part after its length. All messages to one node
 * in one turn of the event loop are published together.
 */
export function encodeMessages(messages: readonly NodeMessage[]): Buffer {
  const chunks: Buffer[] = [];
  for (const { header, json, attachments } of messages) {
    const parts = [Buffer.from(JSON.stringify(header)), json, ...attachments];
    chunks.push(Buffer.of(parts.length));
    for (const part of parts) {
      const length = Buffer.allocUnsafe(LENGTH_BYTES);
      length.writeUInt32BE(part.length);
      chunks.push(length, part);
    }
  }
  return Buffer.concat(chunks);
}

/** Splits what {@link encodeMessages} has joined. */
export function* decodeMessages(bytes: Buffer): Generator<NodeMessage> {
  let at = 0;
  while (at < bytes.length) {
    const count = bytes[at++] as number;
    const parts: Buffer[] = [];
    for (let i = 0; i < count; i++) {
      const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
      parts.push(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    const [header, json, ...attachments] = parts as [Buffer, Buffer, ...Buffer[]];
    yield { header: JSON.parse(header.toString()) as NodeHeader, json, attachments };
  }
}
