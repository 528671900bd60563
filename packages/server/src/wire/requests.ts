import type { SMCPSocket } from '../rooms/connection.js';
import { PACKET, type Packet } from './packets.js';
import type { RawJson } from './raw-json.js';

/** The parts of a Socket.IO socket that its typed interface does not show. */
interface SocketInternals {
  readonly acks: Map<number, (answer: RawJson) => void>;
  readonly nsp: { _ids: number };
  packet(packet: Omit<Packet, 'nsp'>): void;
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
  internals.packet({ type: PACKET.event, id, data: [name, payload] });
  return () => void internals.acks.delete(id);
}

/** Whether requests to this socket are not acknowledged yet. */
export function hasPendingRequests(socket: SMCPSocket): boolean {
  return (socket as unknown as SocketInternals).acks.size > 0;
}
