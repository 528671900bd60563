/** What the typed interfaces of Engine.IO and `ws` do not show. Browsers have no `_socket`, and no `process`. */
interface EngineInternals {
  write(message: unknown, options?: object): unknown;
  readonly readyState: string;
  readonly upgrading: boolean;
  readonly writeBuffer: readonly unknown[];
  readonly transport?: { readonly ws?: WebSocketInternals | null };
}

interface WebSocketInternals {
  readonly _socket?: CorkedStream | null;
  readonly readyState: number;
  readonly extensions: string;
  send(message: string): void;
}

interface CorkedStream {
  readonly writableCorked: number;
  readonly writableLength: number;
  cork(): void;
  uncork(): void;
}

/** The state of a websocket that is open. */
const OPEN = 1;
/** The type of a message in the protocol of Engine.IO. */
const MESSAGE = '4';
/** So many bytes are not kept until the next tick: the other side can begin with them. */
const WRITE_BYTES = 4 * 1_024;

/**
 * Makes a connection of Engine.IO send the messages of a tick in few writes. `ws` makes a system call for each message,
 * which takes about as long as everything else that is done for it. And Engine.IO keeps all messages but the first for
 * the next tick, so that the other side would wait until all are ready.
 */
export function shareWrites(engine: object): void {
  if (typeof process !== 'object') return;
  const internals = engine as EngineInternals;
  const write = internals.write.bind(engine);
  internals.write = (message, options) => {
    const ws = canSendNow(internals) ? internals.transport?.ws : undefined;
    const stream = ws?._socket;
    if (typeof message !== 'string' || !ws || !stream) return write(message, options);
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    ws.send(MESSAGE + message);
    if (stream.writableLength < WRITE_BYTES) return engine;
    stream.uncork();
    stream.cork();
    return engine;
  };
}

/** Whether Engine.IO would send a message at once, or only wait for the tick after another one. */
function canSendNow({ readyState, upgrading, writeBuffer, transport }: EngineInternals): boolean {
  if (readyState !== 'open' || upgrading || writeBuffer.length > 0) return false;
  // Compression takes several turns.
  return transport?.ws?.readyState === OPEN && transport.ws.extensions === '';
}
