import type { SmcpError } from './errors.js';
import type { Role } from './messages.js';
import { PROTOCOL_VERSION, VERSION_QUERY } from './version.js';

/** The connection query of a member: a balancer keeps an office on one node by it, and a Server reads the version there. */
export function handshakeQuery(role: Role, office?: string): Record<string, string> {
  return { role, [VERSION_QUERY]: PROTOCOL_VERSION, ...(office !== undefined && { office }) };
}

/** A balancer has sent us to a node that does not hold this office; the next connection, naming it, may go elsewhere. */
export function isWrongNode({ kind, message, details }: SmcpError): boolean {
  return kind === 'Unavailable' && (details.reason === 'wrong_node' || message.startsWith('wrong node'));
}

/** Credentials and results would pass where others can read them: no TLS, and not to this very machine. */
export function travelsInTheClear({ protocol, hostname }: URL): boolean {
  return (protocol === 'http:' || protocol === 'ws:') && !LOOPBACK.test(hostname);
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
