import type { SMCPError } from './errors.js';
import { canonicalName } from './events.js';
import { isRecord } from './json.js';
import type { Role } from './messages.js';
import { PROTOCOL_VERSION, VERSION_QUERY } from './version.js';

/** The connection query of a member: a balancer keeps an office on one node by it, and a Server reads the version there. */
export function handshakeQuery(role: Role, office?: string): Record<string, string> {
  return { role, [VERSION_QUERY]: PROTOCOL_VERSION, ...(office !== undefined && { office }) };
}

/** A balancer has sent us to a node that does not hold this office; the next connection, naming it, may go elsewhere. */
export function isWrongNode({ kind, message, details }: SMCPError): boolean {
  return kind === 'Unavailable' && (details.reason === 'wrong_node' || message.startsWith('wrong node'));
}

/**
 * Told that we ourselves have left: as the last word before it ends our connection, it is how a Server says that our seat is
 * another's now.
 */
export function isOwnDeparture(role: Role, name: string, event: string, payload: unknown): boolean {
  return canonicalName(event) === 'notify:leave_office' && isRecord(payload) && payload[role] === name;
}
