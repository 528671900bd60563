import { Socket as EngineSocket, type transports } from 'engine.io';
import type { Server as SocketServer } from 'socket.io';
import type { SMCPSocket } from '../rooms/connection.js';
import { BEFORE_ADMISSION, type DecodedTransport, Decoder, type PacketLimits, type PacketReceiver } from './decoder.js';
import { Encoder } from './encoder.js';
import type { MemoryBudget } from './memory-budget.js';
import { pollingTransport } from './polling-transport.js';
import { WebSocketTransport } from './websocket-transport.js';

/** An Engine.IO connection. */
export type EngineConnection = SMCPSocket['conn'];

/** Packets in one polling request of a member. Before admission: {@link BEFORE_ADMISSION}. */
const PACKETS_PER_REQUEST = 1_000;

/**
 * So many packets for a peer are written before the turn ends. The peer works on them while the Server handles the rest
 * of the turn. Otherwise each would be idle while the other works.
 */
const PACKETS_PER_WRITE = 16;

type Request = ConstructorParameters<typeof transports.websocket>[0];

interface EngineInternals {
  createTransport(name: string, request: Request): object;
  prependListener(event: 'connection', listener: (connection: EngineConnection) => void): void;
}

interface ConnectionInternals {
  readonly writeBuffer: readonly unknown[];
  flush(): void;
  /** Packets wait for the end of the turn. */
  willFlush: boolean;
}

/**
 * The wire of a Server below its handlers: the parser for Socket.IO, and Engine.IO transports with limits. Until its
 * credentials are accepted, a peer may send a few small packets only. Packets for a peer that are sent in one turn of
 * the event loop leave together.
 */
export class Wire {
  /** For the `parser` option of Socket.IO. */
  readonly parser: { readonly Encoder: typeof Encoder; readonly Decoder: new () => Decoder };
  readonly #limits: PacketLimits;
  readonly #memory: MemoryBudget;
  readonly #decoders = new WeakMap<EngineConnection, Decoder>();
  readonly #webSockets = new Set<WebSocketTransport>();
  /** One listener for all transports. */
  readonly #forget: (this: WebSocketTransport) => void;
  #unflushed: ConnectionInternals[] = [];
  /** The connection that is being opened: Socket.IO creates its decoder without a reference to it. */
  #opening: EngineConnection | undefined;

  /** @param memory for messages that are not complete */
  constructor(limits: PacketLimits, memory: MemoryBudget) {
    this.#limits = limits;
    this.#memory = memory;
    const register = (decoder: Decoder) => {
      if (this.#opening) this.#decoders.set(this.#opening, decoder);
    };
    const opening = () => new ConnectionTransport(this.#opening as EngineConnection);
    const webSockets = this.#webSockets;
    this.#forget = function () {
      webSockets.delete(this);
      this.hold(0);
    };
    this.parser = {
      Encoder,
      Decoder: class extends Decoder {
        constructor() {
          super(limits, opening(), memory);
          register(this);
        }
      },
    };
  }

  /** Before the first connection. */
  attach(io: SocketServer): void {
    const engine = io.engine as unknown as EngineInternals;
    engine.createTransport = (name, request) =>
      name === 'websocket' ? this.#webSocketTransport(request) : pollingTransport(request, this.#memory);
    const wire = this;
    const flushLater = function (this: ConnectionInternals) {
      wire.#flushLater(this);
    };
    engine.prependListener('connection', (connection) => {
      this.#opening = connection;
      Object.assign(connection, { flush: flushLater, willFlush: false });
      if (connection.transport.name === 'websocket') return;
      limit(connection, BEFORE_ADMISSION.bytes, BEFORE_ADMISSION.packets);
      connection.once('upgrade', () => {
        if (this.#decoders.get(connection)?.isAdmitted) this.#raiseLimits(connection);
      });
    });
  }

  #webSocketTransport(request: Request): WebSocketTransport {
    const transport = new WebSocketTransport(request, BEFORE_ADMISSION.bytes, this.#memory);
    this.#webSockets.add(transport);
    transport.on('close', this.#forget);
    return transport;
  }

  /** Ends the WebSockets that are still open. A peer that does not answer would delay an orderly close by 30 s. */
  terminate(): void {
    for (const transport of this.#webSockets) transport.terminate();
  }

  /** Ends a connection without waiting for its peer. */
  terminateOne(connection: EngineConnection): void {
    new ConnectionTransport(connection).terminate();
  }

  /** The credentials of a connection are accepted: its packets go to this receiver. */
  admit(connection: EngineConnection, receiver: PacketReceiver): void {
    this.#decoders.get(connection)?.admit(receiver);
    this.#raiseLimits(connection);
    Object.assign(connection, { request: usedPartOf(connection.request) });
  }

  /** The credentials of a connection are refused: it may present others. */
  refuse(connection: EngineConnection): void {
    this.#decoders.get(connection)?.refuse();
  }

  /** A connection has left the namespace and may present its credentials again. */
  expel(connection: EngineConnection): void {
    this.#decoders.get(connection)?.expel();
    limit(connection, BEFORE_ADMISSION.bytes, BEFORE_ADMISSION.packets);
  }

  #raiseLimits(connection: EngineConnection): void {
    limit(connection, this.#limits.messageBytes, PACKETS_PER_REQUEST);
    Object.assign(connection.transport, { owner: this.#decoders.get(connection)?.owner });
  }

  /** Writes what waits for the end of the turn. */
  flush(): void {
    this.#flushAll();
  }

  /** Engine.IO also asks for it after each write. With nothing to write, that would be another turn for each. */
  #flushLater(connection: ConnectionInternals): void {
    if (connection.writeBuffer.length >= PACKETS_PER_WRITE) flush.call(connection);
    if (connection.willFlush || connection.writeBuffer.length === 0) return;
    connection.willFlush = true;
    if (this.#unflushed.push(connection) === 1) setImmediate(this.#flushAll);
  }

  readonly #flushAll = (): void => {
    const connections = this.#unflushed;
    this.#unflushed = [];
    for (const connection of connections) {
      connection.willFlush = false;
      flush.call(connection);
    }
  };
}

const { flush } = EngineSocket.prototype as unknown as ConnectionInternals;

function limit({ transport }: EngineConnection, bytes: number, packets: number): void {
  if (transport instanceof WebSocketTransport) transport.limit(bytes);
  else Object.assign(transport, { maxHttpBufferSize: bytes, packetsPerRequest: packets });
}

/**
 * What is used of the request that opened a connection, if the peer presents its credentials again. Node's request is
 * much larger, and Engine.IO keeps it as long as the connection.
 */
function usedPartOf(request: EngineConnection['request']): object {
  const { headers, url, socket, _query } = request as EngineConnection['request'] & { readonly _query: unknown };
  return { headers, url, socket, connection: socket, _query };
}

/** The transport of a connection, which may change by an upgrade. */
class ConnectionTransport implements DecodedTransport {
  readonly #connection: EngineConnection;

  constructor(connection: EngineConnection) {
    this.#connection = connection;
  }

  get #webSocket(): WebSocketTransport | undefined {
    const { transport } = this.#connection;
    return transport instanceof WebSocketTransport ? transport : undefined;
  }

  pause(): void {
    this.#webSocket?.pause();
  }

  resume(): void {
    this.#webSocket?.resume();
  }

  terminate(): void {
    this.#webSocket?.terminate();
    this.#connection.close(true);
  }
}
