import { SMCP_NAMESPACE } from '@a2c/protocol';
import type { SMCPSocket } from '../rooms/connection.js';
import { Encoder } from './encoder.js';
import { PACKET, type Packet } from './packets.js';
import type { RawJson } from './raw-json.js';

/** The parts of a Socket.IO socket that its typed interface does not show. */
interface SocketInternals {
  readonly acks: Map<number | undefined, (answer: RawJson) => void>;
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
 * @returns the function that drops a late acknowledgement
 */
export function sendRequest(
  socket: SMCPSocket,
  name: string,
  payload: unknown,
  onAnswer: (answer: RawJson) => void,
): () => void {
  const internals = socket as unknown as SocketInternals;
  const id = internals.nsp._ids++;
  internals.acks.set(id, onAnswer);
  send(socket, { type: PACKET.event, nsp: SMCP_NAMESPACE, id, data: [name, payload] });
  return () => void internals.acks.delete(id);
}

/** Ends a request with the answer that was received for it. A late answer is dropped. */
export function receiveAnswer(socket: SMCPSocket, id: number | undefined, answer: RawJson): void {
  const { acks } = socket as unknown as SocketInternals;
  const onAnswer = acks.get(id);
  acks.delete(id);
  onAnswer?.(answer);
}

/** Acknowledges an event. Without an id, no acknowledgement is expected. */
export function sendAnswer(socket: SMCPSocket, id: number | undefined, args: readonly unknown[]): void {
  if (id !== undefined) send(socket, { type: PACKET.ack, nsp: SMCP_NAMESPACE, id, data: args });
}

/** Whether requests to this socket are not acknowledged yet. */
export function hasPendingRequests(socket: SMCPSocket): boolean {
  return (socket as unknown as SocketInternals).acks.size > 0;
}
