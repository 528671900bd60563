import { Agent } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';

/** As much as Node reads at once. */
const READ_BYTES = 64 * 1024;

/**
 * Plain connections that read into the same memory each time. Node's HTTP parser copies the body, so that a new buffer
 * for each read would be garbage at once: as much as the whole body, because V8 does not collect it before the end.
 */
export class BufferedAgent extends Agent {
  override createConnection(options: NetConnectOpts): Socket {
    const onRead = (bytes: number, memory: Uint8Array) => {
      socket.emit('data', (memory as Buffer).subarray(0, bytes));
      return true;
    };
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const socket: Socket = connect({ ...options, onread: { buffer, callback: onRead } });
    return socket;
  }
}
