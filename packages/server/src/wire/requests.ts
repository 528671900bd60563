import { ShortLivedMap, SMCP_NAMESPACE } from '@a2c/protocol';
import type { SMCPSocket } from '../rooms/connection.js';
import { Encoder } from './encoder.js';
import { PACKET, type Packet } from './packets.js';
import { RawJson } from './raw-json.js';

/** The parts of a Socket.IO socket that its typed interface does not show. */
interface SocketInternals {
  readonly nsp: { _ids: number };
}

const ENCODER = new Encoder();
const OPTIONS = { compress: false };

/** Writes to the connection of a socket, past Socket.IO, which would create several objects for each packet. */
function send({ conn }: SMCPSocket, packet: Packet): void {
  if (conn.readyState !== 'open') return;
  for (const part of ENCODER.encode(packet)) conn.write(part as string, OPTIONS);
}

/**
 * Sends an event that expects an acknowledgement. Socket.IO's own timeouts need a timer per request, and an
 * acknowledgement that never arrives would stay registered without one.
 *
 * @param office where the request comes from. A Computer that moves, or has moved, cannot tell
 * @returns the function that drops a late acknowledgement
 */
export function sendRequest(
  socket: SMCPSocket,
  name: string,
  payload: unknown,
  office: string | undefined,
  onAnswer: (answer: RawJson) => void,
): () => void {
  const { connection } = socket.data;
  const id = (socket as unknown as SocketInternals).nsp._ids++;
  connection.requests ??= new ShortLivedMap();
  const { requests } = connection;
  requests.set(id, onAnswer);
  const isMoving = connection.hasMoved || connection.member?.office !== office;
  const data = [name, isMoving && connection.adapts ? withOffice(payload, office) : payload];
  send(socket, { type: PACKET.event, nsp: SMCP_NAMESPACE, id, data });
  return () => void requests.remove(id);
}

/** The request with the office it comes from, as the last field, which counts if the Agent has sent one, too. */
function withOffice(payload: unknown, office_id: string | undefined): unknown {
  if (office_id === undefined) return payload;
  if (!(payload instanceof RawJson)) return { ...(payload as object), office_id };
  const end = payload.bytes.lastIndexOf('}');
  const field = Buffer.from(`,"office_id":${JSON.stringify(office_id)}}`);
  return new RawJson(Buffer.concat([payload.bytes.subarray(0, end), field]), payload.attachments);
}

/** Ends a request with the answer that was received for it. A late answer is dropped. */
export function receiveAnswer(socket: SMCPSocket, id: number | undefined, answer: RawJson): void {
  if (id !== undefined) socket.data.connection.requests?.remove(id)?.(answer);
}

/** Acknowledges an event. Without an id, no acknowledgement is expected. */
export function sendAnswer(socket: SMCPSocket, id: number | undefined, args: readonly unknown[]): void {
  if (id !== undefined) send(socket, { type: PACKET.ack, nsp: SMCP_NAMESPACE, id, data: args });
}

/** Whether requests to this socket are not acknowledged yet. */
export function hasPendingRequests(socket: SMCPSocket): boolean {
  return (socket.data.connection.requests?.size ?? 0) > 0;
}
