import type { IncomingMessage } from 'node:http';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { SMCPError } from '@a2c/protocol';

/** The client certificate of a connection, if TLS verified it. */
export function certificateOf({ socket }: Pick<IncomingMessage, 'socket'>): PeerCertificate | undefined {
  const tls = socket as Partial<TLSSocket>;
  return tls.authorized ? tls.getPeerCertificate?.() : undefined;
}

/** When a certificate expires. */
export function expiryOf({ valid_to }: PeerCertificate): Date {
  return new Date(valid_to);
}

/**
 * TLS checks the dates of a certificate in a full handshake only: a client that resumes its session presents none.
 *
 * @throws SMCPError 401 if the certificate has expired
 */
export function assertUnexpired(certificate: PeerCertificate | undefined): void {
  if (certificate === undefined || expiryOf(certificate).getTime() > Date.now()) return;
  throw new SMCPError('Unauthorized', `the client certificate expired at ${expiryOf(certificate).toISOString()}`);
}
