import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parser, transports } from 'engine.io';
import type { Holder, MemoryBudget } from './memory-budget.js';
import { IncomingText } from './packets.js';

type Request = ConstructorParameters<typeof transports.websocket>[0];

/** Engine.IO's polling transport, as far as it is used here. */
export interface PollingTransport {
  /** Whose connection it is, after admission. */
  owner: string;
  memory: MemoryBudget;
  maxHttpBufferSize: number;
  packetsPerRequest: number;
  readonly readyState: string;
  /** The request that is being received or handled. */
  dataReq: IncomingMessage | null;
  onError(message: string): void;
  onPacket(packet: { readonly type: string; readonly data?: unknown }): void;
  onClose(): void;
  headers(request: IncomingMessage, headers: Record<string, string>): Record<string, string>;
}

const SEPARATOR = 0x1e;
/** Engine.IO's type of a message. */
const MESSAGE = 0x34;
/** How long the packets of a request may take in one turn of the event loop. */
const TURN_MS = 3;
/** Engine.IO closes the connection when it receives this packet. */
const PARSE_ERROR = { type: 'error', data: 'parser error' };

/**
 * A polling transport for a relay: it counts the packets of a request before it decodes them, messages stay UTF-8, and
 * the packets of a request are handled in several turns of the event loop. The response follows the last one.
 */
export function pollingTransport(request: Request, memory: MemoryBudget): PollingTransport {
  const transport = transports.polling(request) as unknown as PollingTransport;
  return Object.assign(transport, { owner: '', memory, onDataRequest });
}

function onDataRequest(this: PollingTransport, request: IncomingMessage, response: ServerResponse): void {
  const isBinary = request.headers['content-type'] === 'application/octet-stream';
  if (this.dataReq || isBinary) {
    this.onError(isBinary ? 'invalid content' : 'data request overlap from client');
    response.writeHead(400).end();
    return;
  }
  this.dataReq = request;
  new DataRequest(this, request, response);
}

/** A request with packets. */
class DataRequest implements Holder {
  readonly owner: string;
  heldBytes = 0;
  readonly #transport: PollingTransport;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  /** The packets that are not handled yet. */
  #rest: Buffer | undefined;

  constructor(transport: PollingTransport, request: IncomingMessage, response: ServerResponse) {
    this.owner = transport.owner;
    this.#transport = transport;
    this.#request = request;
    this.#response = response;
    request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
  }

  end(): void {
    this.#request.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#transport.maxHttpBufferSize) {
      this.#finish();
      this.#response.writeHead(413).end();
      return;
    }
    this.#chunks.push(chunk);
    this.#transport.memory.set(this, this.#bytes);
  };

  readonly #onClose = (): void => {
    this.#finish();
    this.#transport.onError('data request connection closed prematurely');
  };

  readonly #onEnd = (): void => {
    this.#request.off('close', this.#onClose); // emitted after the end, too
    const body = Buffer.concat(this.#chunks.splice(0), this.#bytes);
    if (isUtf8(body) && countUpTo(this.#transport.packetsPerRequest, body)) this.#rest = body;
    else this.#transport.onPacket(PARSE_ERROR);
    this.#handlePackets();
  };

  readonly #handlePackets = (): void => {
    const end = performance.now() + TURN_MS;
    while (this.#rest && this.#transport.readyState !== 'closed') {
      if (performance.now() > end) {
        setImmediate(this.#handlePackets);
        return;
      }
      this.#handlePacket(this.#rest);
    }
    const headers = { 'Content-Type': 'text/html', 'Content-Length': '2' };
    this.#response.writeHead(200, this.#transport.headers(this.#request, headers)).end('ok');
    this.#finish();
  };

  #handlePacket(rest: Buffer): void {
    const at = rest.indexOf(SEPARATOR);
    const bytes = at < 0 ? rest : rest.subarray(0, at);
    this.#rest = at < 0 ? undefined : rest.subarray(at + 1);
    if (bytes[0] === MESSAGE) {
      this.#transport.onPacket({ type: 'message', data: new IncomingText(bytes.subarray(1)) });
      return;
    }
    const packet = parser.decodePacket(bytes.toString());
    if (packet.type === 'error') this.#rest = undefined;
    if (packet.type === 'close') this.#transport.onClose();
    else this.#transport.onPacket(packet);
  }

  #finish(): void {
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    this.#transport.memory.set(this, 0);
    this.#rest = undefined;
    this.#transport.dataReq = null;
  }
}

function countUpTo(packets: number, body: Buffer): boolean {
  let at = -1;
  for (let count = 1; count <= packets; count++) {
    at = body.indexOf(SEPARATOR, at + 1);
    if (at < 0) return true;
  }
  return false;
}
