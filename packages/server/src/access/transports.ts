import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { Server as SocketServer } from 'socket.io';
import type { SMCPSocket } from '../rooms/connection.js';
import type { AddressOf } from './client-address.js';

type Transport = SMCPSocket['conn'];

/** Refused credentials after which a transport is closed; guessing must cost a handshake, which is limited. */
const REFUSALS_PER_TRANSPORT = 5;

/** Every transport that is open, whatever it has connected to, counted by where it comes from. */
export class Transports {
  readonly #byAddress = new Map<string, number>();
  readonly #refusals = new WeakMap<Transport, number>();
  readonly #certificates = new WeakMap<Transport, PeerCertificate>();

  watch({ engine }: SocketServer, addressOf: AddressOf): void {
    engine.on('connection', (transport: Transport) => {
      const address = addressOf(transport.request);
      const tls = transport.request.socket as Partial<TLSSocket>;
      const certificate = tls.authorized ? tls.getPeerCertificate?.() : undefined;
      if (certificate) this.#certificates.set(transport, certificate);
      this.#byAddress.set(address, this.openFrom(address) + 1);
      transport.once('close', () => {
        const left = this.openFrom(address) - 1;
        if (left > 0) this.#byAddress.set(address, left);
        else this.#byAddress.delete(address);
      });
    });
  }

  openFrom(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }

  /**
   * The certificate TLS verified when the transport was opened. Polling opens a connection per request, so that the first
   * one, which is all a socket remembers, is closed by the time its namespace is asked for.
   */
  certificateOf(transport: Transport): PeerCertificate | undefined {
    return this.#certificates.get(transport);
  }

  refused(transport: Transport): void {
    const refusals = (this.#refusals.get(transport) ?? 0) + 1;
    this.#refusals.set(transport, refusals);
    // Only after the refusal itself is on its way.
    if (refusals >= REFUSALS_PER_TRANSPORT) setImmediate(() => transport.close());
  }
}
