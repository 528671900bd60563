import type { PeerCertificate } from 'node:tls';
import type { Server as SocketServer } from 'socket.io';
import type { SMCPSocket } from '../rooms/connection.js';
import type { ClientAddress } from './client-address.js';
import { certificateOf } from './client-certificate.js';

type Transport = SMCPSocket['conn'];

/**
 * Refused credentials after which a transport is closed. Guessing then needs new handshakes, which are rate-limited.
 */
const REFUSALS_PER_TRANSPORT = 5;
/** Clients present their credentials at once. Later, a transport without keeps its place only below the limit. */
const CREDENTIALS_MS = 1_000;

/** The open Engine.IO transports: how many per client address, their certificates and refusals. */
export class Transports {
  readonly #byAddress = new Map<string, number>();
  /** Those without accepted credentials, oldest first, and when each was opened. */
  readonly #strangers = new Map<string, Map<Transport, number>>();
  readonly #addresses = new WeakMap<Transport, string>();
  readonly #refusals = new WeakMap<Transport, number>();
  readonly #certificates = new WeakMap<Transport, PeerCertificate>();

  watch({ engine }: SocketServer, addressOf: ClientAddress): void {
    const transports = this;
    // One listener for all transports: one for each would keep several objects in memory.
    const onClose = function (this: Transport) {
      transports.#closed(this);
    };
    engine.on('connection', (transport: Transport) => {
      const address = addressOf(transport.request);
      const certificate = certificateOf(transport.request);
      if (certificate) this.#certificates.set(transport, certificate);
      this.#addresses.set(transport, address);
      this.#byAddress.set(address, this.openFrom(address) + 1);
      const strangers = this.#strangers.get(address) ?? new Map<Transport, number>();
      this.#strangers.set(address, strangers.set(transport, performance.now()));
      transport.on('close', onClose);
    });
  }

  #closed(transport: Transport): void {
    this.admitted(transport);
    const address = this.#addresses.get(transport);
    if (address === undefined || !this.#addresses.delete(transport)) return;
    const left = this.openFrom(address) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }

  openFrom(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }

  /** The credentials of a transport are accepted: it keeps its place. */
  admitted(transport: Transport): void {
    const address = this.#addresses.get(transport) ?? '';
    const strangers = this.#strangers.get(address);
    if (strangers?.delete(transport) && strangers.size === 0) this.#strangers.delete(address);
  }

  /**
   * Gives up the place of the oldest transport of an address that could have presented credentials.
   *
   * @returns the transport, which is to be ended
   */
  evictFrom(address: string): Transport | undefined {
    const [oldest] = this.#strangers.get(address) ?? [];
    if (!oldest || performance.now() - oldest[1] < CREDENTIALS_MS) return undefined;
    this.#closed(oldest[0]);
    return oldest[0];
  }

  /**
   * The client certificate that TLS verified when the transport was opened. It is kept here because polling opens a TLS
   * connection per request: the first one, to which the socket refers, is closed before the namespace is joined.
   */
  certificateOf(transport: Transport): PeerCertificate | undefined {
    return this.#certificates.get(transport);
  }

  /** Counts a refused namespace connection, and closes the transport after several. */
  refused(transport: Transport): void {
    const refusals = (this.#refusals.get(transport) ?? 0) + 1;
    this.#refusals.set(transport, refusals);
    // Deferred, so that the refusal is sent first.
    if (refusals >= REFUSALS_PER_TRANSPORT) setImmediate(() => transport.close());
  }
}
